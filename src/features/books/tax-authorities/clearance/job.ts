import { interruptionsMax, job } from '../../../../core/define/job.ts'
import { requeueJob } from '../../../../core/define/requeue-job.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { recordInterrupted } from './answer.ts'
import { attemptClearance } from './attempt.ts'
import { clearDocumentName, enqueueAttempt } from './queue.ts'
import { submitIssued } from './submit.ts'

/** Makes an attempt at the number of a document. Enqueued with its issue (submit_on_issue), with a submission and with a failure. */
export const clearDocument = job(
  clearDocumentName,
  Type.Object({ documentId: Id }),
  async (context, { documentId }) => {
    const { organizationId } = context
    if (organizationId === null) return
    if (!(await context.tx((inside) => submitIssued(inside, documentId)))) return
    if (context.interruptions >= interruptionsMax)
      return context.once((inside) => recordInterrupted(inside, documentId))
    const attempted = await attemptClearance({ ...context, organizationId }, documentId)
    if (!('heldUntil' in attempted)) return
    const runAt = new Date(Date.parse(attempted.heldUntil) + 1_000)
    await context.once(async (inside) => enqueueAttempt(inside, documentId, runAt))
  },
)

/** Enqueues submissions again whose job was lost. */
export const requeueLostClearances = requeueJob('recover-clearances', {
  job: clearDocumentName,
  requeueLost: 'requeue_lost_clearances',
})
