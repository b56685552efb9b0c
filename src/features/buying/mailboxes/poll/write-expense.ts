import type { JobContext, JobInside } from '../../../../core/define/job.ts'
import type { ReadOutcome } from '../../../../core/outside/receipt-reader.ts'
import { storeFile } from '../../../platform/files/store.ts'
import { expenseOfFiles, type NewFile, type ReadSettings } from '../../scans/expense-of-files.ts'
import { broughtBefore, type MailDocument } from './known-messages.ts'
import { type ClaimedRun, hold } from './run-lease.ts'
import { insertOutcomes, notePlace, rememberMessage, type SeenMessage, type Verdict } from './verdict.ts'

/** A document whose values were read, and the other files of the message, which are attached too. */
export type ReadMail = {
  files: readonly MailDocument[]
  chosen: MailDocument
  outcome: ReadOutcome
  processingTimeMs: number
  settings: ReadSettings
}

/** No expense is made of the message after all; the transaction is rolled back. */
export class NotWritten extends Error {
  readonly verdict: Verdict

  constructor(verdict: Verdict) {
    super(verdict.reason ?? verdict.outcome)
    this.verdict = verdict
  }
}

/**
 * Makes the expense of a message, with its files and what was read, and says so in the log: all in one transaction, so that a
 * poll that is interrupted and repeated makes it once. Throws NotWritten if the document is known already.
 */
export async function writeExpense(context: JobContext, run: ClaimedRun, message: SeenMessage, mail: ReadMail) {
  const files: NewFile[] = []
  for (const file of mail.files) {
    const { name: fileName, contentType: fileType, size, hash: sha256, path } = file
    const upload = { fileName, fileType, declaredType: null, size, sha256, path }
    const { row } = await storeFile(context, upload, 'expense-attachment')
    files.push({ row, isRead: file === mail.chosen, fileType })
  }
  await context.tx(async (inside) => {
    await hold(inside, run)
    const created: Verdict = { outcome: 'CREATED', reason: null, isDetected: true }
    if (!(await rememberMessage(inside, run, { message, verdict: created }))) throw new NotWritten(broughtBefore(null))
    await takeDocuments(inside, message, mail)
    const origin = { source: 'EMAIL', emailMessageId: message.messageId } as const
    const { expenseId, result } = await expenseOfFiles(inside, { ...mail, ...run, origin, files })
    if (result.scanStatus === 'FAILED') throw new NotWritten(refused(result))
    await inside.db.updateTable('mailMessages').set({ expenseId }).where('key', '=', message.key).execute()
    await notePlace(inside, run, message)
    await insertOutcomes(inside, run, [{ ...message, ...created, reason: otherDocuments(mail), expenseId }])
  })
}

/** Notes that this message brought the documents. If another one was faster with all of them, it is a duplicate. */
async function takeDocuments({ db }: JobInside, message: SeenMessage, { files }: ReadMail) {
  const taken = await db
    .insertInto('mailDocuments')
    .values(files.map(({ key }) => ({ hash: key, messageKey: message.key })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .execute()
  if (taken.length === 0) throw new NotWritten(broughtBefore(null))
}

const refused = ({
  duplicateOfId,
  scanError,
}: {
  duplicateOfId: string | null
  scanError: string | null
}): Verdict => ({
  outcome: duplicateOfId ? 'DUPLICATE' : 'DROPPED_NO_DATA',
  reason: scanError,
  isDetected: true,
  expenseId: duplicateOfId,
})

/** One message makes one expense. If it has more documents, somebody should look. */
function otherDocuments({ files, chosen }: ReadMail): string | null {
  if (files.length === 1) return null
  return `The message has ${files.length} documents. The expense was filled in from ${chosen.name}; all are attached to it.`
}
