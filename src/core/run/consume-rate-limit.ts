import type { Operation } from '../define/operation.ts'
import type { Authorization } from './authorize.ts'
import type { Call } from './call.ts'
import { type Bucket, isShared } from './rate-limit.ts'
import type { Task } from './task.ts'

/** Counts the call against its credential and its organization, once however often it is tried. */
export async function consumeRateLimits(task: Task, { organizationId }: Authorization) {
  if (task.call.trace.allowance) return
  if (organizationId) task.onEnd.push(task.inFlight.enter('perOrganization', organizationId))
  const app = appSubject(task.call)
  if (app) task.onEnd.push(task.inFlight.enter('perCredential', app))
  await consumeOwnRateLimit(task)
  const { rate } = task.operation
  if (organizationId && isShared(rate)) task.call.trace.allowance = await task.limiter.take(rate, organizationId)
  if (organizationId) await task.limiter.take('organization', organizationId)
  if (task.checked.problem) return
  for (const { bucket, per } of task.operation.alsoRates) {
    const whose = per === 'organization' ? organizationId : String(task.call.input[per]).toLowerCase()
    if (whose) await task.limiter.take(bucket, whose)
  }
}

/** Whoever is refused pays too. */
export async function consumeOwnRateLimit({ operation, call, limiter, subject }: Task) {
  call.trace.allowance ??= await limiter.take(ownBucket(operation), appSubject(call) ?? subject)
}

/** An app gets a new token every few minutes, so it is counted as itself in one person's name. */
const appSubject = ({ trace: { clientId, userId } }: Call) => clientId && `app:${clientId} ${userId}`

/** The bucket that is the caller's own; what is counted per organization comes on top. */
export const ownBucket = ({ rate, reads }: Operation): Bucket => (isShared(rate) ? (reads ? 'reads' : 'writes') : rate)
