import type pg from 'pg'
import { type Child, start } from '../ipc.ts'
import type { Fire, Fired } from '../load.ts'
import type { Setting } from '../measure.ts'
import { postgresCpuUsed, readPostgresCpu } from '../postgres-cpu.ts'
import { mean, median } from '../statistics.ts'
import { type AutomationFixture, type Drained, prepareAutomations } from './automation-fixture.ts'
import type { Measure } from './measures.ts'

export const automationsMeasure = 'automations'
/** Only the first of its figures: runs of one action beside bare jobs. */
export const oneActionMeasure = 'automation-one'

/** Above what a worker can do. An impossible rate must not cause an endless backlog before it is reported. */
const runsPerSecondMax = 2_000

export type AutomationDependencies = {
  database: pg.PoolConfig
  /** The process id of PostgreSQL. */
  postmaster: number
  /** The environment of our processes. */
  env: Record<string, string>
  /** Our API, and the process that sends requests to it. */
  url: string
  load: Child
  get: Measure | undefined
  setting: Setting
}

/** A figure and its bar; `fits` is whether it meets the bar. */
export type Figure = {
  name: string
  does: string
  value: number
  bar: string
  fits: boolean | null
  /** Only for ratios, which can be compared between machines and checkouts. */
  better?: 'higher' | 'lower'
}

/** With the processor time of the worker and of PostgreSQL per job or run; null where the system does not report it. */
export type Metered = Drained & { cpuUs: number | null }

/** One repeat of every figure. */
export type AutomationRepeat = {
  bare: Metered
  alone: { one: Metered; filter: Metered; twenty: Drained; post: Drained }
  two: { filter: Drained; post: Drained }
  api: { idle: [before: Fired, after: Fired]; draining: Fired; runsLeft: boolean }
}

/** From the commit of events to finished runs, beside graphile-worker with jobs that do nothing (LOAD-13 and similar). */
export async function benchAutomations(dependencies: AutomationDependencies): Promise<AutomationRepeat[]> {
  const fixture = await prepareAutomations(dependencies.database)
  try {
    await askApi(dependencies, dependencies.setting.warmUpSeconds)
    const repeats: AutomationRepeat[] = []
    for (let repeat = 0; repeat < dependencies.setting.repeats; repeat++) {
      const measured = await measureRepeat(fixture, dependencies)
      repeats.push(measured)
      console.log(`  ${figuresOf([measured]).map(({ name, value }) => `${name} ${shown(value)}`).join(', ')}`) // biome-ignore format: a line
    }
    await fixture.requireSuccess()
    return repeats
  } finally {
    await fixture.close()
  }
}

export type OneActionRepeat = { bare: Metered; one: Metered }

/** The short form for `quick`. */
export async function benchOneAction(dependencies: AutomationDependencies): Promise<OneActionRepeat[]> {
  const fixture = await prepareAutomations(dependencies.database)
  const { runs, repeats } = dependencies.setting
  const measured: OneActionRepeat[] = []
  try {
    for (let repeat = 0; repeat < repeats; repeat++) {
      const bare = await drainBare(fixture, dependencies)
      const one = await withWorkers(dependencies, 'work', 1, async (metered) => {
        await fixture.drainRuns('bench.one', runs / 2) // warms up
        return metered((beforeCommit) => fixture.drainRuns('bench.one', runs, beforeCommit))
      })
      measured.push({ bare, one })
    }
    await fixture.requireSuccess()
    return measured
  } finally {
    await fixture.close()
  }
}

const drainBare = (fixture: AutomationFixture, dependencies: AutomationDependencies): Promise<Metered> =>
  withWorkers(dependencies, 'bare', 1, async (metered) => {
    await fixture.drainBareJobs(dependencies.setting.runs / 2) // warms up
    return metered((beforeCommit) => fixture.drainBareJobs(dependencies.setting.runs, beforeCommit))
  })

