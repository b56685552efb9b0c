import { setTimeout as sleep } from 'node:timers/promises'
import { queueTables } from '../../../db/queue.ts'
import type { App } from '../../../program/app.ts'
import { addressed, type Name, operationNamed, type Someone } from '../../world.ts'
import type { Random } from '../bank/random.ts'
import { edited, edits, graphOf, invoiceFor, type Sketch, seeds, sketches } from './graphs.ts'
import { moods, type Receivers } from './receivers.ts'

/** A step as it is recorded. */
export type StepRow = {
  id: string
  runId: string
  blockId: string
  element: number
  elementKey: string
  ref: string | null
  status: string
  attempt: number
  input: unknown
  output: Record<string, unknown> | null
  startedAt: string
  finishedAt: string | null
}

type Preview = {
  replayable: boolean
  reused: { blockId: string; element: number | null }[]
  next: { blockId: string; element: number | null; skipped: boolean }[]
  later: { blockId: string }[]
  problem: string | null
}

/** A replay: what was recorded and foreseen just before it. */
export type Replay = { runId: string; version: number; endedAt: string; preview: Preview; before: StepRow[] }
/** When an automation was armed or disarmed, on the clock of the database. */
export type Toggle = { from: string; to: string; isEnabled: boolean }
export type Automation = {
  id: string
  sketch: Sketch
  isEnabled: boolean
  toggles: Toggle[]
  /** When each version of the graph was saved. */
  saves: { from: string; to: string; version: number; blockIds: string[] }[]
  tests: number
  /** Whether a replay of several runs included some that failed at the last moment. */
  hasUnknownReplays: boolean
}

export type Walk = Awaited<ReturnType<typeof createWalk>>
export type Tools = { app: App; receivers: Receivers; random: Random }

export const ask = async <T>({ system }: App, text: string, values: unknown[] = []) =>
  (await system.raw.query(text, values)).rows as T[]

const clock = async (app: App) =>
  (await ask<{ now: string }>(app, 'select clock_timestamp()::text as now'))[0]?.now ?? ''

