import { CompiledQuery, sql } from 'kysely'
import { conflict, Failure } from '../../core/failure.ts'
import type { Database } from '../../core/operation.ts'
import { type Block, type Edge, limits, type RunStatus, type StepStatus } from './automation.ts'
import type { Owner } from './executor.ts'
import { rightsOf } from './store.ts'

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
  const { rows } = await sql<Omit<Claimed, 'owner' | 'steps'>>`
    with run as (
      update automation_runs set token = token + 1,
        deadline = coalesce(deadline, now() + make_interval(mins => ${limits.minutesMax}))
      where id = ${runId} and status = 'RUNNING' returning *)
    select r.id, r.organization_id, r.automation_id, r.trigger_event_id, r.trigger_type, r.input as trigger, r.depth,
      r.started_at, r.token, extract(epoch from r.deadline - now())::float8 as seconds_left,
      a.name as automation_name, a.blocks, a.edges, a.owner_user_id, o.timezone
    from run r join automations a on a.organization_id = r.organization_id and a.id = r.automation_id
    join organizations o on o.id = r.organization_id`.execute(db)
  const [run] = rows
  if (!run) return undefined
  const [rights, steps] = await Promise.all([rightsOf(db, run.ownerUserId), stepsOf(db, runId)])
  return { ...run, steps, owner: rights && { userId: run.ownerUserId, role: rights.role } }
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

// Whoever holds the run lets nobody claim it until this transaction ends; who lost it finds nothing here.
const held = "select id from automation_runs where id = $1 and token = $2 and status = 'RUNNING' for share"

const beginText = `with run as (${held})
  insert into automation_steps as s (id, run_id, block_id, element, ref, feature, status, input, output, started_at, finished_at)
  select t.id, run.id, t."blockId", t.element, t.ref, t.feature, t.status, t.input, t.output,
    case when t.status <> 'SKIPPED' then now() end, case when t.status <> 'RUNNING' then now() end
  from run, jsonb_to_recordset($3::jsonb) as t (id uuid, "blockId" text, element integer, ref text, feature text,
    status text, input jsonb, output jsonb)
  on conflict (organization_id, run_id, block_id, element) do update set
    status = excluded.status, ref = excluded.ref, feature = excluded.feature, input = excluded.input,
    output = excluded.output, error = null, started_at = excluded.started_at, finished_at = excluded.finished_at,
    attempt = case s.status when 'RUNNING' then s.attempt + 1 -- it was broken off
      when 'FAILED' then 1 else s.attempt end -- its run is replayed
  returning s.id, s.block_id, s.element, s.status, s.attempt, s.feature, s.output`

/** Writes down that steps begin. Each has the id it had before, if it was tried already. */
export async function begin(db: Database, { id, token }: Held, steps: readonly Begun[]): Promise<RecordedStep[]> {
  const { rows } = await db.executeQuery<RecordedStep>(CompiledQuery.raw(beginText, [id, token, JSON.stringify(steps)]))
  if (rows.length < steps.length) throw lostRun()
  return rows
}

const succeedText = `update automation_steps s set status = 'SUCCEEDED', output = $4::jsonb, error = null,
    feature = coalesce($5, s.feature), finished_at = clock_timestamp(),
    latency_ms = least(extract(epoch from clock_timestamp() - s.started_at) * 1000, 2147483647)::integer
  from (${held}) run where s.run_id = run.id and s.id = $3 and s.status = 'RUNNING'`

/** Anything that statements can be sent through: the query builder, or the connection of an operation's transaction. */
export type Ask = (text: string, values: unknown[]) => Promise<{ affected: number }>

export const askThrough =
  (db: Database): Ask =>
  async (text, values) => ({
    affected: Number((await db.executeQuery(CompiledQuery.raw(text, values))).numAffectedRows ?? 0),
  })

type Outcome = { stepId: string; output: unknown; feature: string | null }

export async function succeed(ask: Ask, { id, token }: Held, { stepId, output, feature }: Outcome): Promise<void> {
  const { affected } = await ask(succeedText, [id, token, stepId, JSON.stringify(output), feature])
  if (affected !== 1) throw lostRun()
}

/** Whether the run was deleted, in the transaction that asks. */
export const isGone = async (ask: Ask, { id }: Held): Promise<boolean> =>
  (await ask('select id from automation_runs where id = $1', [id])).affected === 0

const failText = `update automation_steps s set status = $4, error = $5, attempt = s.attempt + $6, finished_at = clock_timestamp(),
    latency_ms = least(extract(epoch from clock_timestamp() - s.started_at) * 1000, 2147483647)::integer
  from (${held}) run where s.run_id = run.id and s.id = $3`

/** A step that failed, for good or until it is tried again. */
export async function fail(db: Database, { id, token }: Held, step: { id: string; error: string; again: boolean }) {
  const values = [id, token, step.id, step.again ? 'PENDING' : 'FAILED', step.error, step.again ? 1 : 0]
  const { affected } = await askThrough(db)(failText, values)
  if (affected !== 1) throw lostRun()
}

/** Ends the run, if it is still ours. */
export async function finishRun(db: Database, { id, token }: Held, end: { status: RunStatus; error: string | null }) {
  const { numUpdatedRows } = await db
    .updateTable('automationRuns')
    .set({ ...end, finishedAt: sql<string>`now()` })
    .where('id', '=', id)
    .where('token', '=', token)
    .where('status', '=', 'RUNNING')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw lostRun()
}

/** Orders a run to be carried on, by the clock of the database. A later order takes the place of one that still waits. */
export const orderRun = (db: Database, runId: string, afterS: number) =>
  sql`select enqueue('run-automation', jsonb_build_object('runId', ${runId}::text),
    now() + make_interval(secs => ${afterS}), ${`run:${runId}`})`.execute(db)

const lostRun = () => conflict('Somebody else carries on this run now.', 'RUN_LOST')

export const isLostRun = (error: unknown): boolean =>
  error instanceof Failure && error.details.some(({ code }) => code === 'RUN_LOST')
