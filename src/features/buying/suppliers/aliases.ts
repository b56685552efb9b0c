import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'

/** A name without case, punctuation, spaces and the form of the company: how names on documents are compared. */
export const vendorKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(companyForm, '')
    .replaceAll(' ', '')

/** Legal forms at the end of a name, which print and records often leave out. */
const companyForm =
  /(?: (?:ltd|limited|inc|incorporated|llc|llp|corp|corporation|co|company|pte|sdn|bhd|plc|gmbh|בע מ|בעמ))+$/u

/**
 * Remembers under which name the documents of a supplier are read, when a person names the supplier of a scanned expense:
 * the next scan of that name finds the supplier. The last correction counts.
 */
export async function learnAlias(db: Database, { expenseId, supplierId }: { expenseId: string; supplierId: string }) {
  const { rows } = await sql<{ vendor: string | null }>`select s.extracted ->> 'vendor' as vendor from scans s
    where s.expense_id = ${expenseId}::uuid and s.status = 'COMPLETED' order by s.updated_at desc limit 1`.execute(db)
  const alias = vendorKey(rows[0]?.vendor ?? '')
  if (!alias) return
  await db
    .insertInto('supplierAliases')
    .values({ alias, supplierId })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'alias']).doUpdateSet({ supplierId, createdAt: sql`now()` }),
    )
    .execute()
}
