import { conflict } from '../../../core/define/failure.ts'
import { type Inside, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, nullable, Type } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockOrder } from './context.ts'
import { Order, type OrderStatus, orderOpened } from './order.ts'
import { orderById, toOrder, toPayload } from './read.ts'

const Reason = Type.Optional(nullable(Type.String({ maxLength: 1_000 })))

export const open = operation({
  name: 'orders_open',
  http: 'POST /api/orders/{id}/open',
  does: 'Opens a draft: it gets its number, and its lines are fixed.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: Type.Object({ id: Id }),
  output: Order,
  run: (context, { id }) => move(context, { id, to: 'OPEN', from: ['DRAFT'] }),
})

export const cancel = operation({
  name: 'orders_cancel',
  http: 'POST /api/orders/{id}/cancel',
  does: 'Cancels an order of which nothing was received, delivered or invoiced.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: Type.Object({ id: Id, reason: Reason }),
  output: Order,
  run: (context, { id, reason }) => move(context, { id, to: 'CANCELLED', from: ['DRAFT', 'OPEN'], reason }),
})

export const close = operation({
  name: 'orders_close',
  http: 'POST /api/orders/{id}/close',
  does: 'Closes an order, also short: what is still open of it is no longer expected.',
  scope: 'orders:write',
  role: 'CONTRIBUTOR',
  within: 'orders',
  input: Type.Object({
    id: Id,
    reason: Reason,
    clearUnbilled: Type.Optional(
      Type.Boolean({
        description:
          'Of an order to a supplier. true: what was received and not billed will never be billed; it reduces the cost of goods sold.',
      }),
    ),
  }),
  output: Order,
  run: (context, { id, reason, clearUnbilled = false }) =>
    move(context, { id, to: 'CLOSED', from: ['OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED'], reason, clearUnbilled }),
})

type Move = {
  id: string
  to: OrderStatus
  from: readonly OrderStatus[]
  reason?: string | null | undefined
  clearUnbilled?: boolean
}

/** Moves an order to a status. One that has it already keeps it, and gets the reason if one is given. */
async function move(
  { db, emit, audit }: Inside,
  { id, to, from, reason, clearUnbilled = false }: Move,
): Promise<Order> {
  const { before } = await pipeline({ locked: lockOrder(db, id), before: one(orderById(db, id), 'order') })
  const order = toOrder(before)
  if (order.status === to && reason === undefined) return order
  if (order.status !== to && !from.includes(order.status)) throw conflict(refusal(order, to), 'ORDER_TRANSITION')
  if (to === 'CANCELLED' && order.status !== to && order.lines.some(({ invoicedQuantity }) => invoicedQuantity > 0))
    throw conflict(
      'The order has invoices or drafts of them. Delete the drafts and credit the invoices in full first. To keep the invoices, close the order (POST /api/orders/{id}/close).',
      'ORDER_TRANSITION',
    )
  await db
    .updateTable('orders')
    .set({
      status: to,
      ...(reason !== undefined && { endReason: reason?.trim() || null }),
      ...(clearUnbilled && { clearsUnbilled: true }),
    })
    .where('id', '=', id)
    .execute()
  const moved = toOrder(await one(orderById(db, id), 'order'))
  audit({ from: order.status, to })
  if (to === 'OPEN' && order.status !== to) emit(orderOpened, toPayload(moved))
  return moved
}

/** Why an order in a status does not move to another, and what can be done instead. */
function refusal({ status }: Order, to: OrderStatus): string {
  if (to === 'OPEN') return `The order is ${status}. Only a draft can be opened.`
  if (status === 'CLOSED' || status === 'CANCELLED') return `The order is ${status}: it has ended, and stays as it is.`
  return to === 'CANCELLED'
    ? `The order is ${status}: goods of it were received or delivered. Close it instead (POST /api/orders/{id}/close).`
    : `The order is ${status}. Open it first (POST /api/orders/{id}/open), or delete the draft.`
}
