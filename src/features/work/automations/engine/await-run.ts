import type { Outside } from '../../../../core/define/operation.ts'
import { sendWithoutWaiting } from '../../../../core/run/connection.ts'
import { timeLimit } from '../../../../core/values/time-limit.ts'
import { executeRun } from './engine.ts'

/** How long a request to test or replay a run waits for its end. */
const waitMaxMs = 20_000

/** When a worker takes over a run that a request abandoned: twice the time after which a silent worker counts as dead. */
export const resumeAfterS = 60

/**
 * Executes a run within a request. Returns when the run has ended or `waitMs` have passed. In the latter case the current
 * step is still completed, and a worker continues the run after it.
 */
export async function awaitRun(context: Outside, runId: string, waitMs = waitMaxMs): Promise<void> {
  const signal = timeLimit(waitMs)
  const waitUntil = performance.now() + waitMs
  const maxWaitMs = () => waitUntil - performance.now()
  const { tx, heavyTx } = context
  const reads = { read: tx, readFiltered: heavyTx }
  const runContext = { ...context, ...reads, lastTransaction: tx, isRepeated: false, signal, endThrough, maxWaitMs }
  const timeout = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  await Promise.race([sendWithoutWaiting(executeRun(runContext, runId)), timeout])
}

/** A request does not end with the run: it still has to answer. */
const endThrough = async () => () => {}
