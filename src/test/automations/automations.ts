import { newId } from '../../core/values/id.ts'
import { runAutomation } from '../../features/work/automations/engine/run-automation.ts'
import { doJob } from '../job.ts'
import { type Someone, theApp } from '../world.ts'

/** An edge: `a>b`, or `a*b` for FOR_EACH, with a condition if there is one. */
export type Arrow = string | [string, object]

type Block = { id: string; kind: 'TRIGGER' | 'FILTER' | 'ACTION' | 'CUSTOM'; ref?: string; config?: object }

export const trigger = (ref: string, id = 'start'): Block => ({ id, kind: 'TRIGGER', ref })
export const action = (id: string, ref: string, input: object = {}): Block => ({
  id,
  kind: 'ACTION',
  ref,
  config: { input },
})

/** A graph of these blocks and edges. */
export function graphOf(blocks: Block[], ...arrows: Arrow[]) {
  const edges = arrows.map((arrow, n) => {
    const [text, cond] = Array.isArray(arrow) ? arrow : [arrow, null]
    const [, fromBlockId, mode, toBlockId] = /^(\w+)([>*])(\w+)$/.exec(text) ?? []
    return { id: `e${n}`, fromBlockId, toBlockId, cond, mode: mode === '*' ? 'FOR_EACH' : 'ONCE' }
  })
  return { blocks, edges }
}

/** Makes an automation, enabled unless `armed` is false. */
export async function automate(
  someone: Someone,
  graph: ReturnType<typeof graphOf>,
  { armed = true, name = 'Auto' } = {},
) {
  const { organizationId = '' } = someone
  const { id } = await someone.call('automations_create', { organizationId, name, ...graph } as never)
  if (armed) await someone.call('automations_enable', { id })
  return id
}

/** Runs every unfinished run of the organization to its end, including runs that they start, as a worker does. */
export async function settle({ organizationId = '' }: Someone): Promise<void> {
  for (;;) {
    const { rows } = await theApp().system.raw.query<{ id: string }>(
      "select id from automation_runs where organization_id = $1 and status = 'RUNNING' order by started_at, id",
      [organizationId],
    )
    if (rows.length === 0) return
    for (const { id } of rows) await carryOn(organizationId, id)
  }
}

/** Continues one run, as a worker does. */
export const carryOn = (organizationId: string, runId: string) =>
  doJob(runAutomation, { runId }, { flags: { [`organization:${organizationId}`]: true } })

/** The newest run of an automation, with its steps. */
export async function lastRun(someone: Someone, id: string) {
  const { runs } = await someone.call('automations_runs', { id })
  return someone.call('automations_run', { id, runId: runs[0]?.id ?? '' })
}

/** Inserts an unfinished run: finished blocks with their outputs, and the feature whose data each output is. */
export async function runSoFar(
  { organizationId }: Someone,
  automationId: string,
  steps: readonly { block: string; output: unknown; feature?: string; isTruncated?: boolean }[],
): Promise<string> {
  const runId = newId()
  const ask = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)
  await ask(
    `insert into automation_runs (organization_id, id, automation_id, input, depth, token, deadline)
     values ($1, $2, $3, '{}', 0, 1, now() + interval '15 minutes')`,
    [organizationId, runId, automationId],
  )
  for (const { block, output, feature = null, isTruncated = false } of steps)
    await ask(
      `insert into automation_steps (organization_id, id, run_id, block_id, feature, status, output, is_truncated)
       values ($1, $2, $3, $4, $5, 'SUCCEEDED', $6, $7)`,
      [organizationId, newId(), runId, block, feature, JSON.stringify(output), isTruncated],
    )
  return runId
}
