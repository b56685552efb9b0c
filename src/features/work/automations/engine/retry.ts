import type { Failure } from '../../../../core/define/failure.ts'
import { retryDelayMs } from '../../../../core/define/job.ts'
import { NotYetDue } from '../../../../core/run/rate-limit.ts'
import type { ClaimedRun } from './run-record.ts'

/** Shorter delays for a test run, because a person waits for it. */
const testDelaysMs = [200, 1_000]
const retryAfterMaxS = 600

/** Whether another transaction or request currently holds what the step needs. */
export const isBusy = ({ status, details }: Pick<Failure, 'status' | 'details'>): boolean =>
  status === 409 && details.some(({ code }) => code === 'BUSY' || code === 'IDEMPOTENCY_IN_PROGRESS')

/** The delay before the next attempt. Undefined if there is none: most refusals would be repeated. */
export function retryAfterMs(
  { triggerEventId }: Pick<ClaimedRun, 'triggerEventId'>,
  attempt: number,
  { status, details, retryAfterS }: Pick<Failure, 'status' | 'details' | 'retryAfterS'>,
): number | undefined {
  if (status < 500 && status !== 429 && !isBusy({ status, details })) return undefined
  if (triggerEventId === null) return testDelaysMs[attempt - 1]
  const delayMs = retryDelayMs(attempt)
  return delayMs && Math.max(delayMs, Math.min(retryAfterS ?? 0, retryAfterMaxS) * 1000)
}

/**
 * How long a step waits its turn after a limit of Kontor itself refused it: a rate limit, too many calls at once, or the mail
 * of a person or recipient. Undefined for any other failure, also a 429 of an outside target, which is a failed attempt.
 * A step that has taken its tokens in advance waits exactly; others come back at different times.
 */
export function turnAfterMs(failure: Failure, random = Math.random()): number | undefined {
  if (failure instanceof NotYetDue) return failure.waitMs
  const { code, details, retryAfterS = 1 } = failure
  if (code !== 'RATE_LIMIT' || details.some((detail) => detail.code === 'LIMIT_EXCEEDED')) return undefined
  return Math.round(1000 * (retryAfterS * (1 + random / 2) + random))
}