/** The answer to a call of an operation, also a refusal. */
async function request(app: App, someone: Someone, name: Name, input: Record<string, unknown>) {
  const operation = operationNamed(name)
  const { url, body } = addressed(operation, input)
  const { statusCode, payload } = await app.server.inject({
    method: operation.method as 'GET',
    url,
    headers: { ...someone.credentials, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

async function call<T = { id: string }>(app: App, someone: Someone, name: Name, input: Record<string, unknown>) {
  const { status, body } = await request(app, someone, name, input)
  if (status >= 300) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`)
  return body as T
}

/** An organization with the automations of the walk, armed. */
export async function createWalk({ app, receivers }: Omit<Tools, 'random'>, someone: Someone, name: string) {
  const organizationId = someone.organizationId ?? ''
  const walk = {
    name,
    someone,
    organizationId,
    automations: [] as Automation[],
    customers: [] as string[],
    unpaid: [] as string[],
    replays: [] as Replay[],
    cancelled: new Set<string>(),
    /** Replays that are still awaited. */
    pending: new Set<Promise<unknown>>(),
    done: new Map<string, number>(),
    events: 0,
  }
  for (const seed of seeds) await call(app, someone, 'customers_create', { organizationId, name: seed, country: 'SG' })
  for (const sketch of sketches()) {
    const from = await clock(app)
    const graph = graphOf(sketch, receivers.targets(name))
    const { id } = await call(app, someone, 'automations_create', { organizationId, name: sketch.letter, ...graph })
    const automation: Automation = {
      id,
      sketch,
      isEnabled: false,
      toggles: [],
      saves: [],
      tests: 0,
      hasUnknownReplays: false,
    }
    automation.saves.push({ from, to: await clock(app), version: 1, blockIds: sketch.pieces.map((piece) => piece.id) })
    walk.automations.push(automation)
    await toggle({ app }, walk, automation, 'automations_enable')
  }
  return walk
}

async function toggle(
  { app }: Pick<Tools, 'app'>,
  { someone }: { someone: Someone },
  automation: Automation,
  name: 'automations_enable' | 'automations_disable',
  more: object = {},
) {
  const from = await clock(app)
  await call(app, someone, name, { id: automation.id, ...more })
  automation.isEnabled = name === 'automations_enable'
  automation.toggles.push({ from, to: await clock(app), isEnabled: automation.isEnabled })
}

type Move = (tools: Tools, walk: Walk, automation: Automation) => Promise<boolean>

const moves: Record<string, { weight: number; move: Move }> = {
  'create a customer': {
    weight: 6,
    async move({ app }, { someone, organizationId, customers, ...walk }) {
      const name = `C${customers.length} ${walk.name}`
      customers.push((await call(app, someone, 'customers_create', { organizationId, name, country: 'SG' })).id)
      return true
    },
  },
  'change a customer': {
    weight: 5,
    async move({ app, random }, walk) {
      // Often the same one, so that several runs of one record wait for each other.
      const id = random.chance(0.7) ? walk.customers[0] : random.pick(walk.customers)
      if (id === undefined) return false
      await call(app, walk.someone, 'customers_update_patch', { id, name: `U${++walk.events} ${walk.name}` })
      return true
    },
  },
  'issue an invoice': {
    weight: 3,
    async move({ app, random }, { someone, organizationId, customers, unpaid }) {
      const customerId = random.pick(customers)
      if (customerId === undefined) return false
      unpaid.push((await call(app, someone, 'invoices_create', { organizationId, ...invoiceFor(customerId) })).id)
      return true
    },
  },
  'pay an invoice': {
    weight: 3,
    async move({ app }, { someone, unpaid }) {
      const id = unpaid.shift()
      if (id === undefined) return false
      const payment = { paymentDate: new Date().toISOString().slice(0, 10), paymentMethod: 'CASH' }
      await call(app, someone, 'invoices_mark_paid', { id, ...payment, sendReceiptEmail: false })
      return true
    },
  },
  edit: { weight: 5, move: editGraph },
  enable: {
    weight: 3,
    async move(tools, walk) {
      const automation = walk.automations.find(({ isEnabled }) => !isEnabled)
      if (!automation) return false
      await toggle(tools, walk, automation, 'automations_enable')
      return true
    },
  },
  disable: { weight: 1, move: (tools, walk, automation) => disarm(tools, walk, automation, false) },
  stop: { weight: 1, move: (tools, walk, automation) => disarm(tools, walk, automation, true) },
  cancel: { weight: 3, move: cancelRun },
  replay: { weight: 5, move: replayRun },
  'replay all': { weight: 2, move: replayAll },
  test: { weight: 2, move: testRun },
  'change the mood of the receivers': {
    weight: 4,
    async move({ receivers, random }, { name }) {
      receivers.moodOf.set(name, random.pick(moods) ?? 'well')
      return true
    },
  },
  // So that workers get somewhere between two moves.
  wait: { weight: 8, move: ({ random }) => sleep(random.between(100, 900), true) },
  'let time pass': { weight: 3, move: ({ app }) => letTimePass(app).then(() => true) },
}
export const moveNames = Object.keys(moves)
const drawn = moveNames.flatMap((name) => Array<string>(moves[name]?.weight ?? 0).fill(name))

/** Makes one random move, and counts it if it was possible. */
export async function takeStep(tools: Tools, walk: Walk): Promise<void> {
  const name = tools.random.pick(drawn) ?? ''
  const automation = tools.random.pick(walk.automations)
  const move = moves[name]?.move
  if (!automation || !move) return
  const isDone = await move(tools, walk, automation)
  if (isDone) walk.done.set(name, (walk.done.get(name) ?? 0) + 1)
}

async function editGraph({ app, random, receivers }: Tools, walk: Walk, automation: Automation) {
  const edit = automation.sketch.isBroken && random.chance(0.6) ? 'mend' : (random.pick(edits) ?? 'rebind')
  const sketch = edited(automation.sketch, edit, random)
  if (sketch.pieces.length > 12) return false
  const from = await clock(app)
  await call(app, walk.someone, 'automations_update', { id: automation.id, ...graphOf(sketch, receivers.targets(walk.name)) })
  automation.sketch = sketch
  const blockIds = sketch.pieces.map(({ id }) => id)
  automation.saves.push({ from, to: await clock(app), version: sketch.version, blockIds })
  walk.done.set(edit, (walk.done.get(edit) ?? 0) + 1)
  return true
} // biome-ignore format: one call

async function disarm(tools: Tools, walk: Walk, automation: Automation, stop: boolean) {
  if (!automation.isEnabled) return false
  await toggle(tools, walk, automation, 'automations_disable', { stop })
  return true
}

async function cancelRun({ app, random }: Tools, walk: Walk) {
  const running = await ask<{ id: string; automationId: string }>(
    app,
    `select id, automation_id as "automationId" from automation_runs where organization_id = $1 and status = 'RUNNING' order by place`,
    [walk.organizationId],
  )
  const run = random.pick(running)
  if (!run) return false
  const answer = await request(app, walk.someone, 'automations_cancel', { id: run.automationId, runId: run.id })
  const code = answer.body.error?.details?.[0]?.code
  if (answer.status === 409 && code === 'NOT_RUNNING') return false // it has ended meanwhile
  if (answer.status !== 200) throw new Error(`The cancellation answered ${answer.status} ${JSON.stringify(answer.body)}`)
  walk.cancelled.add(run.id)
  return true
} // biome-ignore format: an answer a line

export const stepsOf = (app: App, where: string, value: string) =>
  ask<StepRow>(
    app,
    `select s.id, s.run_id as "runId", s.block_id as "blockId", s.element, s.element_key as "elementKey", s.ref, s.status, s.attempt,
       s.input, s.output, s.started_at::text as "startedAt", s.finished_at::text as "finishedAt"
     from automation_steps s where ${where} = $1 order by s.id`,
    [value],
  )

const failedRuns = (app: App, automationId: string) =>
  ask<{ id: string; token: number; endedAt: string }>(
    app,
    `select id, token::int, finished_at::text as "endedAt" from automation_runs where automation_id = $1 and status = 'FAILED' order by place`,
    [automationId],
  )

/** An automation with a run that has failed. */
async function someFailing({ app, random }: Pick<Tools, 'app' | 'random'>, { automations }: Walk) {
  const failing: Automation[] = []
  for (const automation of automations) if ((await failedRuns(app, automation.id)).length > 0) failing.push(automation)
  return random.pick(failing)
}

/** What is recorded and foreseen before a replay. */
async function foresee(app: App, walk: Walk, { id, sketch }: Automation, run: { id: string; endedAt: string }) {
  const preview = await call<Preview>(app, walk.someone, 'automations_replay_preview', { id, runId: run.id })
  const before = await stepsOf(app, 's.run_id', run.id)
  return { runId: run.id, version: sketch.version, endedAt: run.endedAt, preview, before }
}

/** Replays a run. The walk goes on as soon as the run is RUNNING again, before the replay has ended. */
async function replayRun({ app, random }: Tools, walk: Walk) {
  const automation = await someFailing({ app, random }, walk)
  const run = automation && random.pick(await failedRuns(app, automation.id))
  if (!run) return false
  walk.replays.push(await foresee(app, walk, automation, run))
  const replaying = call(app, walk.someone, 'automations_replay', { id: automation.id, runId: run.id })
  const isOver = replaying.then(() => true)
  walk.pending.add(isOver)
  const forget = () => walk.pending.delete(isOver)
  isOver.then(forget, () => {})
  const current = 'select token > $2 as reopened from automation_runs where id = $1'
  for (;;) {
    const [row] = await ask<{ reopened: boolean }>(app, current, [run.id, run.token])
    if (row?.reopened) return true
    if (await Promise.race([isOver, sleep(20, false)])) return true
  }
}

/** Until the same runs have failed before and after, because workers go on meanwhile. */
async function foreseeAll(app: App, walk: Walk, automation: Automation) {
  for (;;) {
    await endPending(walk) // a run that a replay still executes may fail at any moment
    const runs = await failedRuns(app, automation.id)
    const foreseen: Replay[] = []
    for (const run of runs) foreseen.push(await foresee(app, walk, automation, run))
    const now = await failedRuns(app, automation.id)
    if (JSON.stringify(now) === JSON.stringify(runs)) return foreseen
  }
}

async function replayAll({ app, random }: Tools, walk: Walk) {
  const automation = await someFailing({ app, random }, walk)
  if (!automation) return false
  const foreseen = await foreseeAll(app, walk, automation)
  if (foreseen.length === 0) return false
  const { someone } = walk
  const answer = await call<{ replayed: number; skipped: unknown[] }>(app, someone, 'automations_replay_failed', {
    id: automation.id,
    from: new Date(0).toISOString(),
    limit: 1_000,
  })
  if (answer.skipped.length > 0) throw new Error(`Runs were not replayed: ${JSON.stringify(answer.skipped)}`)
  walk.replays.push(...foreseen)
  if (answer.replayed !== foreseen.length) automation.hasUnknownReplays = true // one more has failed since
  return true
}

async function testRun({ app, random }: Tools, walk: Walk, automation: Automation) {
  const [invoice] = await ask<{ id: string }>(
    app,
    `select d.id from documents d where d.organization_id = $1 and d.kind = 'SALES' limit 1`,
    [walk.organizationId],
  )
  const id = automation.sketch.on.startsWith('invoice') ? invoice?.id : random.pick(walk.customers)
  if (id === undefined) return false
  automation.tests++
  const payload = { id, name: `T${++walk.events} ${walk.name}`, total: 109 }
  await call(app, walk.someone, 'automations_test', { id: automation.id, payload })
  return true
}

export const endPending = async ({ pending }: { pending: ReadonlySet<Promise<unknown>> }) => {
  await Promise.all(pending)
}

/** An hour passes: retries and turns are due, and the buckets of the rate limits fill. What is in use at the moment is left out. */
export async function letTimePass(app: App): Promise<void> {
  await ask(
    app,
    `update rate_buckets set tat = tat - interval '1 hour' where key in (select key from rate_buckets for update skip locked)`,
  )
  await ask(
    app,
    `update automation_steps set turn_at = turn_at - interval '1 hour'
    where id in (select id from automation_steps where turn_at is not null for update skip locked)`,
  )
  await ask(
    app,
    `update ${queueTables.jobs} set run_at = now()
    where id in (select id from ${queueTables.jobs} where run_at > now() and locked_at is null for update skip locked)`,
  )
}
