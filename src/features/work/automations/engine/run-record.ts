import { sql } from 'kysely'
import { conflict, Failure } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { violates } from '../../../../core/run/errors.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import type { SendStatement } from '../../../../db/wire/connection.ts'
import { type Block, type Edge, runLimits, type StepStatus } from '../automation.ts'
import type { RightsProblem, RightsRow } from '../rights.ts'
import type { Owner } from './engine-types.ts'

/** A run as its current claimant read it. */
export type ClaimedRun = {
  id: string
  organizationId: string
  automationId: string
  automationName: string
  triggerEventId: string | null
  triggerType: string | null
  trigger: Record<string, unknown>
  depth: number
  startedAt: string
  /** The fencing token: writes with an older one are refused. 0 if the run has not been claimed yet. */
  token: number
  secondsLeft: number
  blocks: Block[]
  edges: Edge[]
  ownerUserId: string
  /** Undefined if the graph may do nothing; `problem` is the reason. */
  owner: Owner | undefined
  problem: RightsProblem | null
  timezone: string
  steps: RecordedStep[]
}

export type OwnedRun = ClaimedRun & { owner: Owner }

export type RecordedStep = {
  id: string
  blockId: string
  element: number
  elementKey: string
  status: StepStatus
  attempt: number
  ref?: string | null
  /** The feature whose data the step holds, if known. */
  feature: string | null
  output: unknown
  isTruncated: boolean
}

type RunRow = Omit<ClaimedRun, 'owner' | 'steps'> & RightsRow

const timeLimit = `make_interval(mins => ${runLimits.minutesMax})`

/**
 * The run, its graph and the rights of the graph, as the claimant needs them. `run` is a table or subquery. The columns have the
 * names of the fields, because a preloaded run is read as JSON.
 */
const selectRunText = (run: string) => `
    select r.id, r.organization_id as "organizationId", r.automation_id as "automationId", r.depth, r.token,
      r.trigger_event_id as "triggerEventId", r.trigger_type as "triggerType", r.input as trigger, r.started_at as "startedAt",
      extract(epoch from coalesce(r.deadline - now(), ${timeLimit}))::float8 as "secondsLeft", a.name as "automationName",
      g.blocks, g.edges, a.owner_user_id as "ownerUserId", o.timezone, x.role, x.scopes, x.problem
    from ${run} r join automations a on a.organization_id = r.organization_id and a.id = r.automation_id
    join automation_graphs g on g.organization_id = r.organization_id and g.id = r.graph_id
    join organizations o on o.id = r.organization_id, rights_of_graph(r.organization_id, r.graph_id, r.started_by) x`

/** Adds to the row that was just read. */
function toRun(read: unknown, steps: RecordedStep[]): ClaimedRun {
  const row = read as RunRow // the columns above
  const { role, scopes, ownerUserId } = row
  return Object.assign(row, { steps, owner: role ? { userId: ownerUserId, rights: { role, scopes } } : undefined })
}

const unclaimedText = selectRunText(
  "(select * from automation_runs where id = $1 and status = 'RUNNING' and token = 0)",
)

/**
 * Reads a RUNNING run that was never claimed: its token is 0 and it has no steps. Whoever writes first claims it
 * (`advanceRun`). Undefined if the run was claimed, has ended or was deleted.
 */
export async function readUnclaimedRun(ask: SendStatement, runId: string): Promise<ClaimedRun | undefined> {
  const [row] = (await ask(unclaimedText, [runId])).rows
  return row && toRun(row, [])
}

/** For the job of a run: the same query, with the fetch of the job. */
export const unclaimedRunOfJob = selectRunText(`(select * from automation_runs
  where id = (j.payload ->> 'runId')::uuid and status = 'RUNNING' and token = 0
    and jsonb_exists(j.flags, 'organization:' || organization_id))`)

/** The run that was read with the fetch of its job; undefined if there is none. */
export function toUnclaimedRun(preloaded: unknown): ClaimedRun | undefined {
  if (typeof preloaded !== 'object' || preloaded === null) return undefined
  const run = toRun(preloaded, [])
  run.startedAt = new Date(run.startedAt).toISOString()
  return run
}

