import type { Failure } from '../../../core/define/failure.ts'
import { retryDelayMs } from '../../../core/define/job.ts'
import type { Claimed } from './run-record.ts'

/** Whoever tries a run by hand waits for it. */
const quickDelaysMs = [200, 1_000]
const retryAfterMaxS = 600

/** Whether others hold what was asked for just now. */
export const isBusy = ({ status, details }: Pick<Failure, 'status' | 'details'>): boolean =>
  status === 409 && details.some(({ code }) => code === 'BUSY' || code === 'IDEMPOTENCY_IN_PROGRESS')

/** How long to wait before the next try; undefined when there is none: most refusals would be the same again. */
export function retryAfterMs(
  { triggerEventId }: Pick<Claimed, 'triggerEventId'>,
  attempt: number,
  { status, details, retryAfterS }: Pick<Failure, 'status' | 'details' | 'retryAfterS'>,
): number | undefined {
  if (status < 500 && status !== 429 && !isBusy({ status, details })) return undefined
  if (triggerEventId === null) return quickDelaysMs[attempt - 1]
  const delayMs = retryDelayMs(attempt)
  return delayMs && Math.max(delayMs, Math.min(retryAfterS ?? 0, retryAfterMaxS) * 1000)
}
