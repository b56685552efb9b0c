import type { Random } from '../bank/random.ts'
import { invoicedOf, moveOrderLine, moveStock, type Order, returnGoods, setStatus, type Trade } from './model.ts'

/** A request, whether the model expects it to succeed, and what it changes. */
export type Move = {
  name: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  isAllowed: boolean
  apply(answer: Answer): void
}
type Answer = { id: string; lines: { id: string; itemId: string }[]; invoice: { id: string } }
type Context = { trade: Trade; random: Random; organizationId: string; customerId: string; supplierId: string }

export function nextMove(context: Context): Move {
  const { random } = context
  const makers = [order, order, fulfil, fulfil, fulfil, invoice, invoice, issue, issue, drop, credit, credit, adjust, adjust, end] // biome-ignore format: a list of words
  for (let tries = 0; tries < 50; tries++) {
    const move = random.pick(makers)?.(context)
    if (move) return move
  }
  return adjust(context)
}

function order({ trade, random, organizationId, customerId, supplierId }: Context): Move {
  const kind = random.chance(0.5) ? 'SALES' : 'PURCHASE'
  const items = [...trade.levels.keys()].filter(() => random.chance(0.6))
  const chosen = items.length > 0 ? items : [...trade.levels.keys()].slice(0, 1)
  const lines = chosen.map((itemId, at) => ({
    id: String(at + 1),
    itemId,
    quantity: random.between(1, 20),
    price: random.between(1, 5_000),
  }))
  const body = {
    organizationId,
    kind,
    status: 'OPEN',
    ...(kind === 'SALES' ? { customerId } : { supplierId }),
    lines: lines.map(({ price, ...line }) => ({ ...line, unitPrice: price / 100, taxRate: 0 })),
  }
  const none = { extra: 0, fulfilled: 0, returned: 0, moved: 0 }
  const apply = ({ id }: Answer) =>
    void trade.orders.set(id, {
      kind,
      status: 'OPEN',
      lines: lines.map((line) => ({ ...line, ...none, left: { quantity: 0, value: 0 } })),
    })
  return { name: `order ${kind}`, method: 'POST', path: '/api/orders', body, isAllowed: true, apply }
}

function someOrder({ trade, random }: Context, isWanted: (order: Order) => boolean = () => true) {
  return random.pick([...trade.orders].filter(([, each]) => isWanted(each)))
}

/** Receives or delivers a part of a line, sometimes more than is open. */
function fulfil(context: Context): Move | undefined {
  const { trade, random } = context
  const found = someOrder(context, ({ status }) => status !== 'RECEIVED' || random.chance(0.1))
  const line = random.pick(found?.[1].lines ?? [])
  if (!found || !line) return undefined
  const [id, of] = found
  const open = Math.max(0, line.quantity + line.extra - line.fulfilled)
  const quantity = random.between(1, Math.max(1, open) + (random.chance(0.2) ? 3 : 0))
  const allowOver = random.chance(0.3)
  const isSale = of.kind === 'SALES'
  return {
    name: isSale ? 'deliver' : 'receive',
    method: 'POST',
    path: `/api/orders/${id}/${isSale ? 'deliver' : 'receive'}`,
    body: { lines: [{ lineId: line.id, quantity }], allowOver },
    isAllowed: !['CLOSED', 'CANCELLED'].includes(of.status) && (quantity <= open || allowOver),
    apply() {
      line.fulfilled += quantity
      line.extra += Math.max(0, quantity - open)
      setStatus(of)
      if (isSale) moveOrderLine(trade, id, line)
      else moveStock(trade, line.itemId, quantity, 'GOODS_RECEIVED', String(line.price))
    },
  }
}

const leftToInvoice = (trade: Trade, id: string, of: Order) =>
  of.lines.flatMap((line) => {
    const wanted = of.status === 'CLOSED' ? line.fulfilled : line.quantity + line.extra
    const quantity = wanted - invoicedOf(trade, id, line.id, { drafts: true })
    return quantity > 0 ? [{ id: line.id, quantity, credited: 0 }] : []
  })

