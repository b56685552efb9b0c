import { Failure } from '../../../../core/define/failure.ts'
import type { JobContext, JobInside } from '../../../../core/define/job.ts'
import type { ReceivedDocument } from '../../../../core/outside/access-point.ts'
import type { ReadOutcome } from '../../../../core/outside/receipt-reader.ts'
import type { Environment } from '../../../../core/outside/tax-authority.ts'
import { setContext } from '../../../../core/run/transaction-context.ts'
import { newId } from '../../../../core/values/id.ts'
import { expenseOfFiles, type NewFile, type ReadSettings } from '../../../buying/scans/expense-of-files.ts'
import { personOf } from '../../../buying/scans/person-of.ts'

/** A received document, and for whom it is entered. */
export type Target = { userId: string; organizationId: string; environment: Environment; document: ReceivedDocument }

/** Who the expenses are entered for: who has entered the credentials, or else an owner of the organization. */
export async function personFor(inside: JobInside, connectionId: string): Promise<string> {
  const connection = await inside.db
    .selectFrom('taxAuthorityConnections')
    .select('createdBy')
    .where('id', '=', connectionId)
    .executeTakeFirst()
  return personOf(inside, { createdBy: connection?.createdBy ?? null, isAutomatic: true })
}

type ReadFile = { outcome: ReadOutcome; processingTimeMs: number; settings: ReadSettings; row: NewFile['row'] }

/** Rolls the transaction back: the document has an expense already. */
class Taken extends Error {
  readonly duplicate: { expenseId: string; reason: string } | undefined

  constructor(duplicate?: Taken['duplicate']) {
    super('The document has an expense already.')
    this.duplicate = duplicate
  }
}

/**
 * Makes the expense of a received document in one transaction with the note that it was taken over. A bill that was entered
 * before, by hand or from a mail, is a duplicate. What cannot be read, and credit notes, are drafts with the file attached.
 */
export async function writeReceived(context: JobContext, target: Target, read: ReadFile): Promise<void> {
  try {
    await context.tx((inside) => write(inside, target, read))
  } catch (error) {
    if (error instanceof Taken) {
      const { duplicate } = error
      if (duplicate) await context.tx((inside) => note(inside, target, { outcome: 'DUPLICATE', ...duplicate }))
      return
    }
    if (!isRefusal(error) || 'unread' in read.outcome) throw error
    const outcome = { unread: 'UNSUPPORTED_TYPE' as const, message: `The values were not taken over: ${error.message}` }
    await writeReceived(context, target, { ...read, outcome })
  }
}

/** The books refuse the values, for example because their period is locked. */
const isRefusal = (error: unknown): error is Failure =>
  error instanceof Failure && error.status < 500 && !error.details.some(({ code }) => code === 'SCAN_QUOTA')

async function write(inside: JobInside, target: Target, { row, ...read }: ReadFile) {
  const { userId, organizationId } = target
  setContext(inside.connection, { userId, organizationId })
  const files = [{ row, isRead: true, fileType: 'application/xml' }]
  const given = { ...read, userId, organizationId, origin: { source: 'SCAN' } as const, files }
  const { expenseId, result } = await expenseOfFiles(inside, given)
  const { duplicateOfId, scanStatus, scanError } = result
  if (duplicateOfId) throw new Taken({ expenseId: duplicateOfId, reason: scanError ?? '' })
  const outcome = scanStatus === 'COMPLETED' ? ('CREATED' as const) : ('UNREAD' as const)
  if (outcome === 'UNREAD') await sayWhy(inside, target, { expenseId, reason: scanError })
  if (!(await note(inside, target, { outcome, expenseId, reason: scanError }))) throw new Taken()
}

type Unread = { expenseId: string; reason: string | null }

/** The draft is empty, so it says where it came from and why. */
async function sayWhy({ db }: JobInside, { document: { sender } }: Target, { expenseId, reason }: Unread) {
  const from = sender ? ` from ${sender}` : ''
  const notes = `Received over InvoiceNow${from}. It could not be taken over: ${reason ?? 'it could not be read.'}`
  await db
    .updateTable('expenses')
    .set({ notes: notes.slice(0, 2_000) })
    .where('id', '=', expenseId)
    .execute()
}

type Noted = { outcome: 'CREATED' | 'UNREAD' | 'DUPLICATE'; expenseId: string; reason: string | null }

/** Notes that the document was taken over. False if it was before. */
async function note({ db }: JobInside, { environment, document }: Target, { outcome, expenseId, reason }: Noted) {
  const { id: accessPointId, sender, receivedAt } = document
  const noted = await db
    .insertInto('receivedEinvoices')
    .values({
      id: newId(),
      environment,
      accessPointId,
      sender,
      receivedAt,
      outcome,
      expenseId,
      reason: reason?.slice(0, 2_000) ?? null,
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'environment', 'accessPointId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}
