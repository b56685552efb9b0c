import { sql } from 'kysely'
import type { Database, Member } from '../../core/define/operation.ts'
import { one, toUuid } from '../../core/define/query.ts'
import { pipeline } from '../../db/pipeline.ts'
import { listed, type Run, type Step } from './automation.ts'
import { readsPayroll } from './payroll-steps.ts'

const shown = [
  'id', 'automationId', 'organizationId', 'triggerEventId', 'status', 'error', 'startedAt', 'finishedAt',
] as const // biome-ignore format: a list of words

/** Runs of an automation; what started them is the JSON object it always was. */
export const runsOf = (db: Database, automationId: string) =>
  db
    .selectFrom('automationRuns')
    .select(shown)
    .select(sql<Run['input']>`automation_runs.input`.as('input'))
    .where('automationId', '=', automationId)

type Wanted = { automationId: string; runId: string }

/** One run with its steps, as this reader may see it. */
export async function readRun(db: Database, { automationId, runId }: Wanted, reader: Member): Promise<Run> {
  const { run, steps } = await pipeline({
    run: one(runsOf(db, automationId).where('id', '=', toUuid(runId)), 'run'),
    steps: stepRows(db, toUuid(runId)),
  })
  return { ...run, steps: steps.map((step) => toStep(step, reader)) }
}

/** A block that is no longer in the graph has no id. */
const blockInGraph = sql<string | null>`case when exists (
    select from automation_runs r join automations a on a.organization_id = r.organization_id and a.id = r.automation_id,
      jsonb_array_elements(a.blocks) block where r.id = automation_steps.run_id and block ->> 'id' = automation_steps.block_id)
  then automation_steps.block_id end`

const stepColumns = ['id', 'status', 'error', 'attempt', 'latencyMs', 'startedAt', 'finishedAt'] as const

const stepRows = (db: Database, runId: string) =>
  db
    .selectFrom('automationSteps')
    .select([...stepColumns, 'feature'])
    .select([
      blockInGraph.as('blockId'),
      sql<number | null>`nullif(element, -1)`.as('element'),
      sql<unknown>`input`.as('input'),
      sql<unknown>`output`.as('output'),
    ])
    .where('runId', '=', runId)
    .orderBy('id')
    .execute()

type StepRow = Awaited<ReturnType<typeof stepRows>>[number]

/** What payroll actions took and gave is for those who may read payroll. */
function toStep({ feature, ...step }: StepRow, reader: Member): Step {
  return feature === 'payroll' && !readsPayroll(reader) ? { ...step, input: hidden, output: hidden } : step
}

const hidden = '[payroll: not for this reader]'

/** The first steps of each run, as this reader may see them; what is large is left out and says so. */
export async function listedSteps(db: Database, runIds: readonly string[], reader: Member) {
  if (runIds.length === 0) return new Map<string, Step[]>()
  const { rows } = await sql<StepRow & { runId: string }>`
    select s.* from unnest(${[...runIds]}::uuid[]) run (id), lateral (
      select run_id, id, status, error, attempt, latency_ms, started_at, finished_at, feature, ${blockInGraph} as block_id,
        nullif(element, -1) as element, ${short('input')} as input, ${short('output')} as output
      from automation_steps where run_id = run.id order by id limit ${sql.lit(listed.stepsMax)}) s`.execute(db)
  const found = new Map<string, Step[]>()
  for (const { runId, ...step } of rows) found.set(runId, [...(found.get(runId) ?? []), toStep(step, reader)])
  return found
}

const short = (
  column: 'input' | 'output',
) => sql`case when octet_length(${sql.ref(column)}::text) > ${sql.lit(listed.bytesMax)}
  then jsonb_build_object('truncated', true, 'bytes', octet_length(${sql.ref(column)}::text),
    'message', 'Left out of the list; read the run for it.') else ${sql.ref(column)} end`
