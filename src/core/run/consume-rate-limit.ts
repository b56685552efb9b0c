import type { Operation } from '../define/operation.ts'
import type { Authorization } from './authorize.ts'
import type { Call } from './call.ts'
import { type Bucket, isShared } from './rate-limit.ts'
import type { Task } from './task.ts'

/** Counts the call against its credential and its organization, once however often it is tried. */
export async function consumeRateLimits(task: Task, entered: Authorization) {
  const { organizationId } = entered
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
    const whose = rateLimitSubject(task.call, per, entered)
    if (whose) await task.limiter.take(bucket, whose)
  }
}

function rateLimitSubject({ input, caller }: Call, per: string, { organizationId, userId }: Authorization) {
  if (per === 'organization') return organizationId
  if (per === 'person') return userId
  return per === 'address' ? caller.origin?.rateLimitAddress : String(input[per]).toLowerCase()
}

/** Whoever is refused pays too. */
export async function consumeOwnRateLimit({ operation, call, limiter, subject }: Task) {
  call.trace.allowance ??= await limiter.take(ownBucket(operation), appSubject(call) ?? subject)
}

/** An app gets a new token every few minutes, so it is counted as itself in one person's name. */
const appSubject = ({ trace: { clientId, userId } }: Call) => clientId && `app:${clientId} ${userId}`

/** The bucket that is the caller's own; what is counted per organization comes on top. */
export const ownBucket = ({ rate, reads }: Operation): Bucket => (isShared(rate) ? (reads ? 'reads' : 'writes') : rate)