// The time that the run has waited for a limit does not count.
const claimText = `with run as (
    update automation_runs set token = token + 1, waiting_since = null,
      deadline = coalesce(deadline + coalesce(now() - waiting_since, '0'), now() + ${timeLimit})
    where id = $1 and status = 'RUNNING' returning *)
  ${selectRunText('run')}`

/**
 * Claims a RUNNING run. Writes of an earlier claimant are refused from now on (INV-13). Undefined if the run has ended or
 * was deleted.
 */
export async function claimRun(
  { db, ask }: { db: Database; ask: SendStatement },
  runId: string,
): Promise<ClaimedRun | undefined> {
  // A separate statement, so that it sees the steps recorded while the claim waited for the earlier claimant.
  const { claimed, steps } = await pipeline({ claimed: ask(claimText, [runId]), steps: recordedSteps(db, runId) })
  const [row] = claimed.rows
  return row && toRun(row, steps)
}

export const recordedSteps = (db: Database, runId: string): Promise<RecordedStep[]> =>
  db
    .selectFrom('automationSteps')
    .select([
      'id',
      'blockId',
      'element',
      'elementKey',
      'status',
      'attempt',
      'ref',
      'feature',
      'isTruncated',
      sql<unknown>`output`.as('output'),
    ])
    .where('runId', '=', runId)
    .orderBy('id')
    .execute()

/** A step as it is recorded when it starts, or at once if nothing is executed. */
export type NewStep = {
  id: string
  blockId: string
  element: number
  elementKey: string
  ref: string | null
  feature: string | null
  status: 'RUNNING' | 'SUCCEEDED' | 'SKIPPED'
  input: unknown
  output: unknown
  isTruncated: boolean
  warnings?: readonly Warning[]
  /** When a step that was executed before it is recorded started and ended, on the clock of `performance.now`. */
  executed?: { startedAt: number; endedAt: number }
}

type RunClaim = Pick<ClaimedRun, 'id' | 'token'>

/** The progress of a run: the step that succeeded, if any, the new steps, and whether the run has succeeded. */
export type Progress = { succeeded?: SucceededStep | undefined; newSteps: readonly NewStep[]; finished: boolean }
export type SucceededStep = {
  stepId: string
  output: unknown
  isTruncated: boolean
  feature: string | null
  warnings?: readonly Warning[]
}
export type WrittenStep = Pick<RecordedStep, 'id' | 'blockId' | 'element' | 'elementKey' | 'attempt'>

const advanceText = `select id, block_id, element, element_key, attempt
  from advance_run($1, $2, $3, $4, $5, ${timeLimit})`

/**
 * Records the progress and returns the new steps as written. Refused if the claim is lost. The first write to a run with
 * the token 0 claims it: the token is 1 from then on.
 */
export async function advanceRun(
  ask: SendStatement,
  { id, token }: RunClaim,
  { succeeded, newSteps, finished }: Progress,
): Promise<WrittenStep[]> {
  const ended = succeeded ? JSON.stringify(succeeded) : null
  const steps = newSteps.length > 0 ? JSON.stringify(newSteps.map(toRow)) : null
  const { rows } = await ask(advanceText, [id, token, ended, steps, finished])
  return rows as WrittenStep[] // the columns of the statement
}

/** A step as `advance_run` reads it. The times are relative, because the clock of the database is used (FLT-07). */
function toRow({ executed, ...step }: NewStep) {
  if (!executed) return step
  const now = performance.now()
  const msAgo = (moment: number) => Math.round(now - moment)
  return { startedMsAgo: msAgo(executed.startedAt), endedMsAgo: msAgo(executed.endedAt), ...step }
}

// The row lock keeps others from claiming the run until this transaction ends. No row is found once the claim is lost.
const claimedRunText = "select id from automation_runs where id = $1 and token = $2 and status = 'RUNNING' for share"

/** Whether the claim is still valid: the run has not ended and has not been claimed again. */
export const isStillClaimed = async (ask: SendStatement, { id, token }: RunClaim): Promise<boolean> =>
  (await ask(claimedRunText, [id, token])).affected === 1

