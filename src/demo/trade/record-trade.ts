import { addDays } from '../../core/values/day.ts'
import { type CallOperation, everyPage, type Page } from '../call-operation.ts'
import type { Company } from '../company.ts'
import { inOrder, inParallel } from '../in-parallel.ts'
import { hundredths, major } from '../sale.ts'
import type { TradedItem, TradeOrder } from './trade.ts'

/** The organization to record the trade in, with its counterparties by name, and the day that it is. */
type Target = {
  organizationId: string
  counterparties: ReadonlyMap<string, string>
  company: Company
  day: string
}

/**
 * Records what is missing of the trade of a company. Items are recognized by SKU, orders by their reference, movements by reason or
 * reference, and what follows an order by its chain.
 */
export async function recordTrade(call: CallOperation, target: Target) {
  const { trade } = target.company
  const items = await completeItems(call, target)
  await completeMovements(call, target, items)
  const existing = await ordersOf(call, target)
  // Numbers follow the dates, and goods are bought before they are sold.
  await inOrder(trade.purchases, (order) =>
    completeOrder(call, { ...target, items, existing, kind: 'PURCHASE' }, order),
  )
  await inOrder(trade.sales, (order) => completeOrder(call, { ...target, items, existing, kind: 'SALES' }, order))
  await inParallel(Object.entries(trade.suppliers), ([name, terms]) =>
    call('suppliers_update_patch', { id: target.counterparties.get(name), ...terms }),
  )
}

type Items = ReadonlyMap<string, string>

async function completeItems(call: CallOperation, { organizationId, company }: Target): Promise<Items> {
  const ids = new Map<string, string>()
  const pages = everyPage((page) =>
    call<Page & { items: { id: string; sku: string }[] }>('logistics_items_list', { organizationId, ...page }),
  )
  for await (const { items } of pages) for (const { sku, id } of items) ids.set(sku, id)
  await inParallel(company.trade.items, async ({ opening: _, ...item }) => {
    if (ids.has(item.sku)) return
    const { id } = await call<{ id: string }>('logistics_items_create', { organizationId, ...item })
    ids.set(item.sku, id)
  })
  return ids
}

type MovementView = { itemId: string; reference: string | null; reason: string | null }

/** The stock that the company begins with, and what it corrected after counting. */
async function completeMovements(call: CallOperation, { organizationId, company, day }: Target, items: Items) {
  const done = new Set<string>()
  const pages = everyPage((page) =>
    call<Page & { movements: MovementView[] }>('logistics_stock_movements', { organizationId, ...page }),
  )
  for await (const { movements } of pages)
    for (const { itemId, reference, reason } of movements) done.add(`${itemId} ${reason ?? reference}`)
  const move = async (sku: string, movement: { reason?: string; reference?: string } & Record<string, unknown>) => {
    const itemId = items.get(sku)
    if (!done.has(`${itemId} ${movement.reason ?? movement.reference}`))
      await call('logistics_stock_movements_create', { organizationId, itemId, ...movement })
  }
  const { trade } = company
  await inParallel(trade.items, async ({ sku, opening, purchasePrice: unitCost }) => {
    const date = addDays(day, -90)
    if (opening)
      await move(sku, { kind: 'IN', quantity: opening, unitCost, reference: 'Opening stock', opening: true, date })
  })
  await inParallel(trade.adjustments, ({ sku, quantity, reason, daysAgo }) =>
    move(sku, { kind: 'ADJUST', quantity, reason, date: addDays(day, -daysAgo) }),
  )
}

type OrderView = {
  id: string
  status: string
  reference: string | null
  lines: readonly { id: string; quantity: number }[]
}

async function ordersOf(call: CallOperation, { organizationId }: Target): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const pages = everyPage((page) =>
    call<Page & { orders: { id: string; reference: string }[] }>('orders_list', { organizationId, ...page }),
  )
  for await (const { orders } of pages) for (const { id, reference } of orders) ids.set(reference, id)
  return ids
}

type OrderTarget = Target & { items: Items; existing: ReadonlyMap<string, string>; kind: 'PURCHASE' | 'SALES' }
type Entry = { type: string; id: string; status: string | null }
type Chain = { order: OrderView; entries: Entry[] }

async function completeOrder(call: CallOperation, target: OrderTarget, order: TradeOrder) {
  const id = target.existing.get(order.reference) ?? (await createOrder(call, target, order))
  const chain = await call<Chain>('orders_chain', { id })
  const ofType = (type: string) => chain.entries.filter((entry) => entry.type === type)
  await inOrder((order.deliveries ?? []).slice(ofType('DELIVERY').length), (delivery) =>
    deliver(call, target, chain.order, delivery),
  )
  if (order.bill) await completeBill(call, target, { order, id, ofType })
  if (order.invoice) await completeInvoice(call, { order, id, ofType })
  if (order.ends && chain.order.status !== order.ends)
    await call(order.ends === 'CLOSED' ? 'orders_close' : 'orders_cancel', { id, reason: order.reason })
}

