import type { Inside, Pool } from '../../../../core/define/operation.ts'
import type { ClearBeforeOriginal } from '../../../../core/define/services.ts'
import type { ClearanceHandlers } from '../../../../core/outside/clearance.ts'
import type { TaxAuthorities } from '../../../../core/outside/tax-authority.ts'
import { sendWithoutWaiting } from '../../../../core/run/connection.ts'
import { enqueueJob, insertEvent } from '../../../../core/run/record.ts'
import { withTransaction } from '../../../../core/run/transaction-context.ts'
import type { Secrets } from '../../../../core/secrets/secrets.ts'
import { newId } from '../../../../core/values/id.ts'
import type { BorrowedConnection } from '../../../../db/pool.ts'
import { attemptOrWait } from './attempt.ts'
import { submitIssued } from './submit.ts'

type Dependencies = {
  confined: Pool
  secrets: Secrets
  taxAuthorities: TaxAuthorities
  clearanceHandlers: ClearanceHandlers
  subscriberJobs: (type: string) => string[]
}

/** How long a print waits for the authority. After that it is printed without the number, which copies show later. */
const waitMs = 10_000

/**
 * Requests the number of a document that was submitted, or is to be submitted when it is issued. If the authority is not
 * available, the law allows to issue the document and to request the number later, so nothing is refused here.
 */
export const createClearBeforeOriginal =
  ({ confined, subscriberJobs, ...dependencies }: Dependencies): ClearBeforeOriginal =>
  async (organizationId, documentId) => {
    const tx = <T>(work: (inside: RecordInside) => Promise<T>): Promise<T> =>
      withTransaction(confined, { organizationId }, (borrowed) => work(insideOf(borrowed, subscriberJobs)))
    const isSubmitted = await tx((inside) => submitIssued(inside, documentId))
    if (!isSubmitted) return
    await attemptOrWait({ ...dependencies, tx, organizationId, ms: waitMs }, documentId)
  }

type RecordInside = Pick<Inside, 'db' | 'emit' | 'enqueue'>

function insideOf(
  { db, connection }: BorrowedConnection,
  subscriberJobs: Dependencies['subscriberJobs'],
): RecordInside {
  const cause = { source: 'PRINT', requestId: newId(), userId: null, keyId: null, depth: 1 }
  return {
    db,
    emit: (event, payload, more) =>
      void sendWithoutWaiting(
        insertEvent(connection, event, payload, { cause: { ...cause, ...more }, subscriberJobs }),
      ),
    enqueue: (name, payload, when) => void sendWithoutWaiting(enqueueJob(connection, name, payload, when)),
  }
}
