import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { vendorKey } from '../suppliers/aliases.ts'

type Read = { expenseId: string; documentNumber: string | null; vendor: string | null; supplierId: string | null }

/**
 * The expense that has the document already: the same number of the same vendor (INV-16). The first scan takes the number;
 * a second one at the same time waits for it. Rejected expenses do not count, so that a bill can be entered again.
 */
export async function duplicateOf(db: Database, read: Read): Promise<string | null> {
  const { expenseId, documentNumber, vendor, supplierId } = read
  const key = supplierId ? `supplier:${supplierId}` : vendor && vendorKey(vendor) && `name:${vendorKey(vendor)}`
  if (!documentNumber || !key) return null
  const { rows: entered } = await sql<{ id: string }>`select e.id
    from expenses e join documents d on d.organization_id = e.organization_id and d.id = e.id
    where e.document_number = ${documentNumber} and e.id <> ${expenseId}::uuid and d.status <> 'REJECTED'
      and (e.supplier_id = ${supplierId}::uuid or lower(e.vendor) = lower(${vendor}::text))
    order by 1 limit 1`.execute(db)
  if (entered[0]) return entered[0].id
  await db
    .insertInto('scannedDocuments')
    .values({ vendorKey: key, documentNumber, expenseId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { rows: scanned } = await sql<{ id: string }>`select d.id from scanned_documents s
      join documents d on d.organization_id = s.organization_id and d.id = s.expense_id and d.status <> 'REJECTED'
    where s.vendor_key = ${key} and s.document_number = ${documentNumber} and s.expense_id <> ${expenseId}::uuid`.execute(
    db,
  )
  return scanned[0]?.id ?? null
}

/** Another attachment with the same bytes: a warning, since a copy may belong to another expense. */
export async function sameFileWarnings(db: Database, attachmentId: string): Promise<Warning[]> {
  const { rows } = await sql<{ expenseId: string }>`select e.id as expense_id
    from document_attachments a join files f on f.organization_id = a.organization_id and f.id = a.file_id
      join files other on other.organization_id = f.organization_id and other.sha256 = f.sha256
      join document_attachments b on b.organization_id = a.organization_id and b.file_id = other.id and b.id <> a.id
      join expenses e on e.organization_id = b.organization_id and e.id = b.document_id
    where a.id = ${attachmentId}::uuid order by b.created_at, b.id limit 1`.execute(db)
  return rows.map(({ expenseId }) => ({
    code: 'SAME_FILE',
    path: 'attachmentId',
    message: `The same file is attached to the expense ${expenseId}. Is it the same bill?`,
  }))
}
