import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../../core/define/query.ts'
import { ById, Id, InOrganization, Type } from '../../../../core/define/schema.ts'
import { newId } from '../../../../core/values/id.ts'
import { filesMax, ScanBatch, ScanProgress } from './batch.ts'
import { batchById, progressOf, toBatch, toProgress } from './read.ts'

export const create = operation({
  name: 'expenses_scan_batch',
  http: 'POST /api/expenses/scan/batches',
  does: 'Reads many attachments of expenses in the background, each as expenses_scan does. The batch shows the progress, and scan_batch.completed is emitted at its end.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    ...InOrganization.properties,
    attachmentIds: Type.Array(Id, {
      minItems: 1,
      maxItems: filesMax,
      uniqueItems: true,
      description: 'From uploads; each once.',
    }),
  }),
  output: ScanBatch,
  status: 201,
  rate: 'uploads',
  async run({ db, audit }, { attachmentIds }) {
    const attachments = await requireAttachments(db, attachmentIds)
    const id = newId()
    const files = attachments.map((file, position) => ({ id: newId(), batchId: id, position, ...file }))
    await db.insertInto('scanBatches').values({ id, total: files.length }).execute()
    await db.insertInto('scanBatchFiles').values(files).execute()
    const fileIds = files.map((file) => file.id)
    await sql`select enqueue_scan(f) from unnest(${fileIds}::uuid[]) with ordinality w (f, n) order by n`.execute(db)
    audit({ total: files.length })
    return toBatch(await one(batchById(db, id), 'batch'))
  },
})

export const list = operation({
  name: 'expenses_scan_batches',
  http: 'GET /api/expenses/scan/batches',
  does: 'Lists batches of scans with their progress, the latest first. One batch alone also shows its files.',
  scope: 'expenses:read',
  within: 'organizationId',
  input: Type.Object({ ...InOrganization.properties, ...paging() }),
  output: Type.Object({ batches: Type.Array(ScanProgress), pagination: Pagination }),
  async run({ db }, { organizationId: _, ...page }) {
    const query = progressOf(db).orderBy('b.createdAt', 'desc').orderBy('b.id', 'desc')
    const { rows, pagination } = await paged(query, page)
    return { batches: rows.map(toProgress), pagination }
  },
})

export const get = operation({
  name: 'expenses_scan_batch_get',
  http: 'GET /api/expenses/scan/batches/{id}',
  does: 'Reads a batch of scans: how many files are done, failed and waiting, and the result of each file.',
  scope: 'expenses:read',
  within: 'scanBatches',
  input: ById,
  output: ScanBatch,
  run: async ({ db }, { id }) => toBatch(await one(batchById(db, id), 'batch')),
})

/** The attachments with the expenses that they belong to. Refuses if one is given twice, or is none of an expense. */
async function requireAttachments(db: Database, given: readonly string[]) {
  const ids = given.map((id) => toUuid(id).toLowerCase())
  const { rows } = await sql<{
    attachmentId: string
    expenseId: string
  }>`select a.id as attachment_id, e.id as expense_id
    from document_attachments a join expenses e on e.organization_id = a.organization_id and e.id = a.document_id
    where a.id = any (${ids}::uuid[])`.execute(db)
  const found = new Map(rows.map((row) => [row.attachmentId, row]))
  const wrong = ids.flatMap((id, at) => {
    const path = `attachmentIds.${at}`
    if (!found.has(id))
      return [
        { path, message: `There is no attachment ${given[at]} of an expense.`, code: 'UNKNOWN_REFERENCE' as const },
      ]
    return ids.indexOf(id) < at ? [{ path, message: `The attachment ${given[at]} is given twice.` }] : []
  })
  const [first] = wrong
  if (first) throw new Failure('VALIDATION', first.message, { details: wrong })
  return ids.flatMap((id) => found.get(id) ?? [])
}
