import type { App } from '../../../program/app.ts'
import { madePrefix } from './graphs.ts'
import type { Letter, Post } from './receivers.ts'
import { type Automation, ask, type Replay, type StepRow, stepsOf, type Walk } from './walk.ts'

/** Compares what is recorded and what has really happened in an organization with the model, once no run is RUNNING. */

type RunRow = {
  id: string
  automationId: string
  triggerEventId: string | null
  status: string
  error: string | null
  recordId: string | null
  startedAt: string
  finishedAt: string | null
  version: number | null
}
type EventRow = { id: string; type: string; at: string; isFromRun: boolean }
type Sent = { posts: readonly Post[]; letters: readonly Letter[] }

const runsOf = (app: App, organizationId: string) =>
  ask<RunRow>(
    app,
    `select r.id, r.automation_id as "automationId", r.trigger_event_id as "triggerEventId", r.status, r.error, r.record_id as "recordId",
       r.started_at::text as "startedAt", r.finished_at::text as "finishedAt", g.version
     from automation_runs r left join automation_graphs g on g.organization_id = r.organization_id and g.id = r.graph_id
     where r.organization_id = $1 order by r.place`,
    [organizationId],
  )

/** What is wrong, in sentences; empty if everything is as the model says. */
export async function problemsOf(app: App, walk: Walk, sent: Sent): Promise<string[]> {
  const runs = await runsOf(app, walk.organizationId)
  const steps = await stepsOf(app, 's.organization_id', walk.organizationId)
  const known = { app, walk, runs, steps, sent }
  return [
    ...(await startsOnce(known)),
    ...endings(known),
    ...graphsKept(known),
    ...(await insideOnce(known)),
    ...(await outsideEffects(known)),
    ...replaysForeseen(known),
    ...inOrder(known),
  ]
}
type Known = { app: App; walk: Walk; runs: RunRow[]; steps: StepRow[]; sent: Sent }

/** The longest transaction of a worker that emits an event. */
const transactionMaxMs = 15_000
/** An instant as PostgreSQL writes it: 2026-01-31 12:00:00.123456+00. */
const ms = (instant: string) => Date.parse(instant.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))

/** INV-11: one run for each event and automation that was armed, and one for each test. */
async function startsOnce({ app, walk, runs }: Known): Promise<string[]> {
  const events = await ask<EventRow>(
    app,
    `select id, type, created_at::text as at, coalesce(cause ->> 'source', '') = 'AUTOMATION' as "isFromRun" from events where organization_id = $1`,
    [walk.organizationId],
  )
  const wrong: string[] = []
  for (const automation of walk.automations) {
    const own = runs.filter(({ automationId }) => automationId === automation.id)
    const tests = own.filter(({ triggerEventId }) => triggerEventId === null).length
    if (tests !== automation.tests) wrong.push(`${automation.sketch.letter} has ${tests} test runs, not ${automation.tests}.`)
    for (const event of events.filter(({ type }) => type === automation.sketch.on)) {
      const count = own.filter(({ triggerEventId }) => triggerEventId === event.id).length
      const allowed = expectedRuns(automation, event)
      if (!allowed.includes(count))
        wrong.push(`The event ${event.type} ${event.id} has started ${automation.sketch.letter} ${count} times, not ${allowed}.`)
    }
  }
  return wrong
} // biome-ignore format: a sentence a line

/** The event of a run may have been committed while the automation was armed or disarmed. */
function expectedRuns({ toggles }: Automation, { at, isFromRun }: EventRow): number[] {
  const moment = ms(at)
  const isUnsure = toggles.some(({ from, to }) => ms(from) <= moment + transactionMaxMs && ms(to) >= moment)
  if (isFromRun && isUnsure) return [0, 1]
  return [toggles.findLast(({ to }) => ms(to) <= moment)?.isEnabled ? 1 : 0]
}

const ownLimit = /too many|automations of this organization|RATE_LIMIT|LIMIT_EXCEEDED/i

/** What the receivers answer, and the missing country of a broken graph. */
const foreseenFailure = /answered (400|500)|No such mailbox|Try again later|country/

