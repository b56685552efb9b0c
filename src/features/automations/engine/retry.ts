import type { Failure } from '../../../core/define/failure.ts'
import { retryDelayMs } from '../../../core/define/job.ts'
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
