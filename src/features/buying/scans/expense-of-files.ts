import { sql } from 'kysely'
import type { JobInside } from '../../../core/define/job.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { insertAttachment } from '../../../ledger/attachments.ts'
import type { storeFile } from '../../platform/files/store.ts'
import { expenseContext } from '../expenses/expense-context.ts'
import { createForUpload } from '../expenses/writing/create.ts'
import { allowanceOf } from './quota.ts'
import { type ReadScan, writeScan } from './scan.ts'
import type { Asked } from './scan-result.ts'

/** What has to be known to read files for an organization and to write what was read. */
export type ReadSettings = Pick<Asked, 'organization' | 'allowance'>

/** A stored file whose row is written with the expense. `isRead`: the expense is filled in from this one. */
export type NewFile = { row: Awaited<ReturnType<typeof storeFile>>['row']; isRead: boolean; fileType: string }

type Given = Pick<ReadScan, 'outcome' | 'processingTimeMs'> & {
  userId: string
  organizationId: string
  origin: Parameters<typeof createForUpload>[1]
  settings: ReadSettings
  files: readonly NewFile[]
}

/** Makes an expense of files that arrived without a person, and fills it in with what was read, in the transaction given. */
export async function expenseOfFiles(inside: JobInside, given: Given) {
  const { userId, organizationId, origin, settings, files, outcome, processingTimeMs } = given
  const who = Promise.resolve({ userId, scopes: null })
  const expenseId = await createForUpload({ ...inside, who }, origin)
  await checkNewExpense(inside)
  const asked: Asked = { ...settings, attachmentId: '', expenseId, organizationId, fileType: '', storageKey: '' }
  for (const [at, { row, isRead, fileType }] of files.entries()) {
    const file = await row(inside)
    const id = await insertAttachment(inside.db, { documentId: expenseId, position: at + 1, userId, file })
    if (isRead) Object.assign(asked, { attachmentId: id, fileType })
  }
  const result = await writeScan({ ...inside, who }, { asked, outcome, processingTimeMs })
  return { expenseId, result }
}

/** The new expense is checked as it is now: its supplier is found in the same transaction, and the check compares both. */
async function checkNewExpense({ db }: JobInside) {
  await sql`set constraints guard_expense_parties immediate`.execute(db)
  await sql`set constraints guard_expense_parties deferred`.execute(db)
}

/** What has to be known to read files, and whether the month has no scan left. */
export async function readSettings({ db }: Pick<JobInside, 'db'>): Promise<ReadSettings & { isUsedUp: boolean }> {
  const { settings, organization } = await pipeline({
    settings: db.selectFrom('organizationSettings').select('plan').executeTakeFirst(),
    organization: expenseContext(db),
  })
  const allowance = allowanceOf({ ...organization, plan: settings?.plan ?? null }, new Date())
  const usage = await db
    .selectFrom('scanUsage')
    .select('used')
    .where('period', '=', allowance.period)
    .executeTakeFirst()
  return { organization, allowance, isUsedUp: (usage?.used ?? 0) >= allowance.limit }
}
