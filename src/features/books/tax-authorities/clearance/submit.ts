import { conflict } from '../../../../core/define/failure.ts'
import type { Inside } from '../../../../core/define/operation.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { connectionStatus } from '../connection.ts'
import { type ClearedDocument, readClearance } from './clearance.ts'
import { enqueueAttempt } from './queue.ts'

export type SubmitContext = Pick<Inside, 'db' | 'enqueue'>

/** What a person asked for, and who. */
type Asked = { documentId: string; action: 'submit' | 'retry'; userId: string }

/** Later than the call that submits gives up: normally it records the answer itself. */
const takeOverAfterMs = 40_000

/**
 * Records that a document is to be submitted, before anything is sent; a job takes over if this process ends. Returns why it
 * is not submitted, or undefined if it is.
 */
export async function submitDocument(
  { db, enqueue }: SubmitContext,
  { documentId, action, userId }: Asked,
): Promise<string | undefined> {
  await lockDocument(db, documentId)
  const found = await readClearance(db, documentId)
  const { row, clearance, integration } = found
  const status = row.vatAllocationNumber !== null ? 'APPROVED' : clearance?.status
  if (action === 'retry' && status !== 'REJECTED' && status !== 'ERROR')
    throw conflict('Only a submission that was rejected or has failed can be repeated.', 'STATUS')
  const obstacle = obstacleOf(found, action)
  if (obstacle !== undefined) return obstacle
  if (!integration || !(await connectionStatus(db, integration.integrationId)))
    return 'The organization has entered no credentials for the tax authority. Enter them first, or enter a number by hand.'
  await recordSubmission({ db, enqueue }, { found, authority: integration.integrationId, userId })
  enqueueAttempt({ enqueue }, documentId, new Date(Date.now() + takeOverAfterMs))
  return undefined
}

/** Why a document is not submitted, whatever the credentials are. An approved one never is again. */
function obstacleOf(
  { row, clearance, integration, required }: ClearedDocument,
  action: Asked['action'],
): string | undefined {
  if (row.vatAllocationNumber !== null) return 'The document has a number.'
  if (!required)
    return integration?.isReport
      ? 'The document is valid without a report. Invoices to businesses are reported if the organization has entered credentials of an access point.'
      : 'The document needs no number of the tax authority.'
  if (row.status === 'DRAFT') return 'The document is a draft. Issue it first.'
  if (clearance?.status === 'REJECTED' && action === 'submit')
    return 'The tax authority has rejected the document. Use the action retry to ask again.'
  return undefined
}

/** Submits a document that was issued while the organization wants that. Returns whether there is something to do. */
export async function submitIssued({ db, enqueue }: SubmitContext, documentId: string): Promise<boolean> {
  await lockDocument(db, documentId)
  const found = await readClearance(db, documentId)
  if (found.clearance) return found.clearance.status === 'PENDING' || found.clearance.status === 'ERROR'
  const settings = await db.selectFrom('organizationSettings').select('clearOnIssue').executeTakeFirst()
  if (!settings?.clearOnIssue || !found.integration || obstacleOf(found, 'submit') !== undefined) return false
  await recordSubmission({ db, enqueue }, { found, authority: found.integration.integrationId, userId: null })
  return true
}

type Submission = { found: ClearedDocument; authority: string; userId: string | null }

/** A new submission, or the same one again: it keeps its request id, so the authority recognizes it. */
async function recordSubmission({ db }: SubmitContext, { found, authority, userId }: Submission) {
  const { row, clearance } = found
  if (clearance?.status === 'PENDING') return
  if (clearance)
    await db
      .updateTable('clearances')
      .set({
        status: 'PENDING',
        decidedAt: null,
        error: null,
        reasons: '[]',
        nextAttemptAt: null,
        ...(clearance.status === 'REJECTED' && { request: null }), // the data may have been corrected
      })
      .where('documentId', '=', row.id)
      .execute()
  else await db.insertInto('clearances').values({ documentId: row.id, authority, environment: null }).execute()
  await appendHistory(db, row.id, 'CLEARANCE_SUBMITTED', { authority, ...(userId !== null && { userId }) })
}
