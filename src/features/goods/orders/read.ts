import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { byId } from '../../../core/define/query.ts'
import { exact, toMajor } from '../../../core/values/money.ts'
import type { ListedOrder, Order, OrderLine, OrderPayload } from './order.ts'

/** A line as the query returns it. `invoiced` counts drafts too, less what was credited. */
export type LineRow = {
  id: string
  itemId: string | null
  sku: string | null
  description: string
  quantity: string
  unitPrice: string
  amountMinor: number
  taxRate: string | null
  taxCategory: string | null
  fulfilled: string
  extra: string
  invoiced: string
}

const ordersOf = (db: Database) =>
  db
    .selectFrom('orders as o')
    .select([
      'o.id', 'o.organizationId', 'o.kind', 'o.status', 'o.orderNumber', 'o.orderDate', 'o.expectedDate', 'o.currency',
      'o.subtotalMinor', 'o.taxMinor', 'o.totalMinor', 'o.reference', 'o.counterpartyId', 'o.counterpartyName', 'o.createdAt',
      'o.updatedAt',
    ]) // biome-ignore format: a list of words

/** For lists: with the number of lines. */
export const listedOrders = (db: Database) =>
  ordersOf(db).select(
    sql<number>`(select count(*) from order_lines l where l.organization_id = o.organization_id and l.order_id = o.id)`.as(
      'lineCount',
    ),
  )

const wholeOrders = (db: Database) =>
  ordersOf(db)
    .select(['o.notes', 'o.openedAt', 'o.endedAt', 'o.endReason', 'o.sentAt', 'o.createdBy'])
    .select(
      sql<
        LineRow[]
      >`(select coalesce(json_agg(json_build_object('id', l.id, 'itemId', l.item_id, 'sku', i.sku, 'description', l.description,
          'quantity', l.quantity::text, 'unitPrice', l.unit_price::text, 'amountMinor', l.amount_minor, 'taxRate', l.tax_rate::text,
          'taxCategory', l.tax_category, 'fulfilled', l.fulfilled_quantity::text, 'extra', l.extra_quantity::text,
          'invoiced', coalesce(q.invoiced - q.returned, 0)::text) order by l.position), '[]')
        from order_lines l
        left join items i on i.organization_id = l.organization_id and i.id = l.item_id
        left join invoiced_quantities(o.organization_id, o.id, false) q on q.line_id = l.id
        where l.organization_id = o.organization_id and l.order_id = o.id)`.as('lines'),
    )

export const orderById = byId((db, id) => wholeOrders(db).where('o.id', '=', id))

type HeadRow = Awaited<ReturnType<ReturnType<typeof ordersOf>['executeTakeFirstOrThrow']>>
type ListedRow = Awaited<ReturnType<ReturnType<typeof listedOrders>['executeTakeFirstOrThrow']>>
export type OrderRow = Awaited<ReturnType<ReturnType<typeof wholeOrders>['executeTakeFirstOrThrow']>>

/** Names every field, because copying rows with a spread is slow. */
function toHead(row: HeadRow) {
  const { id, organizationId, kind, status, orderNumber, orderDate, expectedDate, currency, reference } = row
  const { counterpartyId, counterpartyName, createdAt, updatedAt } = row
  const major = (minor: number) => toMajor(BigInt(minor), currency)
  const party = { id: counterpartyId, name: counterpartyName }
  const isSale = kind === 'SALES'
  return {
    id, organizationId, kind, status, orderNumber, orderDate, expectedDate, currency, reference, createdAt, updatedAt,
    subtotal: major(row.subtotalMinor),
    taxAmount: major(row.taxMinor),
    total: major(row.totalMinor),
    customerId: isSale ? counterpartyId : null,
    supplierId: isSale ? null : counterpartyId,
    customer: isSale ? party : null,
    supplier: isSale ? null : party,
  } // biome-ignore format: a list of words
}

export const toListed = (row: ListedRow): ListedOrder => ({ lineCount: row.lineCount, ...toHead(row) })

export function toOrder(row: OrderRow): Order {
  const { lines, notes, openedAt, endedAt, endReason, sentAt, createdBy } = row
  return {
    notes, openedAt, endedAt, endReason, sentAt, createdBy,
    lines: lines.map((line) => toLine(row, line)),
    isInvoiced: row.kind === 'SALES' && lines.every((line) => !toInvoice(row, line).greaterThan(0)),
    ...toHead(row),
  } // biome-ignore format: a list of words
}

/** How much of a line is left to invoice: of a closed order only what was delivered. */
export const toInvoice = ({ status }: Pick<OrderRow, 'status'>, { quantity, extra, fulfilled, invoiced }: LineRow) =>
  (status === 'CLOSED' ? exact(fulfilled) : exact(quantity).plus(exact(extra))).minus(exact(invoiced))

function toLine({ kind, currency }: Pick<OrderRow, 'kind' | 'currency'>, line: LineRow): OrderLine {
  const { id, itemId, sku, description, taxCategory } = line
  const { fulfilled, invoiced, amountMinor, quantity, unitPrice, taxRate } = line
  const isSale = kind === 'SALES'
  return {
    id, itemId, sku, description, taxCategory,
    quantity: Number(quantity),
    unitPrice: Number(unitPrice),
    amount: toMajor(BigInt(amountMinor), currency),
    taxRate: taxRate === null ? null : Number(taxRate),
    receivedQuantity: isSale ? 0 : Number(fulfilled),
    deliveredQuantity: isSale ? Number(fulfilled) : 0,
    invoicedQuantity: Number(invoiced),
    openQuantity: Math.max(0, Number(quantity) - Number(fulfilled)),
  } // biome-ignore format: a list of words
}

export const toPayload = (order: Order): OrderPayload => ({
  id: order.id,
  organizationId: order.organizationId,
  kind: order.kind,
  status: order.status,
  orderNumber: order.orderNumber,
  orderDate: order.orderDate,
  expectedDate: order.expectedDate,
  customerId: order.customerId,
  supplierId: order.supplierId,
  counterpartyName: order.customer?.name ?? order.supplier?.name ?? '',
  currency: order.currency,
  subtotal: order.subtotal,
  total: order.total,
})
