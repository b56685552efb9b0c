import type { Outside } from '../../../core/define/operation.ts'
import { sendWithoutWaiting } from '../../../core/run/connection.ts'
import { drive } from './engine.ts'

/** How long whoever tries or replays a run waits for it. */
const awaitedMs = 20_000

/** When others look whether a run that a request drove was left behind: twice the time a worker may be silent. */
export const resumeAfterS = 60

/**
 * Drives a run for a request, which is answered when the run is over, or after a while. Then the step that is under way is
 * still finished, and a worker carries the run on from there.
 */
export async function awaitRun(context: Outside, runId: string, waitMs = awaitedMs): Promise<void> {
  const signal = AbortSignal.timeout(waitMs)
  const until = performance.now() + waitMs
  const driver = { ...context, signal, end: context.tx, endThrough, patienceMs: () => until - performance.now() }
  const late = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  await Promise.race([sendWithoutWaiting(drive(driver, runId)), late])
}

/** The request itself goes on: it still has to answer. */
const endThrough = async () => () => {}
