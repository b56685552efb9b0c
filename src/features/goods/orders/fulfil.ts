import { sql } from 'kysely'
import { conflict, invalid } from '../../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, nullable, optional, type Static, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { exact } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { dayOf, organizationContext } from '../../../ledger/organization-context.ts'
import { negativeStock } from '../../selling/items/document-items.ts'
import { lockOrder } from './context.ts'
import { Order, type OrderKind, orderReceived } from './order.ts'
import { type LineRow, type OrderRow, orderById, toOrder, toPayload } from './read.ts'

const Fulfilment = Type.Object({
  id: Id,
  ...optional({
    lines: Type.Array(
      Type.Object({
        lineId: Type.String({ maxLength: 200 }),
        quantity: Type.Number({ exclusiveMinimum: 0, maximum: 1e12, examples: [5] }),
      }),
      { minItems: 1, maxItems: 1_000, description: 'What came; everything that is open unless given.' },
    ),
    date: nullable(Type.String({ maxLength: 40, description: 'Today unless given.', examples: ['2026-01-31'] })),
    allowOver: Type.Boolean({ description: 'true: more than was ordered is accepted.' }),
    note: nullable(Type.String({ maxLength: 1_000 })),
  }),
})
type Fulfilment = Static<typeof Fulfilment>

export const receive = operation({
  name: 'orders_receive',
  http: 'POST /api/orders/{id}/receive',
  does: 'Records goods that a supplier delivered for an order; tracked items go into the stock at the price of the order.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: Fulfilment,
  output: Order,
  run: (context, input) => fulfil(context, input, 'PURCHASE'),
})

export const deliver = operation({
  name: 'orders_deliver',
  http: 'POST /api/orders/{id}/deliver',
  does: 'Records goods that were delivered to a customer for an order; what no invoice took out yet leaves the stock.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: Fulfilment,
  output: Order,
  run: (context, input) => fulfil(context, input, 'SALES'),
})

async function fulfil({ db, emit, now }: Inside, input: Fulfilment, kind: OrderKind): Promise<Order> {
  const { id, note } = input
  const { before, organization } = await pipeline({
    locked: lockOrder(db, id),
    before: one(orderById(db, id), 'order'),
    organization: organizationContext(db),
  })
  refuseUnfulfillable(before, kind)
  const rows = rowsOf(before, input)
  const date = dayOf('date', input.date ?? null, organization) ?? today(now, organization.timezone)
  const deliveryId = newId()
  // in the order of the items, as documents move them, so that two deliveries never wait for each other
  const itemOf = (lineId: string) => before.lines.find((line) => line.id === lineId)?.itemId ?? ''
  const sorted = rows.toSorted((a, b) => (itemOf(a.lineId) < itemOf(b.lineId) ? -1 : 1))
  const values = sorted.map((row) => ({
    id: newId(),
    deliveryId,
    orderId: id,
    date,
    note: note?.trim() || null,
    ...row,
  }))
  await db.insertInto('orderFulfilments').values(values).execute()
  const { row, negative } = await pipeline({
    row: one(orderById(db, id), 'order'),
    negative: kind === 'SALES' && negativeItems(db, before),
  })
  const order = toOrder(row)
  emit(orderReceived, toPayload(order))
  return withWarnings(
    order,
    (negative || []).map(({ name, quantity }) => negativeStock('lines', name, quantity)),
  )
}

const verbs = { PURCHASE: 'receive', SALES: 'deliver' } as const

function refuseUnfulfillable({ kind, status, id }: OrderRow, wanted: OrderKind) {
  if (kind !== wanted)
    throw conflict(
      `This is an order ${kind === 'SALES' ? 'of a customer' : 'to a supplier'}. Use POST /api/orders/${id}/${verbs[kind]}.`,
      'ORDER_TRANSITION',
    )
  if (status === 'DRAFT')
    throw conflict('The order is a draft. Open it first: POST /api/orders/{id}/open.', 'ORDER_TAKES_DELIVERIES')
  if (status === 'CLOSED' || status === 'CANCELLED')
    throw conflict(
      `The order is ${status}; nothing is received or delivered for it any more.`,
      'ORDER_TAKES_DELIVERIES',
    )
}

/** The quantities that are recorded. Without lines everything that is open. */
function rowsOf(order: OrderRow, { lines, allowOver = false }: Fulfilment) {
  if (!lines) {
    const open = order.lines.flatMap((line) => {
      const quantity = openOf(line)
      return quantity.greaterThan(0) ? [{ lineId: line.id, quantity: quantity.toFixed(6), extraQuantity: '0' }] : []
    })
    if (open.length === 0)
      throw conflict('Everything of the order was received or delivered before.', 'FULFILLED_WITHIN_ORDER')
    return open
  }
  const given = new Map<string, ReturnType<typeof exact>>()
  return lines.map(({ lineId, quantity }, at) => {
    const line = order.lines.find(({ id }) => id === lineId)
    if (!line) throw invalid(`lines.${at}.lineId`, 'The order has no such line.', 'UNKNOWN_REFERENCE')
    const amount = exact(quantity)
    if (amount.decimalPlaces() > 6)
      throw invalid(`lines.${at}.quantity`, 'quantity has at most six decimal places.', 'TOO_FINE')
    const earlier = given.get(lineId) ?? exact(0)
    given.set(lineId, earlier.plus(amount))
    const left = openOf(line).minus(earlier)
    const over = amount.minus(left.greaterThan(0) ? left : exact(0))
    if (over.greaterThan(0) && !allowOver)
      throw invalid(
        `lines.${at}.quantity`,
        `Of ${line.description}, ${Math.max(0, Number(left))} is open. Give allowOver to record more than was ordered.`,
        'FULFILLED_WITHIN_ORDER',
      )
    return { lineId, quantity: amount.toFixed(6), extraQuantity: over.greaterThan(0) ? over.toFixed(6) : '0' }
  })
}

const openOf = ({ quantity, extra, fulfilled }: LineRow) => exact(quantity).plus(exact(extra)).minus(exact(fulfilled))

const negativeItems = async (db: Database, { id }: OrderRow) =>
  (
    await sql<{ name: string; quantity: string }>`select distinct i.name, s.quantity
      from order_lines l
      join items i on i.organization_id = l.organization_id and i.id = l.item_id
      join stock_levels s on s.organization_id = i.organization_id and s.item_id = i.id and s.quantity < 0
      where l.order_id = ${id} order by i.name`.execute(db)
  ).rows
