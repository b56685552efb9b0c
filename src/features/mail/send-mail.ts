import { job } from '../../core/define/job.ts'
import { requeueJob } from '../../core/define/requeue-job.ts'
import { attemptDelivery } from './attempt.ts'
import { SendMail, sendMailName } from './delivery.ts'

/**
 * Makes an attempt at a delivery, and orders the next one.
 *
 * The outcome is recorded whether or not the job is still this worker's: a message that went out has gone out.
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

/** Orders deliveries again that wait and whose order was lost. */
export const requeueLostMail = requeueJob('recover-mail', 'requeue_lost_mail')
