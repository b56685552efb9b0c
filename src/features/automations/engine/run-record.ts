import { sql } from 'kysely'
import type { Role } from '../../../core/define/access.ts'
import { conflict, Failure } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { violates } from '../../../core/run/errors.ts'
import type { SendStatement } from '../../../db/connection.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { type Block, type Edge, limits, type StepStatus } from '../automation.ts'
import type { Owner } from './engine-types.ts'

/** A run in the hands of whoever claimed it last. */
export type Claimed = {
  id: string
  organizationId: string
  automationId: string
  automationName: string
  triggerEventId: string | null
  triggerType: string | null
  trigger: Record<string, unknown>
  depth: number
  startedAt: string
  /** The fencing token: writes with an older one are refused. */
  token: number
  secondsLeft: number
  blocks: Block[]
  edges: Edge[]
  ownerUserId: string
  /** Undefined when they no longer belong to the organization. */
  owner: Owner | undefined
  timezone: string
  steps: RecordedStep[]
}

export type OwnedRun = Claimed & { owner: Owner }

export type RecordedStep = {
  id: string
  blockId: string
  element: number
  status: StepStatus
  attempt: number
  /** Whose data it holds, if that is known. */
  feature: string | null
  output: unknown
}

/**
 * Claims a run that is under way, from whoever had it before: from now on their writes are refused (INV-13). Undefined
 * when it is over, or gone.
 */
export async function claim(db: Database, runId: string): Promise<Claimed | undefined> {
  const claiming = sql<Omit<Claimed, 'owner' | 'steps'> & { role: Role | null }>`
    with run as (
      update automation_runs set token = token + 1,
        deadline = coalesce(deadline, now() + make_interval(mins => ${limits.minutesMax}))
      where id = ${runId} and status = 'RUNNING' returning *)
    select r.id, r.organization_id, r.automation_id, r.trigger_event_id, r.trigger_type, r.input as trigger, r.depth,
      r.started_at, r.token, extract(epoch from r.deadline - now())::float8 as seconds_left,
      a.name as automation_name, a.blocks, a.edges, a.owner_user_id, o.timezone, m.role
    from run r join automations a on a.organization_id = r.organization_id and a.id = r.automation_id
    join organizations o on o.id = r.organization_id
    left join (memberships m join users u on u.id = m.user_id and u.disabled_at is null)
      on m.organization_id = r.organization_id and m.user_id = a.owner_user_id`.execute(db)
  // A statement of its own: it sees what was recorded while the claim waited for whoever had the run.
  const {
    claimed: { rows },
    steps,
  } = await pipeline({
    claimed: claiming,
    steps: stepsOf(db, runId),
  })
  const [run] = rows
  if (!run) return undefined
  const { role, ...rest } = run
  return { ...rest, steps, owner: role ? { userId: run.ownerUserId, role } : undefined }
}

export const stepsOf = (db: Database, runId: string): Promise<RecordedStep[]> =>
  db
    .selectFrom('automationSteps')
    .select(['id', 'blockId', 'element', 'status', 'attempt', 'feature', sql<unknown>`output`.as('output')])
    .where('runId', '=', runId)
    .orderBy('id')
    .execute()

/** A step as it is written down when it begins, or is passed over. */
export type Begun = {
  id: string
  blockId: string
  element: number
  ref: string | null
  feature: string | null
  status: 'RUNNING' | 'SUCCEEDED' | 'SKIPPED'
  input: unknown
  output: unknown
}

type Held = Pick<Claimed, 'id' | 'token'>

/** How far a run has come: a step that succeeded, steps that begin or are passed over, the end. */
export type Progress = { ended?: Ended | undefined; begun: readonly Begun[]; over: boolean }
export type Ended = { stepId: string; output: unknown; feature: string | null }
type BegunStep = Pick<RecordedStep, 'id' | 'blockId' | 'element' | 'attempt'>

const advanceText = 'select id, block_id, element, attempt from advance_run($1, $2, $3, $4, $5, $6, $7)'

/** Writes it down, and refuses whoever no longer holds the run. Answers the steps that begin. */
export async function advance(
  ask: SendStatement,
  { id, token }: Held,
  { ended, begun, over }: Progress,
): Promise<BegunStep[]> {
  const { stepId, output, feature } = ended ?? { stepId: null, output: null, feature: null }
  const steps = begun.length > 0 ? JSON.stringify(begun) : null
  const { rows } = await ask(advanceText, [id, token, stepId, JSON.stringify(output), feature, steps, over])
  return rows as BegunStep[] // as the statement says
}

// Whoever holds the run lets nobody claim it until this transaction ends; who lost it finds nothing here.
const held = "select id from automation_runs where id = $1 and token = $2 and status = 'RUNNING' for share"

/** Whether nobody has claimed the run since, and it is not over. */
export const isHeld = async (ask: SendStatement, { id, token }: Held): Promise<boolean> =>
  (await ask(held, [id, token])).affected === 1

const failText = `update automation_steps s set status = $4, error = $5, attempt = s.attempt + $6,
    finished_at = clock_timestamp(), latency_ms = milliseconds_since(s.started_at)
  from (${held}) run where s.run_id = run.id and s.id = $3 and s.status = 'RUNNING'`

/** A step that failed, for good or until it is tried again. */
export async function fail(
  ask: SendStatement,
  { id, token }: Held,
  step: { id: string; error: string; again: boolean },
) {
  const values = [id, token, step.id, step.again ? 'PENDING' : 'FAILED', step.error, step.again ? 1 : 0]
  const { affected } = await ask(failText, values)
  if (affected !== 1) throw lostRun()
}

const failRunText = `with run as (
    update automation_runs set status = 'FAILED', error = $3, finished_at = now()
    where id = $1 and token = $2 and status = 'RUNNING' returning id),
  steps as (
    update automation_steps s set status = 'FAILED', error = coalesce(s.error, $3), finished_at = now()
    from run where s.run_id = run.id and s.status in ('PENDING', 'RUNNING'))
  select id from run`

/** Ends a run that failed, if it is still ours; a step that it was about has failed with it. */
export async function failRun(ask: SendStatement, { id, token }: Held, error: string): Promise<void> {
  const { affected } = await ask(failRunText, [id, token, error])
  if (affected !== 1) throw lostRun()
}

/** Orders a run to be carried on, by the clock of the database. A later order takes the place of one that still waits. */
export const enqueueRun = (db: Database, runId: string, afterS: number) =>
  sql`select enqueue('run-automation', jsonb_build_object('runId', ${runId}::text),
    now() + make_interval(secs => ${afterS}), ${`run:${runId}`})`.execute(db)

const lostRun = () => conflict('Somebody else carries on this run now.', 'RUN_LOST')

/** Whether somebody else carries the run on, or has the job to. */
export const isLostRun = (error: unknown): boolean =>
  violates(error, 'run_lost') ||
  violates(error, 'job_superseded') ||
  (error instanceof Failure && error.details.some(({ code }) => code === 'RUN_LOST'))