/** Nothing stays unfinished, nothing fails without a cause, nothing fails for a limit of Kontor itself, and what was cancelled stays so. */
function endings({ runs, steps, walk }: Known): string[] {
  const statusOf = new Map(runs.map(({ id, status }) => [id, status]))
  return [
    ...runs.filter(({ status }) => status === 'RUNNING').map(({ id }) => `The run ${id} is still RUNNING.`),
    ...runs
      .filter(({ status, error }) => status === 'FAILED' && ownLimit.test(error ?? ''))
      .map(({ id, error }) => `The run ${id} failed for a limit: ${error}`),
    ...runs
      .filter(({ status, error }) => status === 'FAILED' && !foreseenFailure.test(error ?? ''))
      .map(({ id, error }) => `The run ${id} failed without a cause in the walk: ${error}`),
    ...[...walk.cancelled]
      .filter((id) => statusOf.get(id) !== 'CANCELLED')
      .map((id) => `The run ${id} was cancelled and is ${statusOf.get(id)}.`),
    ...steps
      .filter(({ status }) => status === 'PENDING' || status === 'RUNNING')
      .map((step) => `The step ${step.blockId} of the run ${step.runId} is ${step.status}, and the run ${statusOf.get(step.runId)}.`),
    ...steps
      .filter(({ runId, status }) => statusOf.get(runId) === 'SUCCEEDED' && status === 'FAILED')
      .filter((step) => blocksOfLastGraph(step, { runs, walk }).includes(step.blockId))
      .map((step) => `The step ${step.blockId} ${step.elementKey} is FAILED in the run ${step.runId}, which SUCCEEDED.`),
  ]
} // biome-ignore format: a sentence a line

function blocksOfLastGraph({ runId }: StepRow, { runs, walk }: Pick<Known, 'runs' | 'walk'>): string[] {
  const run = runs.find(({ id }) => id === runId)
  const saves = walk.automations.find(({ id }) => id === run?.automationId)?.saves ?? []
  return saves.find(({ version }) => version === run?.version)?.blockIds ?? []
}

/** A run keeps the graph of its start, or of its last replay. Its steps are of these graphs alone. */
function graphsKept({ walk, runs, steps }: Known): string[] {
  const wrong: string[] = []
  for (const run of runs) {
    const automation = walk.automations.find(({ id }) => id === run.automationId)
    if (!automation || automation.hasUnknownReplays) continue
    const replayed = walk.replays.filter(({ runId }) => runId === run.id).map(({ version }) => version)
    const atStart = versionsAt(automation, run.startedAt)
    const last = replayed.at(-1)
    const isRight = last === undefined ? atStart.includes(run.version ?? 0) : run.version === last
    if (!isRight) wrong.push(`The run ${run.id} has the graph ${run.version}, not ${last ?? atStart}.`)
    const versions = [...atStart, ...replayed]
    for (const step of steps.filter(({ runId }) => runId === run.id)) {
      const shown = versionOf(step)
      if (shown !== undefined && !versions.includes(shown))
        wrong.push(`The step ${step.blockId} of ${run.id} was carried out with the graph ${shown}, not ${versions}.`)
      const saves = automation.saves.filter(({ version }) => versions.includes(version))
      if (!saves.some(({ blockIds }) => blockIds.includes(step.blockId)))
        wrong.push(`The block ${step.blockId} of ${run.id} is in none of its graphs ${versions}.`)
    }
  }
  return wrong
}

/** The versions that a transaction which began at this moment can have seen. */
function versionsAt({ saves }: Automation, at: string): number[] {
  const moment = ms(at)
  const before = saves.findLast(({ to }) => ms(to) <= moment)
  const meanwhile = saves.filter(({ from, to }) => ms(to) > moment && ms(from) <= moment + transactionMaxMs)
  return [...(before ? [before] : []), ...meanwhile].map(({ version }) => version)
}

/** The version in the mark of the input. */
function versionOf({ input }: StepRow): number | undefined {
  const mark = markIn(input)
  return mark === undefined ? undefined : Number(mark.split(';')[2])
}

/** The mark in an input, which is in a field that depends on the action. */
function markIn(input: unknown): string | undefined {
  const { name, notes, body } = (input ?? {}) as { name?: string; notes?: string; body?: string | { mark?: string } }
  if (typeof body === 'string') return /mark\|([^|]*)\|/.exec(body)?.[1]
  return body?.mark ?? (notes ?? name)?.replace(madePrefix, '')
}

/** The mark without the version of the graph: what has at most one effect. */
const withoutVersion = (mark: string) =>
  mark
    .split(';')
    .filter((_, at) => at !== 2)
    .join(';')

