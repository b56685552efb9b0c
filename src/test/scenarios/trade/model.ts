import { exact } from '../../../core/values/money.ts'

/** What a trading company has and owes, kept in memory beside the database. Money is in cents, quantities are whole. */

export type Level = { quantity: number; value: number; cost: string | null }
export type Line = {
  id: string
  itemId: string
  quantity: number
  price: number
  extra: number
  fulfilled: number
  /** Of what was delivered: what came back. */
  returned: number
  moved: number
  /** What left the stock for the line, to know at what cost goods come back. */
  left: { quantity: number; value: number }
}
export type Order = { kind: 'SALES' | 'PURCHASE'; status: string; lines: Line[] }
export type Invoice = {
  orderId: string
  isIssued: boolean
  lines: { id: string; quantity: number; credited: number }[]
}
export type Trade = {
  levels: Map<string, Level>
  orders: Map<string, Order>
  invoices: Map<string, Invoice>
  accounts: Record<'STOCK' | 'GOODS_RECEIVED' | 'COST_OF_GOODS_SOLD' | 'STOCK_ADJUSTMENTS' | 'REVENUE', number>
}

export const emptyTrade = (): Trade => ({
  levels: new Map(),
  orders: new Map(),
  invoices: new Map(),
  accounts: { STOCK: 0, GOODS_RECEIVED: 0, COST_OF_GOODS_SOLD: 0, STOCK_ADJUSTMENTS: 0, REVENUE: 0 },
})

type Against = 'GOODS_RECEIVED' | 'COST_OF_GOODS_SOLD' | 'STOCK_ADJUSTMENTS'

/** Half a cent is rounded away from zero, as PostgreSQL does. */
const round = (amount: ReturnType<typeof exact>): number => Number(amount.toDecimalPlaces(0, 4))

/** Moves stock at the moving average, or at a given cost for goods that come in. Returns by how much the value changed. */
export function moveStock(trade: Trade, itemId: string, quantity: number, against: Against, given?: string): number {
  const level = trade.levels.get(itemId) ?? { quantity: 0, value: 0, cost: null }
  const cost = exact((quantity > 0 ? given : undefined) ?? level.cost ?? 0)
  const after = level.quantity + quantity
  const value = valueAfter(level, after, cost, quantity)
  const difference = quantity > 0 ? round(cost.times(quantity)) - (value - level.value) : 0
  const changed = value - level.value
  trade.levels.set(itemId, {
    quantity: after,
    value,
    cost: after > 0 ? exact(value).div(after).toFixed(12) : cost.toFixed(12),
  })
  trade.accounts.STOCK += changed
  trade.accounts[against] -= changed + difference
  trade.accounts.COST_OF_GOODS_SOLD += difference
  return changed
}

function valueAfter(level: Level, after: number, cost: ReturnType<typeof exact>, quantity: number): number {
  if (quantity > 0) {
    if (level.quantity >= 0) return level.value + round(cost.times(quantity))
    if (after >= 0) return round(cost.times(after))
    return round(exact(level.value).times(after).div(level.quantity))
  }
  // What is missing leaves at the last known cost, and what was missing before keeps its own.
  if (after < 0) return level.quantity > 0 ? round(cost.times(after)) : level.value + round(cost.times(quantity))
  return after === 0 ? 0 : level.value - round(exact(level.value).times(-quantity).div(level.quantity))
}

/** How much of a line invoices have, with drafts or without, less what was credited. */
export function invoicedOf(trade: Trade, orderId: string, lineId: string, { drafts }: { drafts: boolean }): number {
  const lines = [...trade.invoices.values()]
    .filter((invoice) => invoice.orderId === orderId && (drafts || invoice.isIssued))
    .flatMap((invoice) => invoice.lines.filter(({ id }) => id === lineId))
  return lines.reduce((sum, { quantity, credited }) => sum + quantity - credited, 0)
}

/** Takes out of the stock what is to have left it and has not. */
export function moveOrderLine(trade: Trade, orderId: string, line: Line) {
  const gone = Math.max(line.fulfilled - line.returned, invoicedOf(trade, orderId, line.id, { drafts: false }))
  const moving = gone - line.moved
  if (moving <= 0) return
  const value = moveStock(trade, line.itemId, -moving, 'COST_OF_GOODS_SOLD')
  line.moved += moving
  line.left.quantity += moving
  line.left.value -= value
}

/** Goods come back at what they left for. */
export function returnGoods(trade: Trade, line: Line, quantity: number) {
  const back = Math.min(quantity, line.moved)
  if (back === 0) return
  const cost = exact(line.left.value).div(line.left.quantity).toFixed(12)
  moveStock(trade, line.itemId, back, 'COST_OF_GOODS_SOLD', cost)
  line.moved -= back
  line.returned = Math.max(line.returned, line.fulfilled - line.moved)
}

/** The status that follows from what was received or delivered. */
export function setStatus(order: Order) {
  if (order.status === 'RECEIVED') return
  const isComplete = order.lines.every(({ fulfilled, quantity }) => fulfilled >= quantity)
  order.status = isComplete ? 'RECEIVED' : 'PARTIALLY_RECEIVED'
}