/** Each repeat contains every figure, so that other load on the machine affects all of them. */
async function measureRepeat(
  fixture: AutomationFixture,
  dependencies: AutomationDependencies,
): Promise<AutomationRepeat> {
  const { runs } = dependencies.setting
  const bare = await drainBare(fixture, dependencies)
  const alone = await withWorkers(dependencies, 'work', 1, async (metered) => {
    for (const type of ['bench.one', 'bench.filter']) await fixture.drainRuns(type, runs / 2) // warms up
    return {
      one: await metered((beforeCommit) => fixture.drainRuns('bench.one', runs, beforeCommit)),
      filter: await metered((beforeCommit) => fixture.drainRuns('bench.filter', runs, beforeCommit)),
      twenty: await fixture.drainRuns('bench.twenty', runs / 10),
      post: await fixture.drainRuns('bench.post', runs),
    }
  })
  const two = await withWorkers(dependencies, 'work', 2, async () => {
    await fixture.drainRuns('bench.filter', runs / 2)
    return { filter: await fixture.drainRuns('bench.filter', runs), post: await fixture.drainRuns('bench.post', runs) }
  })
  return { bare, alone, two, api: await measureApi(fixture, dependencies, perSecond(alone.one)) }
}

type Metering = (drain: (beforeCommit: () => Promise<void>) => Promise<Drained>) => Promise<Metered>

