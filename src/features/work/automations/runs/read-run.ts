import { sql } from 'kysely'
import type { Database, Member } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { type Run, runListLimits, type Step } from '../automation.ts'
import { markOfTrigger, mayReadStep, withoutError } from '../protected-steps.ts'
import { interruptedText } from './cancel-runs.ts'

const runColumns = [
  'id', 'automationId', 'organizationId', 'triggerEventId', 'status', 'error', 'startedAt', 'finishedAt',
] as const // biome-ignore format: a list of words

/** The type of the event that started a run. A test fires the first trigger of the graph. */
const triggerRef = sql<string | null>`coalesce(trigger_type, (select block ->> 'ref' from automation_graphs g,
    jsonb_array_elements(g.blocks) with ordinality as blocks (block, place)
  where g.organization_id = automation_runs.organization_id and g.id = automation_runs.graph_id and block ->> 'kind' = 'TRIGGER'
  order by place limit 1))`

/** Whose data the error of a run may quote: that of its failed steps. */
const failedMark = sql<string | null>`(select string_agg(s.feature, '+') from automation_steps s
  where s.organization_id = automation_runs.organization_id and s.run_id = automation_runs.id and s.status = 'FAILED')`

/** The runs of an automation. `input` is selected as it is stored: a JSON object. */
export const runsOf = (db: Database, automationId: string) =>
  db
    .selectFrom('automationRuns')
    .select(runColumns)
    .select([sql<Run['input']>`automation_runs.input`.as('input'), triggerRef.as('triggerRef')])
    .select(failedMark.as('failedMark'))
    .where('automationId', '=', automationId)

type HidableRun = Pick<Run, 'input' | 'error' | 'status'> & { triggerRef: string | null; failedMark: string | null }

/** A run without its payload and its error if the reader may not see them. */
export function withoutHidden<R extends HidableRun>({ triggerRef, failedMark, ...run }: R, reader: Member) {
  const mark = markOfTrigger(triggerRef)
  const input = mayReadStep(mark, reader) ? withoutError(triggerRef, run.input, reader) : { hidden: mark }
  const isShown = run.status === 'CANCELLED' || mayReadStep(failedMark, reader) // who cancelled it
  return { ...run, input, error: isShown ? run.error : hiddenError(run.error, failedMark) }
}

/** An error that only names the missing role or scope quotes no data, and whoever owns the automation has to know it. */
const hiddenError = (error: string | null, mark: string | null) =>
  error === null || error === interruptedText || namesRight.test(error) ? error : hiddenText(mark)
const namesRight =
  /^[A-Za-z_.]+ needs the (role|scope) [A-Za-z_:]+(|, which the credential does not have|, and the role here is [A-Z]+| in the organization; this automation has [A-Z]+, the lower one of its owner and its author)\.$/

export const hiddenText = (mark: string | null) => `[hidden: ${mark ?? 'filter'}]`

type RunRef = { automationId: string; runId: string }

/** One run with its steps, without the data that the reader may not see. */
export async function readRun(db: Database, { automationId, runId }: RunRef, reader: Member): Promise<Run> {
  const { run, steps } = await pipeline({
    run: one(runsOf(db, automationId).where('id', '=', toUuid(runId)), 'run'),
    steps: stepRows(db, toUuid(runId)),
  })
  return { ...withoutHidden(run, reader), steps: steps.map((step) => toStep(step, reader)) }
}

/** The id of the block; null if it is no longer in the graph. */
const blockInGraph = sql<string | null>`case when exists (
    select from automation_runs r join automations a on a.organization_id = r.organization_id and a.id = r.automation_id,
      jsonb_array_elements(a.blocks) block where r.id = automation_steps.run_id and block ->> 'id' = automation_steps.block_id)
  then automation_steps.block_id end`

const stepColumns = ['id', 'status', 'error', 'attempt', 'latencyMs', 'startedAt', 'finishedAt', 'waitsUntil'] as const

const stepRows = (db: Database, runId: string) =>
  db
    .selectFrom('automationSteps')
    .select([...stepColumns, 'ref', 'feature'])
    .select([
      blockInGraph.as('blockId'),
      sql<number | null>`nullif(element, -1)`.as('element'),
      sql<unknown>`input`.as('input'),
      sql<unknown>`output`.as('output'),
      sql<Warning[] | null>`warnings`.as('warnings'),
    ])
    .where('runId', '=', runId)
    .orderBy('id')
    .execute()

type StepRow = Awaited<ReturnType<typeof stepRows>>[number]

function toStep({ ref, feature, warnings, waitsUntil, ...row }: StepRow, reader: Member): Step {
  const step = { ...row, ...(warnings && { warnings }), ...(waitsUntil && { waitsUntil }) }
  // Versions before recorded no mark with triggers and filters. A filter has no `ref`.
  const isOldFilter = feature === null && ref === null && step.output !== null
  const mark = feature ?? markOfTrigger(ref)
  if (mayReadStep(mark, reader) && !(isOldFilter && reader.scopes))
    return { ...step, output: withoutErrorIn(ref, step.output, reader) }
  const hidden = hiddenText(mark)
  return { ...step, input: hidden, output: hidden, error: hiddenError(step.error, mark) }
}

/** The output of a trigger is the payload. */
const withoutErrorIn = (ref: string | null, output: unknown, reader: Member) =>
  isObject(output) ? withoutError(ref, output, reader) : output
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first steps of each run, without the data that the reader may not see. Large values are replaced by a marker. */
export async function firstSteps(db: Database, runIds: readonly string[], reader: Member) {
  if (runIds.length === 0) return new Map<string, Step[]>()
  const { rows } = await sql<StepRow & { runId: string }>`
    select s.* from unnest(${[...runIds]}::uuid[]) run (id), lateral (
      select run_id, id, status, error, attempt, latency_ms, started_at, finished_at, waits_until, ref, feature, warnings, ${blockInGraph} as block_id,
        nullif(element, -1) as element, ${unlessLarge('input')} as input, ${unlessLarge('output')} as output
      from automation_steps where run_id = run.id order by id limit ${sql.lit(runListLimits.stepsMax)}) s`.execute(db)
  const byRun = new Map<string, Step[]>()
  for (const { runId, ...step } of rows) byRun.set(runId, [...(byRun.get(runId) ?? []), toStep(step, reader)])
  return byRun
}

const unlessLarge = (
  column: 'input' | 'output',
) => sql`case when octet_length(${sql.ref(column)}::text) > ${sql.lit(runListLimits.bytesMax)}
  then jsonb_build_object('truncated', true, 'bytes', octet_length(${sql.ref(column)}::text),
    'message', 'Not shown in the list. Read the run to see it.') else ${sql.ref(column)} end`
