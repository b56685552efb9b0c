import { Id, Instant, nullable, OneOf, type Static, Text, Type, Warnings } from '../../../core/define/schema.ts'

export const movementKinds = ['IN', 'OUT', 'ADJUST'] as const
export type MovementKind = (typeof movementKinds)[number]

/** Where a movement comes from: entered by hand, an opening balance, a delivery of an order, or a sales document. */
export const movementSources = ['MANUAL', 'OPENING', 'ORDER', 'DOCUMENT'] as const
export type MovementSource = (typeof movementSources)[number]

/** A change of the stock of an item. Movements are never changed; a mistake is corrected with an ADJUST. */
export const Movement = Type.Object({
  id: Id,
  organizationId: Id,
  itemId: Id,
  itemName: Text,
  sku: nullable(Text),
  kind: OneOf(...movementKinds),
  quantity: Type.Number({ description: 'Positive into the stock, negative out of it.' }),
  date: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  unitCost: Type.Number({ description: 'What one was valued at, in the main currency.' }),
  value: Type.Number({ description: 'By how much the value of the stock changed, in the main currency.' }),
  currency: Text,
  reason: nullable(Text),
  reference: nullable(Text),
  source: OneOf(...movementSources),
  orderId: nullable(Id),
  documentId: nullable(Id),
  createdBy: nullable(Id),
  createdAt: Instant,
  level: Type.Optional(Type.Number({ description: 'The stock after the movement; on the answer to creating it.' })),
  warnings: Type.Optional(Warnings),
})
export type Movement = Static<typeof Movement>

export const NewMovement = Type.Object({
  organizationId: Type.Optional(Id),
  itemId: Id,
  kind: OneOf(...movementKinds),
  quantity: Type.Number({
    minimum: -1e12,
    maximum: 1e12,
    description: 'Of IN and OUT how many, of ADJUST by how many the stock changes (negative for less).',
    examples: [5],
  }),
  date: Type.Optional(Type.String({ maxLength: 40, description: 'Today unless given.', examples: ['2026-01-31'] })),
  unitCost: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 1e15,
        description: 'What one costs, in the main currency: of goods that come in. The average unless given.',
        examples: [7.5],
      }),
    ),
  ),
  reason: Type.Optional(nullable(Type.String({ maxLength: 1_000, description: 'Required for ADJUST.' }))),
  reference: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  opening: Type.Optional(
    Type.Boolean({
      description: 'true: goods that were there when the books began; the journal books them to opening balances.',
    }),
  ),
})

/** The stock of one item. */
export const Level = Type.Object({
  organizationId: Id,
  itemId: Id,
  name: Text,
  sku: nullable(Text),
  unit: nullable(Text),
  quantity: Type.Number(),
  lowStockThreshold: nullable(Type.Number()),
  isLow: Type.Boolean(),
  averageCost: nullable(Type.Number({ description: 'The moving average cost of one, in the main currency.' })),
  value: Type.Number({ description: 'Of all in stock, in the main currency.' }),
  currency: Text,
  onOrder: Type.Number({ description: 'Ordered from suppliers and not received yet.' }),
  reserved: Type.Number({ description: 'Ordered by customers, neither delivered nor invoiced yet.' }),
})
export type Level = Static<typeof Level>