async function withWorkers<T>(
  { database, postmaster, env }: AutomationDependencies,
  kind: 'work' | 'bare',
  count: number,
  work: (metered: Metering) => Promise<T>,
) {
  const workers = Array.from({ length: count }, () => start('our-worker', env))
  try {
    await Promise.all(workers.map((worker) => worker.ask(kind, database)))
    return await work((drain) => withCpu(() => readCpu(workers, postmaster), drain))
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

async function readCpu(workers: Child[], postmaster: number) {
  const used = await Promise.all(workers.map((worker) => worker.ask<NodeJS.CpuUsage>('cpu')))
  return {
    workersUs: used.reduce((sum, { user, system }) => sum + user + system, 0),
    postgres: readPostgresCpu(postmaster),
  }
}

/** Reads the processor time when the clock starts and at the end. */
async function withCpu(read: () => ReturnType<typeof readCpu>, drain: Parameters<Metering>[0]): Promise<Metered> {
  let before = await read()
  const drained = await drain(async () => {
    before = await read()
  })
  const after = await read()
  const postgresUs = postgresCpuUsed(before.postgres, after.postgres)
  const cpuUs = postgresUs === null ? null : (after.workersUs - before.workersUs + postgresUs) / drained.succeeded
  return { ...drained, cpuUs }
}

/** A plain GET of the API while a worker has more runs than it can finish in that time, and before and after it. */
async function measureApi(
  fixture: AutomationFixture,
  dependencies: AutomationDependencies,
  runsPerSecond: number,
): Promise<AutomationRepeat['api']> {
  const { seconds } = dependencies.setting
  const before = await askApi(dependencies, seconds)
  const { draining, runsLeft } = await withWorkers(dependencies, 'work', 1, async () => {
    await fixture.commitEvents('bench.one', Math.min(runsPerSecond, runsPerSecondMax) * (seconds + 2))
    const draining = await askApi(dependencies, seconds)
    const runsLeft = await fixture.areRunsLeft()
    await fixture.runsAreOver()
    return { draining, runsLeft }
  })
  const after = await askApi(dependencies, seconds)
  return { idle: [before, after], draining, runsLeft }
}

function askApi({ url, load, get, setting: { connections } }: AutomationDependencies, seconds: number): Promise<Fired> {
  if (!get) throw new Error('There is no measure get.')
  const nothingElse = { keys: undefined, refusal: undefined, beside: undefined }
  const fire: Fire = { url, connections, seconds, requests: get.ours, ...nothingElse }
  return load.ask<Fired>('fire', fire)
}

export const perSecond = ({ succeeded, seconds }: Drained) => succeeded / seconds

export const idleP95Ms = ({ api }: AutomationRepeat) => mean(api.idle.map(({ p95Ms }) => p95Ms))

export function figuresOf(repeats: readonly AutomationRepeat[]): Figure[] {
  const middle = (of: (repeat: AutomationRepeat) => number) => median(repeats.map(of))
  const twentyByOne = ({ alone }: AutomationRepeat) => perSecond(alone.one) / 20 / perSecond(alone.twenty)
  const draining = (repeat: AutomationRepeat) => repeat.api.draining.p95Ms / idleP95Ms(repeat)
  return [
    ...oneActionFigures(repeats.map(({ bare, alone }) => ({ bare, one: alone.one }))),
    speed('filter', 'Runs per second of a filter and two actions, one worker', repeats.map(({ alone }) => alone.filter)),
    speed('filter-two', 'The same with two workers', repeats.map(({ two }) => two.filter)),
    share('filter/bare', 'One worker, as a share of the bare jobs', repeats.map(({ alone, bare }) => [alone.filter, bare]), 0.2),
    share('filter-two/one', 'Two workers, as a multiple of one', repeats.map(({ two, alone }) => [two.filter, alone.filter])),
    ...cpu('filter-cpu', 'Processor time of a run of a filter and two actions in us', repeats.map(({ alone }) => alone.filter)),
    speed('post', 'Runs per second of a webhook that is answered after 50 ms', repeats.map(({ alone }) => alone.post)),
    share('post-two/one', 'Two workers, as a multiple of one', repeats.map(({ two, alone }) => [two.post, alone.post]), 1.6),
    atMost('twenty/one', 'The time of a run of 20 steps, as a multiple of 20 runs of one', middle(twentyByOne), 1.2),
    { name: 'api-idle', does: 'p95 of a GET in ms without other work', value: middle(idleP95Ms), bar: '', fits: null },
    atMost('api-draining', 'The same while a worker drains runs, as a multiple', middle(draining), 2),
  ]
} // biome-ignore format: a figure a line

export const oneActionFigures = (repeats: readonly OneActionRepeat[]): Figure[] => [
  speed('bare', 'Jobs per second that do nothing, graphile-worker alone', repeats.map(({ bare }) => bare)),
  speed('one', 'Runs per second of one action', repeats.map(({ one }) => one)),
  share('one/bare', 'As a share of the bare jobs', repeats.map(({ one, bare }) => [one, bare]), 0.3),
  ...cpu('bare-cpu', 'Processor time of a bare job in us, worker and PostgreSQL', repeats.map(({ bare }) => bare)),
  ...cpu('one-cpu', 'The same of a run of one action', repeats.map(({ one }) => one)),
] // biome-ignore format: a figure a line

const speed = (name: string, does: string, drained: Drained[]): Figure => ({
  ...{ name, does, value: median(drained.map(perSecond)), bar: '', fits: null },
})

function cpu(name: string, does: string, metered: Metered[]): Figure[] {
  const value = median(metered.map(({ cpuUs }) => cpuUs ?? Number.NaN))
  return Number.isNaN(value) ? [] : [{ name, does, value, bar: '', fits: null }]
}

function share(name: string, does: string, pairs: [Drained, Drained][], least?: number): Figure {
  const value = median(pairs.map(([ours, other]) => perSecond(ours) / perSecond(other)))
  const bar = least === undefined ? { bar: '', fits: null } : { bar: `>= ${least}`, fits: value >= least }
  return { name, does, value, ...bar, better: 'higher' }
}

const atMost = (name: string, does: string, value: number, most: number): Figure => ({
  ...{ name, does, value, bar: `<= ${most}`, fits: value <= most, better: 'lower' },
})

export function toFigureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, does, value, bar, fits }) => {
    const verdict = fits === null ? '' : fits ? 'met' : 'MISSED'
    return `${name.padEnd(16)} ${shown(value).padStart(8)}  ${`${bar} ${verdict}`.trim().padEnd(16)} ${does}`
  })
  return rows.join('\n')
}

const shown = (value: number) => (value >= 20 ? String(Math.round(value)) : value.toFixed(2))
