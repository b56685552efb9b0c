import { sql } from 'kysely'
import { invalid } from '../core/define/failure.ts'
import type { Database } from '../core/define/operation.ts'
import type { Amounts, LineInput } from './totals.ts'

export function refuseDuplicateLineIds(items: readonly { id: string }[]) {
  const seen = new Set<string>()
  for (const [at, { id }] of items.entries()) {
    if (seen.has(id)) throw invalid(`items.${at}.id`, `Two lines have the id ${id}.`, 'DUPLICATE_LINE')
    seen.add(id)
  }
}

/** Inserts any number of lines with the same statement, so that it is prepared once. */
export function insertLines(db: Database, documentId: string, items: readonly LineInput[], { lines }: Amounts) {
  const rows = items.map(({ id, itemId, description, taxCategory }, at) => ({
    position: at,
    id,
    item_id: itemId,
    description,
    tax_category: taxCategory,
    quantity: lines[at]?.quantity,
    unit_price: lines[at]?.unitPrice,
    tax_rate: lines[at]?.taxRate,
    amount_minor: String(lines[at]?.amount),
    discount_percent: lines[at]?.discountPercent,
    discount_minor: lines[at]?.discountMinor,
  }))
  const given = sql`from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (position integer, id text, item_id text, description text,
      quantity numeric, unit_price numeric, amount_minor bigint, tax_rate numeric, tax_category text,
      discount_percent numeric, discount_minor bigint)`
  // two statements, because most lines name no item and the join would cost each of them
  const hasItems = items.some(({ itemId }) => itemId)
  const item = hasItems ? sql`i.id` : sql`null::uuid`
  const join = hasItems
    ? sql`left join items i on i.id = case when l.item_id ~* ${uuidPattern} then l.item_id::uuid end`
    : sql``
  return sql`insert into document_lines
      (document_id, position, id, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category,
       discount_percent, discount_minor, catalog_item_id)
    select ${documentId}::uuid, l.position, l.id, l.item_id, l.description, l.quantity, l.unit_price, l.amount_minor, l.tax_rate, l.tax_category,
       l.discount_percent, l.discount_minor, ${item}
    ${given} ${join}`.execute(db)
}

const uuidPattern = sql.lit('^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')