function invoice(context: Context): Move | undefined {
  const { trade } = context
  const found = someOrder(context)
  if (!found) return undefined
  const [id, of] = found
  const lines = leftToInvoice(trade, id, of)
  return {
    name: 'invoice',
    method: 'POST',
    path: `/api/orders/${id}/invoice`,
    body: {},
    isAllowed: of.kind === 'SALES' && of.status !== 'CANCELLED' && lines.length > 0,
    apply: (answer) => void trade.invoices.set(answer.invoice.id, { orderId: id, isIssued: false, lines }),
  }
}

function issue({ trade, random }: Context): Move | undefined {
  const [id, draft] = random.pick([...trade.invoices].filter(([, { isIssued }]) => !isIssued)) ?? []
  const of = draft && trade.orders.get(draft.orderId)
  if (!draft || !of) return undefined
  return {
    name: 'issue',
    method: 'PATCH',
    path: `/api/documents/${id}`,
    body: { status: 'SENT' },
    isAllowed: true,
    apply() {
      draft.isIssued = true
      for (const { id: lineId, quantity } of draft.lines) {
        const line = of.lines.find((each) => each.id === lineId)
        if (!line) throw new Error('An invoice has lines of its order.')
        trade.accounts.REVENUE -= quantity * line.price
        moveOrderLine(trade, draft.orderId, line)
      }
    },
  }
}

function drop({ trade, random }: Context): Move | undefined {
  const [id] = random.pick([...trade.invoices].filter(([, { isIssued }]) => !isIssued || random.chance(0.05))) ?? []
  if (!id) return undefined
  const isAllowed = trade.invoices.get(id)?.isIssued === false
  return {
    name: 'drop',
    method: 'DELETE',
    path: `/api/documents/${id}`,
    isAllowed,
    apply: () => void trade.invoices.delete(id),
  }
}

function credit({ trade, random }: Context): Move | undefined {
  const [id, issued] = random.pick([...trade.invoices].filter(([, { isIssued }]) => isIssued)) ?? []
  const credited = random.pick(issued?.lines.filter((each) => each.quantity > each.credited) ?? [])
  const line = issued && trade.orders.get(issued.orderId)?.lines.find((each) => each.id === credited?.id)
  if (!credited || !line) return undefined
  const left = credited.quantity - credited.credited
  const quantity = random.between(1, left + (random.chance(0.1) ? 2 : 0))
  const [unitPrice, amount] = [line.price / 100, (quantity * line.price) / 100]
  const items = [{ id: line.id, description: 'Returned', quantity, unitPrice, amount }]
  return {
    name: 'credit',
    method: 'POST',
    path: `/api/documents/${id}/memos`,
    body: { kind: 'CREDIT', items },
    isAllowed: quantity <= left,
    apply() {
      credited.credited += quantity
      trade.accounts.REVENUE += quantity * line.price
      returnGoods(trade, line, quantity)
    },
  }
}

function adjust({ trade, random, organizationId }: Context): Move {
  const itemId = random.pick([...trade.levels.keys()]) ?? ''
  const quantity = random.between(1, 10) * (random.chance(0.5) ? 1 : -1)
  const unitCost = quantity > 0 && random.chance(0.5) ? random.between(1, 5_000) : undefined
  const body = {
    organizationId,
    itemId,
    kind: 'ADJUST',
    quantity,
    reason: 'Counted',
    ...(unitCost !== undefined && { unitCost: unitCost / 100 }),
  }
  const apply = () =>
    void moveStock(trade, itemId, quantity, 'STOCK_ADJUSTMENTS', unitCost === undefined ? undefined : String(unitCost))
  return { name: 'adjust', method: 'POST', path: '/api/stock/movements', body, isAllowed: true, apply }
}

/** Closes or cancels an order; few, so that most go on. */
function end(context: Context): Move | undefined {
  const { trade, random } = context
  const found = someOrder(context)
  if (!found || random.chance(0.6)) return undefined
  const [id, of] = found
  const isClose = random.chance(0.5)
  const isFree = of.lines.every((line) => invoicedOf(trade, id, line.id, { drafts: true }) <= 0)
  const mayCancel = of.status === 'CANCELLED' || (of.status === 'OPEN' && isFree)
  return {
    name: isClose ? 'close' : 'cancel',
    method: 'POST',
    path: `/api/orders/${id}/${isClose ? 'close' : 'cancel'}`,
    body: {},
    isAllowed: isClose ? of.status !== 'CANCELLED' : mayCancel,
    apply() {
      of.status = isClose ? 'CLOSED' : 'CANCELLED'
    },
  }
}
