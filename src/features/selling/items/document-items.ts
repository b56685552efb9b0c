import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { toUuid } from '../../../core/define/query.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'

type Line = { itemId?: string | null }

const itemIds = (lines: readonly Line[]) => [...new Set(lines.flatMap(({ itemId }) => (itemId ? [itemId] : [])))]

/**
 * Refuses lines that name an item which does not exist. What lines of this document named before stays, since lines from the
 * time before there were items may name anything. One statement, and none if no line names an item.
 */
export async function checkItems(
  db: Database,
  lines: readonly Line[] | undefined,
  stored: (db: Database) => Promise<readonly Line[]> = async () => [],
) {
  const wanted = itemIds(lines ?? [])
  if (!lines || wanted.length === 0) return
  const { found, before } = await pipeline({
    found: db
      .selectFrom('items')
      .select('id')
      .where('id', '=', sql<string>`any (${wanted.map(toUuid)}::uuid[])`)
      .execute(),
    before: stored(db),
  })
  const known = new Set([...found.map(({ id }) => id), ...itemIds(before)])
  const missing = lines.findIndex(({ itemId }) => itemId && !known.has(itemId) && !known.has(itemId.toLowerCase()))
  if (missing >= 0) throw invalid(`items.${missing}.itemId`, 'The item does not exist.', 'UNKNOWN_REFERENCE')
}

/** The lines that a document has, for `checkItems`. */
export const storedLines = (documentId: string) => (db: Database) =>
  db.selectFrom('documentLines').select('itemId').where('documentId', '=', documentId).execute()

type Issued = { id: string; status: string; documentType: string; items: readonly Line[] }

/**
 * Warnings about goods of which more leaves the stock than there was. The stock moves when the transaction ends; this moves it
 * now, to know what is left. One round trip, and none if no line names an item.
 */
export async function stockWarnings(db: Database, { id, status, documentType, items }: Issued): Promise<Warning[]> {
  const moves = status !== 'DRAFT' && (documentType === 'INVOICE' || documentType === 'INVOICE_RECEIPT')
  if (!moves || itemIds(items).length === 0) return []
  const { negative } = await pipeline({
    moved: sql`set constraints move_stock_of_new, move_stock_of_issued immediate`.execute(db),
    negative: negativeItems(db, id),
    later: sql`set constraints move_stock_of_new, move_stock_of_issued deferred`.execute(db),
  })
  return negative.map(({ name, quantity, lineId }) => {
    const path = `items.${items.findIndex((line) => (line as { id?: string }).id === lineId)}.quantity`
    return negativeStock(path, name, quantity)
  })
}

export const negativeStock = (path: string, name: string, quantity: string | number): Warning => ({
  code: 'NEGATIVE_STOCK',
  path,
  message: `The stock of ${name} is ${Number(quantity)} now: more left it than came in.`,
})

const negativeItems = async (db: Database, documentId: string) =>
  (
    await sql<{ name: string; quantity: string; lineId: string }>`
    select i.name, s.quantity, min(l.id) as line_id
    from document_lines l
    join items i on i.organization_id = l.organization_id and i.id = l.catalog_item_id and i.tracked
    join stock_levels s on s.organization_id = i.organization_id and s.item_id = i.id and s.quantity < 0
    where l.document_id = ${documentId} group by i.id, i.name, s.quantity order by min(l.position)`.execute(db)
  ).rows
