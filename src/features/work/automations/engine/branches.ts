import type { EngineDependencies } from './engine-types.ts'
import { isInside } from './execute-step.ts'
import type { StopReason } from './finish-run.ts'
import type { RecordedStep, SucceededStep } from './run-record.ts'
import {
  decideBranches,
  type ReadyStep,
  type RunState,
  timeExceeded,
  withoutPlanned,
  withSucceeded,
} from './run-state.ts'

/** How many steps with effects outside the database a run executes at the same time. */
const outsideMax = 4

/** How the execution of one step ended. A step that is retried later is recorded as PENDING already. */
export type EndedStep =
  | { status: 'SUCCEEDED'; recorded: RecordedStep; succeeded: SucceededStep }
  | { status: 'RETRIED'; afterS: number }
  | { status: 'STOPPED'; reason: StopReason }

export type StartedBranch = Omit<ReadyStep, 'status'> & { recorded: RecordedStep }

/** How the engine records and executes steps. */
export type StepExecution = {
  /** Records the steps as RUNNING, together with those of the state that are not recorded yet. */
  start(state: RunState, ready: readonly ReadyStep[]): Promise<{ state: RunState; started: readonly StartedBranch[] }>
  /** Executes a step, and records its success or that it is retried later. */
  execute(state: RunState, branch: StartedBranch): Promise<EndedStep>
}

type RunningStep = { isInside: boolean; ended: Promise<EndedStep> }

/**
 * Executes the steps of independent blocks at the same time: several that have effects outside the database, and one that works
 * only in it. When a step has ended, the blocks that waited for it start. After a failure nothing new starts, and the steps
 * that are being executed are completed. Returns when at most one block is left that can go on, and nothing is being executed.
 */
export async function executeBranches(
  context: Pick<EngineDependencies, 'catalog' | 'signal'>,
  from: RunState,
  { start, execute }: StepExecution,
): Promise<{ state: RunState; stop: StopReason | undefined }> {
  const running = new Map<string, RunningStep>()
  /** Blocks whose step is retried later, and when, on the clock of `performance.now`. */
  const retried = new Map<string, number>()
  let state = from
  let stop: StopReason | undefined
  try {
    for (;;) {
      const busy = new Set([...running.keys(), ...retried.keys()])
      const { ready, exceeded, state: decided } = decideBranches(state, context, busy)
      stop ??= exceeded ?? reasonToStop(context, state, ready)
      if (running.size === 0 && (stop || ready.length === 0))
        return { state: unplanned(state), stop: stop ?? laterReason(retried) }
      if (running.size === 0 && retried.size === 0 && ready.length === 1) return { state: unplanned(state), stop }
      state = decided
      const starting = stop ? [] : withinLimits(ready, [...running.values()])
      if (starting.length > 0) {
        const { state: written, started } = await start(state, starting)
        state = written
        for (const branch of started)
          running.set(branch.planned.block.id, { isInside: isInsideStep(branch), ended: execute(state, branch) })
      }
      const { blockId, ended } = await firstEnded(running)
      running.delete(blockId)
      if (ended.status === 'SUCCEEDED')
        state = withoutPlanned(withSucceeded(state, ended.recorded, ended.succeeded), ended.recorded)
      else if (ended.status === 'RETRIED') retried.set(blockId, performance.now() + ended.afterS * 1000)
      else if (stop?.status !== 'FAILED') stop = ended.reason
    }
  } finally {
    // Nothing of the run is executed after this function has ended.
    await Promise.allSettled([...running.values()].map(({ ended }) => ended))
  }
}

/** The ordinary loop plans by itself. */
const unplanned = (state: RunState): RunState => ({ ...state, planned: [] })

const firstEnded = (running: ReadonlyMap<string, RunningStep>) =>
  Promise.race([...running].map(async ([blockId, { ended }]) => ({ blockId, ended: await ended })))

const isInsideStep = ({ planned, prepared }: Pick<ReadyStep, 'planned' | 'prepared'>) => isInside(planned, prepared)

function withinLimits(ready: readonly ReadyStep[], running: readonly RunningStep[]): ReadyStep[] {
  let inside = running.filter((step) => step.isInside).length
  let outside = running.length - inside
  return ready.filter((step) => (isInsideStep(step) ? inside++ < 1 : outside++ < outsideMax))
}

/** Why no further step may start; undefined if it may, or if none is ready. */
function reasonToStop(
  { signal }: Pick<EngineDependencies, 'signal'>,
  { deadline }: RunState,
  ready: readonly ReadyStep[],
): StopReason | undefined {
  if (ready.length === 0) return undefined
  if (signal.aborted) return { status: 'LATER', afterS: 0 }
  if (performance.now() > deadline) return timeExceeded()
  return undefined
}

/** The run continues when the first step may be retried. Undefined if none is. */
function laterReason(retried: ReadonlyMap<string, number>): StopReason | undefined {
  if (retried.size === 0) return undefined
  const afterMs = Math.min(...retried.values()) - performance.now()
  return { status: 'LATER', afterS: Math.max(0, afterMs / 1000) }
}