/** INV-13, INV-14: every row that automations created belongs to one step that succeeded, and every such step has its row. */
async function insideOnce({ app, walk, steps, runs }: Known): Promise<string[]> {
  const made = await ask<{ id: string; mark: string }>(
    app,
    `select id, name as mark from customers where organization_id = $1 and name like $2
     union all select id, notes from documents where organization_id = $1 and notes like $2`,
    [walk.organizationId, `${madePrefix}%`],
  )
  const succeeded = steps.filter(
    ({ ref, status }) => status === 'SUCCEEDED' && (ref === 'customers_create' || ref === 'invoices_create'),
  )
  const stepsByRow = new Map(succeeded.map((step) => [String(step.output?.id), step]))
  const wrong: string[] = []
  for (const { id, mark } of made) if (!stepsByRow.has(id)) wrong.push(`Nothing succeeded that created ${mark} ${id}.`)
  const ids = new Set(made.map(({ id }) => id))
  for (const [id, { blockId, runId }] of stepsByRow)
    if (!ids.has(id)) wrong.push(`${blockId} of ${runId} succeeded, and its row ${id} is missing.`)
  if (stepsByRow.size !== succeeded.length) wrong.push('Two steps created the same row.')
  const seen = new Map<string, string>()
  for (const { id, mark } of made) {
    const effect = withoutVersion(mark.replace(madePrefix, ''))
    if (seen.has(effect)) wrong.push(`The effect ${mark} happened twice: ${seen.get(effect)} and ${id}.`)
    seen.set(effect, id)
  }
  return [...wrong, ...afterCancellation(succeeded, runs)]
}

function afterCancellation(succeeded: readonly StepRow[], runs: readonly RunRow[]): string[] {
  const cancelled = new Map(
    runs.filter(({ status }) => status === 'CANCELLED').map((run) => [run.id, run.finishedAt ?? '']),
  )
  return succeeded
    .filter(({ runId, finishedAt }) => cancelled.has(runId) && ms(finishedAt ?? '') > ms(cancelled.get(runId) ?? ''))
    .map(({ blockId, runId }) => `${blockId} of ${runId} succeeded after the run was cancelled.`)
}

type DeliveryRow = { stepId: string; webhookId: string; kind: string; outcome: string; at: string }

/** INV-14: what was sent belongs to a step that started; every attempt has the same id; a success arrived; nothing is sent later. */
async function outsideEffects({ app, walk, steps, runs, sent }: Known): Promise<string[]> {
  const deliveries = await ask<DeliveryRow>(
    app,
    `select step_id as "stepId", webhook_id as "webhookId", kind, outcome, created_at::text as at from automation_deliveries where organization_id = $1`,
    [walk.organizationId],
  )
  const posts = sent.posts.filter(({ mark }) => mark.includes(` ${walk.name};`) || isOfInvoice(mark, runs))
  const wrong: string[] = []
  const stepOf = new Map(steps.map((step) => [step.id, step]))
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.webhookId, delivery]))
  for (const post of posts)
    if (!deliveryOf.has(post.id)) wrong.push(`The webhook ${post.id} ${post.mark} has no delivery.`)
  wrong.push(...notOneToOne(posts.map(({ id, body }) => [id, body])))
  const letters = sent.letters.filter(({ mark }) => mark.includes(` ${walk.name};`) || isOfInvoice(mark, runs))
  wrong.push(...notOneToOne(letters.map(({ id, mark }) => [id, mark])))
  const arrived = new Set(
    [...posts.filter(({ status }) => status === 200), ...letters].map(({ mark }) => withoutVersion(mark)),
  )
  for (const step of steps.filter(({ ref }) => ref === 'webhook.post' || ref === 'email.send')) {
    const mark = markIn(step.input)
    if (step.status === 'SUCCEEDED' && !(mark && arrived.has(withoutVersion(mark))))
      wrong.push(`${step.blockId} of ${step.runId} succeeded, and ${mark} did not arrive.`)
  }
  const endOf = new Map(runs.map(({ id, status, finishedAt }) => [id, status === 'CANCELLED' ? finishedAt : null]))
  for (const { stepId, webhookId, at } of deliveries) {
    const step = stepOf.get(stepId)
    const end = step?.status === 'SUCCEEDED' ? step.finishedAt : endOf.get(step?.runId ?? '')
    if (end && ms(at) > ms(end))
      wrong.push(`${webhookId} was sent again after the end of ${step?.blockId} of ${step?.runId}.`)
  }
  return wrong
}

/** The marks of invoices name no organization. */
const isOfInvoice = (mark: string, runs: readonly RunRow[]) =>
  runs.some(({ recordId }) => recordId === mark.split(';')[3])

