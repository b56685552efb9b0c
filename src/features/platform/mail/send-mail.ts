import { job } from '../../../core/define/job.ts'
import { requeueJob } from '../../../core/define/requeue-job.ts'
import { attemptDelivery } from './attempt.ts'
import { SendMail, sendMailName } from './delivery.ts'

/**
 * Makes an attempt at a delivery, and schedules the next one. The outcome is recorded even if another worker has taken over
 * the job, because a sent message cannot be taken back.
 */
export const sendMail = job(sendMailName, SendMail, async (context, { deliveryId }) => {
  const attempted = await attemptDelivery(context, { id: deliveryId, organizationId: context.organizationId })
  if (!attempted) return
  if ('heldUntil' in attempted) {
    const runAt = new Date(Date.parse(attempted.heldUntil) + 1_000)
    return context.once(async ({ enqueue }) => enqueue(sendMailName, { deliveryId }, { runAt }))
  }
  const { next, counted, cause } = attempted
  if (counted && next.status === 'QUEUED') throw new Error(next.reason, { cause }) // the worker tries again
})

/** Requeues deliveries whose job was lost. */
export const requeueLostMail = requeueJob('recover-mail', { job: sendMailName, requeueLost: 'requeue_lost_mail' })
