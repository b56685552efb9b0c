import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { exact, toMinor } from '../../../core/values/money.ts'
import { vendorKey } from '../suppliers/aliases.ts'
import type { ExtractedData } from './extracted-data.ts'

/** An open order to a supplier that a bill may be for. */
type OpenOrder = {
  id: string
  orderNumber: string
  status: string
  supplierId: string
  supplierName: string
  currency: string
  /** What was not billed yet, without tax. */
  unbilledMinor: number
  lines: { description: string; sku: string | null; quantity: string }[]
}

export type OrderMatch = Pick<OpenOrder, 'id' | 'orderNumber' | 'status' | 'supplierId'> & {
  reason: 'NUMBER' | 'LINES' | 'AMOUNT' | 'SUPPLIER'
}

type Bill = { data: ExtractedData; text: string; supplierId: string | null }

/**
 * The open order that a bill is for: the one whose number the bill names; else, of the orders to its supplier, the only one
 * with the items of the bill, with its amount, or with anything left to bill that covers it.
 */
export async function matchOrder(db: Database, bill: Bill): Promise<OrderMatch | null> {
  const vendor = vendorKey(bill.data.vendor ?? '')
  const all = await openOrders(db)
  const isOfVendor = ({ supplierId, supplierName }: OpenOrder) =>
    bill.supplierId ? supplierId === bill.supplierId : vendor !== '' && vendorKey(supplierName) === vendor
  const own = all.filter((order) => isOfVendor(order) && order.currency === bill.data.currency)
  const net = netMinor(bill.data)
  return (
    only(
      all.filter((order) => isOfVendor(order) && namesNumber(bill.text, order.orderNumber)),
      'NUMBER',
    ) ??
    only(
      own.filter((order) => hasItems(order, bill.data)),
      'LINES',
    ) ??
    only(
      own.filter(({ unbilledMinor }) => unbilledMinor === net),
      'AMOUNT',
    ) ??
    only(
      own.filter(({ unbilledMinor }) => net !== null && net <= unbilledMinor),
      'SUPPLIER',
    )
  )
}

function only(orders: readonly OpenOrder[], reason: OrderMatch['reason']): OrderMatch | null {
  const [order, second] = orders
  if (!order || second) return null
  const { id, orderNumber, status, supplierId } = order
  return { id, orderNumber, status, supplierId, reason }
}

/** Enough for every company that orders by hand; of more open orders the newest are compared. */
const comparedMax = 500

const openOrders = async (db: Database): Promise<OpenOrder[]> =>
  (
    await sql<OpenOrder>`select o.id, o.order_number, o.status, o.counterparty_id as supplier_id, o.counterparty_name as supplier_name, o.currency,
        (o.subtotal_minor - coalesce((select sum(d.total_minor - coalesce(e.charged_tax_minor, 0)) from expenses e
          join documents d on d.organization_id = e.organization_id and d.id = e.id
          where e.organization_id = o.organization_id and e.order_id = o.id and d.status <> 'REJECTED'), 0))::bigint as unbilled_minor,
        (select coalesce(json_agg(json_build_object('description', l.description, 'sku', i.sku, 'quantity', l.quantity) order by l.position), '[]')
          from order_lines l left join items i on i.organization_id = l.organization_id and i.id = l.item_id
          where l.organization_id = o.organization_id and l.order_id = o.id) as lines
      from orders o where o.kind = 'PURCHASE' and o.status in ('OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED')
      order by o.id desc limit ${comparedMax}`.execute(db)
  ).rows

/** Whether the number stands in the text by itself; a short number without letters is too common to tell anything. */
function namesNumber(text: string, orderNumber: string): boolean {
  const wanted = orderNumber.toUpperCase()
  if (!/\p{L}/u.test(wanted) && wanted.length < 5) return false
  const found = text.toUpperCase()
  for (let at = found.indexOf(wanted); at >= 0; at = found.indexOf(wanted, at + 1)) {
    const [before, after] = [found[at - 1] ?? ' ', found[at + wanted.length] ?? ' ']
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true
  }
  return false
}

/** Whether every item of the bill is a line of the order, by its name or SKU, and no quantity is larger than ordered. */
function hasItems({ lines }: OpenOrder, { items = [] }: ExtractedData): boolean {
  const keyed = lines.map((line) => ({ ...line, key: vendorKey(line.description) }))
  const isOrdered = ({ description, quantity }: (typeof items)[number]) =>
    keyed.some(
      (line) =>
        (line.key === vendorKey(description) || (line.sku !== null && namesNumber(description, line.sku))) &&
        (quantity === null || exact(line.quantity).gte(quantity)),
    )
  return items.length > 0 && items.every(isOrdered)
}

/** What the bill comes to without tax, in minor units. */
function netMinor({ subtotal, total, taxAmount, currency }: ExtractedData): number | null {
  const net = subtotal ?? (total == null ? null : total - (taxAmount ?? 0))
  if (net == null || !currency) return null
  const parsed = toMinor(Number(net.toFixed(6)), currency)
  return parsed.kind === 'too-large' ? null : Number(parsed.minor)
}