async function createOrder(call: CallOperation, target: OrderTarget, order: TradeOrder): Promise<string> {
  const { organizationId, kind, counterparties, items, company, day } = target
  const { reference, of, daysAgo, expectedInDays, lines, notes, isDraft } = order
  const orderDate = addDays(day, -daysAgo)
  const taxRate = taxOf(target, order)
  const { id } = await call<{ id: string }>('orders_create', {
    ...{ organizationId, kind, reference, notes, orderDate, currency: company.currency },
    [kind === 'SALES' ? 'customerId' : 'supplierId']: counterparties.get(of),
    status: isDraft ? 'DRAFT' : 'OPEN',
    ...(expectedInDays !== undefined && { expectedDate: addDays(orderDate, expectedInDays) }),
    lines: lines.map(([sku, quantity]) => ({ itemId: items.get(sku), quantity, taxRate })),
  })
  return id
}

/** Suppliers abroad, and resale in the United States, are without tax. */
function taxOf(
  { company, day, kind }: Pick<OrderTarget, 'company' | 'day' | 'kind'>,
  { of, daysAgo }: TradeOrder,
): number {
  const supplier = company.spending.suppliers.find(({ name }) => name === of)
  const { country } = company.organization
  if (kind === 'PURCHASE' && (country === 'US' || (supplier && supplier.country !== country))) return 0
  return company.taxOn(addDays(day, -daysAgo))
}

async function deliver(
  call: CallOperation,
  { kind, day }: OrderTarget,
  { id, lines }: OrderView,
  [share, daysAgo]: NonNullable<TradeOrder['deliveries']>[number],
) {
  const part = share !== 'rest' && {
    lines: lines.map((line) => ({ lineId: line.id, quantity: Math.ceil(line.quantity * share) })),
  }
  await call(kind === 'SALES' ? 'orders_deliver' : 'orders_receive', { id, date: addDays(day, -daysAgo), ...part })
}

type Following = { order: TradeOrder; id: string; ofType: (type: string) => Entry[] }

/** The bill of a supplier: tax is what the order says, an extra charge comes without. */
export function billOf(company: Company, day: string, order: TradeOrder) {
  const price = (sku: string) => company.trade.items.find((item: TradedItem) => item.sku === sku)?.purchasePrice ?? 0
  const net = order.lines.reduce((sum, [sku, quantity]) => sum + hundredths(price(sku)) * BigInt(quantity), 0n)
  const tax = (net * BigInt(Math.round(taxOf({ company, day, kind: 'PURCHASE' }, order) * 100)) + 5_000n) / 10_000n
  const date = addDays(day, -(order.bill?.daysAgo ?? 0))
  return { amount: major(net + tax + hundredths(order.bill?.extra ?? 0)), taxAmount: major(tax), date }
}

async function completeBill(call: CallOperation, target: OrderTarget, { order, id, ofType }: Following) {
  const { organizationId, counterparties, company, day } = target
  const { amount, taxAmount, date } = billOf(company, day, order)
  const terms = company.trade.suppliers[order.of]?.paymentTermsDays ?? 30
  const [found] = ofType('EXPENSE')
  const bill =
    found ??
    (await call<Entry>('expenses_create', {
      ...{ organizationId, amount, taxAmount, date, currency: company.currency, orderId: id },
      ...{ title: `Order ${order.reference}`, vendor: order.of, supplierId: counterparties.get(order.of) },
      ...{ documentNumber: `${order.reference}/1`, dueDate: addDays(date, terms), paymentMethod: 'BANK_TRANSFER' },
    }))
  if (bill.status !== 'APPROVED') await call('expenses_status', { id: bill.id, status: 'APPROVED' })
  const { paidDaysAgo } = order.bill ?? {}
  if (paidDaysAgo !== undefined && ofType('PAYMENT').length === 0)
    await call('expenses_payments', {
      id: bill.id,
      amount,
      paidAt: addDays(day, -paidDaysAgo),
      method: 'BANK_TRANSFER',
    })
}

async function completeInvoice(call: CallOperation, { order, id, ofType }: Following) {
  const [found] = ofType('DOCUMENT')
  const invoice = found ?? (await call<{ invoice: Entry }>('orders_invoice', { id })).invoice
  if (order.invoice === 'SENT' && invoice.status === 'DRAFT')
    await call('invoices_update', { id: invoice.id, status: 'SENT' })
}
