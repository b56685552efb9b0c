import { event } from '../../../core/define/event.ts'
import {
  Currency,
  defaulted,
  Id,
  identity,
  NonEmpty,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../../core/define/schema.ts'

export const itemKinds = ['GOODS', 'SERVICE'] as const
const kind = OneOf(...itemKinds)

const Price = Type.Number({ minimum: 0, maximum: 1e15, examples: [12.5] })

const details = {
  description: nullable(Text),
  sku: nullable(Type.String({ maxLength: 100, description: 'Unique in the organization, whatever the case.' })),
  barcode: nullable(Type.String({ maxLength: 100 })),
  unit: nullable(Type.String({ maxLength: 40, examples: ['piece'] })),
  salePrice: nullable({ ...Price, description: 'For one, without tax.' }),
  purchasePrice: nullable({ ...Price, description: 'For one, without tax.' }),
  taxRate: nullable(Type.Number({ minimum: 0, maximum: 100, examples: [9] })),
  taxCategory: nullable(Type.String({ maxLength: 20, examples: ['SR'] })),
  lowStockThreshold: nullable(
    Type.Number({ minimum: 0, maximum: 1e12, description: 'At this level or below, stock is low.', examples: [5] }),
  ),
}
const currencies = { saleCurrency: Currency, purchaseCurrency: Currency }
const tracked = Type.Boolean({ description: 'The stock of the item is kept; only goods can be tracked.' })
const active = Type.Boolean({ description: 'false: offered for new orders and documents no longer.' })

export const Item = Type.Object({
  ...identity,
  name: Text,
  kind,
  ...details,
  ...currencies,
  tracked,
  active,
  stockLevel: nullable(Type.Number({ description: 'How many are in stock; null if the stock is not tracked.' })),
  averageCost: nullable(
    Type.Number({
      description: 'The moving average cost of one in the main currency; null before the first movement.',
    }),
  ),
  stockValue: nullable(Type.Number({ description: 'Of all in stock, in the main currency.' })),
  isLow: Type.Boolean({ description: 'The stock is at or below lowStockThreshold.' }),
  warnings: Type.Optional(Warnings),
})
export type Item = Static<typeof Item>

export const NewItem = Type.Object({
  organizationId: Type.Optional(Id),
  name: NonEmpty,
  kind: defaulted(kind, 'GOODS'),
  tracked: Type.Optional(tracked),
  active: defaulted(active, true),
  ...optional({ ...details, ...currencies }),
})
export type NewItem = Static<typeof NewItem>

export const ItemChanges = Type.Object({
  id: Id,
  ...optional({ name: NonEmpty, kind, tracked, active, ...details, ...currencies }),
})
export type ItemChanges = Static<typeof ItemChanges>

/** Emitted by the database when a movement takes the level to the threshold or below it. */
export const stockLow = event(
  'stock.low',
  Type.Object({
    id: Id,
    organizationId: Id,
    itemId: Id,
    name: Text,
    sku: nullable(Text),
    quantity: Type.Number(),
    lowStockThreshold: Type.Number(),
    movementId: Id,
  }),
  'The stock of an item has fallen to its threshold',
)
