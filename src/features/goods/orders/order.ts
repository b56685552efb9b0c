import { event } from '../../../core/define/event.ts'
import {
  Count,
  Currency,
  defaulted,
  Id,
  Instant,
  identity,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../../core/define/schema.ts'

export const orderKinds = ['SALES', 'PURCHASE'] as const
export type OrderKind = (typeof orderKinds)[number]

/** RECEIVED means delivered for an order of a customer. */
export const orderStatuses = ['DRAFT', 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CLOSED', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

const Price = Type.Number({ minimum: 0, maximum: 1e15, examples: [12.5] })
const Day = Type.String({ maxLength: 40, description: 'A calendar day.', examples: ['2026-01-31'] })

/** Fields of a line that the server sets: a line that was read can be sent back with them. */
const readOnly = { description: 'As read; ignored.' }
const shownOnly = {
  sku: nullable({ ...Text, ...readOnly }),
  receivedQuantity: Type.Number(readOnly),
  deliveredQuantity: Type.Number(readOnly),
  invoicedQuantity: Type.Number(readOnly),
  openQuantity: Type.Number(readOnly),
}

export const NewOrderLine = Type.Object({
  id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Chosen by the caller; 1, 2 … unless given.' }),
  ),
  ...optional({
    itemId: nullable(Id),
    description: nullable(Type.String({ maxLength: 2_000, description: 'The name of the item unless given.' })),
    unitPrice: nullable({ ...Price, description: 'Without tax; the price of the item unless given.' }),
    amount: nullable({ ...Price, description: 'quantity × unitPrice unless given.', examples: [125] }),
    taxRate: nullable(Type.Number({ minimum: 0, maximum: 100, examples: [9] })),
    taxCategory: nullable(Type.String({ maxLength: 20, examples: ['SR'] })),
    ...shownOnly,
  }),
  quantity: Type.Number({ exclusiveMinimum: 0, maximum: 1e12, examples: [10] }),
})
export type NewOrderLine = Static<typeof NewOrderLine>

const OrderLine = Type.Object({
  id: Text,
  itemId: nullable(Id),
  sku: nullable(Text),
  description: Text,
  quantity: Type.Number(),
  unitPrice: Type.Number(),
  amount: Type.Number(),
  taxRate: nullable(Type.Number()),
  taxCategory: nullable(Text),
  receivedQuantity: Type.Number({ description: 'Of an order to a supplier.' }),
  deliveredQuantity: Type.Number({ description: 'Of an order of a customer.' }),
  invoicedQuantity: Type.Number({ description: 'On invoices and drafts of them, less what was credited.' }),
  openQuantity: Type.Number({ description: 'Neither received nor delivered yet.' }),
})
export type OrderLine = Static<typeof OrderLine>

const Party = Type.Object({ id: Id, name: nullable(Text) })

const head = {
  kind: OneOf(...orderKinds),
  status: OneOf(...orderStatuses),
  orderNumber: nullable(Type.String({ description: 'Given when the order is opened, without gaps per kind.' })),
  orderDate: Type.String({ description: 'A calendar day, such as 2026-01-31.' }),
  expectedDate: nullable(Type.String()),
  currency: Text,
  subtotal: Type.Number({ description: 'Without tax.' }),
  taxAmount: Type.Number(),
  total: Type.Number(),
  reference: nullable(Text),
  customerId: nullable(Id),
  supplierId: nullable(Id),
  customer: nullable(Party),
  supplier: nullable(Party),
}

export const ListedOrder = Type.Object({ ...identity, ...head, lineCount: Count })
export type ListedOrder = Static<typeof ListedOrder>

export const Order = Type.Object({
  ...identity,
  ...head,
  notes: nullable(Text),
  lines: Type.Array(OrderLine),
  isInvoiced: Type.Boolean({ description: 'Nothing is left to invoice.' }),
  openedAt: nullable(Instant),
  endedAt: nullable(Instant),
  endReason: nullable(Text),
  sentAt: nullable(Instant),
  createdBy: nullable(Id),
  warnings: Type.Optional(Warnings),
})
export type Order = Static<typeof Order>

const lines = Type.Array(NewOrderLine, { minItems: 1, maxItems: 1_000 })

const written = {
  expectedDate: nullable(Day),
  reference: nullable(Type.String({ maxLength: 200, description: 'The number that the other side uses.' })),
  notes: nullable(Text),
}

export const NewOrder = Type.Object({
  organizationId: Type.Optional(Id),
  kind: OneOf(...orderKinds),
  lines,
  status: defaulted(OneOf('DRAFT', 'OPEN'), 'DRAFT'),
  ...optional({
    customerId: nullable({ ...Id, description: 'Of an order of a customer (SALES).' }),
    supplierId: nullable({ ...Id, description: 'Of an order to a supplier (PURCHASE).' }),
    orderDate: nullable({ ...Day, description: 'Today unless given.' }),
    currency: nullable(Currency),
    ...written,
  }),
})
export type NewOrder = Static<typeof NewOrder>

export const OrderChanges = Type.Object({
  id: Id,
  ...optional({
    customerId: nullable(Id),
    supplierId: nullable(Id),
    orderDate: Day,
    currency: Currency,
    lines,
    ...written,
  }),
})
export type OrderChanges = Static<typeof OrderChanges>

const OrderPayload = Type.Object({
  id: Id,
  organizationId: Id,
  kind: OneOf(...orderKinds),
  status: OneOf(...orderStatuses),
  orderNumber: nullable(Text),
  orderDate: Text,
  expectedDate: nullable(Text),
  customerId: nullable(Id),
  supplierId: nullable(Id),
  counterpartyName: Text,
  currency: Text,
  subtotal: Type.Number(),
  total: Type.Number(),
})
export type OrderPayload = Static<typeof OrderPayload>
export const orderOpened = event('order.opened', OrderPayload, 'An order was opened')
export const orderReceived = event('order.received', OrderPayload, 'Goods of an order were received or delivered')
export const orderSent = event('order.sent', OrderPayload, 'An order was sent to its supplier')
export const orderInvoiced = event(
  'order.invoiced',
  Type.Object({ ...OrderPayload.properties, documentId: Id }),
  'An invoice was drafted for an order',
)