/** The same content always has the same id, and the same id the same content. */
function notOneToOne(pairs: readonly (readonly [string, string])[]): string[] {
  const contents = new Map<string, string>()
  const ids = new Map<string, string>()
  const wrong: string[] = []
  for (const [id, content] of pairs) {
    const [content0, id0] = [contents.get(id) ?? content, ids.get(content) ?? id]
    if (content0 !== content) wrong.push(`${id} was sent with ${content0} and with ${content}.`)
    if (id0 !== id) wrong.push(`${content} was sent as ${id0} and as ${id}.`)
    contents.set(id, content0)
    ids.set(content, id0)
  }
  return wrong
}

const placeOf = ({ blockId, element }: { blockId: string; element: number | null }) =>
  `${blockId} ${element === null || element < 0 ? '' : element}`

/** After a replay, what had succeeded is as it was, and what was carried out is what the preview had listed. */
function replaysForeseen({ walk, runs, steps }: Known): string[] {
  return walk.replays.flatMap((replay, at) => {
    const following = walk.replays.slice(at + 1).find(({ runId }) => runId === replay.runId)
    const after = following?.before ?? steps.filter(({ runId }) => runId === replay.runId)
    const run = runs.find(({ id }) => id === replay.runId)
    const isOver = following === undefined && run?.status === 'SUCCEEDED'
    return unforeseen(replay, after, isOver)
  })
}

function unforeseen({ runId, preview, before }: Replay, after: readonly StepRow[], hasSucceeded: boolean): string[] {
  const wrong: string[] = []
  const listed = new Set(preview.next.filter(({ skipped }) => !skipped).map(placeOf))
  const later = new Set(preview.later.map(({ blockId }) => blockId))
  const afterById = new Map(after.map((step) => [step.id, step]))
  for (const step of before.filter(({ status }) => status === 'SUCCEEDED'))
    if (JSON.stringify(afterById.get(step.id)) !== JSON.stringify(step))
      wrong.push(`${step.blockId} ${step.elementKey} of ${runId} had succeeded, and the replay changed it.`)
  const beforeById = new Map(before.map((step) => [step.id, step]))
  for (const step of after) {
    const was = beforeById.get(step.id)
    const wasExecuted =
      step.status !== 'SKIPPED' && step.ref !== null && was?.status !== 'SUCCEEDED' && step.startedAt !== was?.startedAt
    if (wasExecuted && !isTriggerRef(step.ref) && !listed.has(placeOf(step)) && !later.has(step.blockId))
      wrong.push(
        `${step.blockId} ${step.elementKey} of ${runId} was carried out, and the preview did not list it: ${JSON.stringify(preview)}`,
      )
  }
  const done = new Set(after.filter(({ status }) => status === 'SUCCEEDED').map(placeOf))
  const recorded = new Set(after.map(({ blockId }) => blockId))
  if (hasSucceeded)
    for (const block of later)
      if (!recorded.has(block)) wrong.push(`The preview listed ${block} of ${runId}, which has no step.`)
  if (hasSucceeded)
    for (const place of listed)
      if (!done.has(place) && !place.startsWith('start '))
        wrong.push(`The preview listed ${place} of ${runId}, which was not carried out.`)
  return wrong
}

const isTriggerRef = (ref: string | null) =>
  ref !== null && /^(customer|invoice)\.(created|updated|issued|paid)$/.test(ref)

/** The runs of one record of an automation end in the order of their events. A replay comes later, whatever follows it. */
function inOrder({ walk, runs }: Known): string[] {
  const firstEnd = new Map<string, string>()
  for (const { runId, endedAt } of walk.replays) if (!firstEnd.has(runId)) firstEnd.set(runId, endedAt)
  const lastOf = new Map<string, { id: string; endedAt: number }>()
  const wrong: string[] = []
  for (const run of runs) {
    const automation = walk.automations.find(({ id }) => id === run.automationId)
    if (run.recordId === null || automation?.hasUnknownReplays) continue
    const endedAt = ms(firstEnd.get(run.id) ?? run.finishedAt ?? '')
    const key = `${run.automationId} ${run.recordId}`
    const previous = lastOf.get(key)
    if (run.status === 'CANCELLED' && !firstEnd.has(run.id)) continue
    if (previous && previous.endedAt > endedAt)
      wrong.push(`The run ${run.id} of the record ${run.recordId} ended before ${previous.id}.`)
    lastOf.set(key, { id: run.id, endedAt })
  }
  return wrong
}