/** Refused if the claim is lost. A new claim or a cancellation waits for the end of this transaction. */
export async function requireClaim(ask: SendStatement, claim: RunClaim): Promise<void> {
  if (!(await isStillClaimed(ask, claim))) throw claimLost()
}

/** Whether a job will continue the run. Without one, a RUNNING run would wait until `recover-runs` finds it. */
export const hasJob = async (ask: SendStatement, { id }: Pick<RunClaim, 'id'>): Promise<boolean> =>
  (await ask('select run_has_job($1) as found', [id])).rows[0]?.found === true

export const isRunning = async (ask: SendStatement, { id }: Pick<RunClaim, 'id'>): Promise<boolean> =>
  (await ask("select from automation_runs where id = $1 and status = 'RUNNING'", [id])).affected === 1

const failStepText = `update automation_steps s set status = $4, error = $5, attempt = s.attempt + $6,
    finished_at = clock_timestamp(), latency_ms = milliseconds_since(s.started_at)
  from (${claimedRunText}) run where s.run_id = run.id and s.id = $3 and s.status = 'RUNNING'`

/** Records a failed attempt: PENDING if the step is retried, FAILED otherwise. */
export async function failStep(
  ask: SendStatement,
  { id, token }: RunClaim,
  step: { id: string; error: string; retry: boolean },
) {
  const values = [id, token, step.id, step.retry ? 'PENDING' : 'FAILED', step.error, step.retry ? 1 : 0]
  const { affected } = await ask(failStepText, values)
  if (affected !== 1) throw claimLost()
}

// While the execution sleeps, the run is not claimed again: its time limit is extended at once.
const waitText = `with run as (
    update automation_runs set deadline = case when $6 then deadline + make_interval(secs => $5) else deadline end,
      waiting_since = case when not $6 then now() end
    where id = $1 and token = $2 and status = 'RUNNING' returning id)
  update automation_steps s set status = 'PENDING', error = $4, waits_until = now() + make_interval(secs => $5),
    finished_at = clock_timestamp(), latency_ms = milliseconds_since(s.started_at)
  from run where s.run_id = run.id and s.id = $3 and s.status = 'RUNNING'`

/** Records that a step waits its turn. The attempt does not count. `isAsleep` if this execution continues it. */
export async function makeStepWait(
  ask: SendStatement,
  { id, token }: RunClaim,
  step: { id: string; error: string; waitS: number; isAsleep: boolean },
) {
  const { affected } = await ask(waitText, [id, token, step.id, step.error, step.waitS, step.isAsleep])
  if (affected !== 1) throw claimLost()
}

const failRunText = `with run as (
    update automation_runs set status = 'FAILED', error = $3, finished_at = now()
    where id = $1 and token = $2 and status = 'RUNNING' returning id),
  steps as (
    update automation_steps s set status = 'FAILED', error = coalesce(s.error, $3), finished_at = now()
    from run where s.run_id = run.id and s.status in ('PENDING', 'RUNNING'))
  select id from run`

/** Ends a run as FAILED, together with its unfinished steps. Refused if the claim is lost. */
export async function failRun(ask: SendStatement, { id, token }: RunClaim, error: string): Promise<void> {
  const { affected } = await ask(failRunText, [id, token, error])
  if (affected !== 1) throw claimLost()
}

/** Enqueues the job of a run, timed by the clock of the database. It replaces a job of the run that still waits. */
export const enqueueRun = (db: Database, runId: string, afterS: number) =>
  sql`select enqueue('run-automation', jsonb_build_object('runId', ${runId}::text),
    now() + make_interval(secs => ${afterS}), ${`run:${runId}`})`.execute(db)

const claimLost = () => conflict('Another worker has claimed this run.', 'RUN_LOST')

/** Whether another execution has claimed the run or its job. */
export const isClaimLost = (error: unknown): boolean =>
  violates(error, 'run_lost') ||
  violates(error, 'job_superseded') ||
  (error instanceof Failure && error.details.some(({ code }) => code === 'RUN_LOST'))
