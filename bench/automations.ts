import type pg from 'pg'
import { type Ground, prepareGround } from './automation-ground.ts'
import { type Child, start } from './ipc.ts'
import type { Fire, Fired } from './load.ts'
import type { Measure } from './measures.ts'

export const automationsMeasure = 'automations'

type Means = {
  database: pg.PoolConfig
  /** The settings of our processes. */
  env: Record<string, string>
  /** Our API, and who asks it. */
  url: string
  load: Child
  get: Measure | undefined
  setting: { repeats: number; seconds: number; connections: number }
}

/** A figure beside its bar; `fits` says whether it keeps it. */
type Figure = { name: string; does: string; value: number; bar: string; fits: boolean | null }

const runsCount = Number(process.env.BENCH_RUNS ?? 1600)

/** From events to finished runs, beside what graphile-worker does with jobs that do nothing (LOAD-13 and its kin). */
export async function benchAutomations(means: Means): Promise<Figure[]> {
  const ground = await prepareGround(means.database)
  try {
    const rates: Rates[] = []
    for (let repeat = 0; repeat < means.setting.repeats; repeat++) {
      rates.push(await measureRates(ground, means))
      console.log(`  ${JSON.stringify(rates.at(-1))}`)
    }
    const beside = await measureApi(ground, means)
    await ground.requireSuccess()
    return figuresOf(rates, beside)
  } finally {
    await ground.close()
  }
}

type Rates = Awaited<ReturnType<typeof measureRates>>

/** All in turns, so that whatever else the machine does meets all of them. */
async function measureRates(ground: Ground, means: Means) {
  const bare = await withWorkers(means, 'bare', 1, () => rate(runsCount, ground.orderBare, () => ground.bareAreOver()))
  const of = (type: string, share = 1) =>
    rate(
      Math.ceil(runsCount * share),
      (count) => ground.fire(type, count),
      () => ground.runsAreOver(),
    )
  const alone = await withWorkers(means, 'work', 1, async () => {
    await of('bench.one', 0.5) // warms up
    return {
      one: await of('bench.one'),
      filter: await of('bench.filter'),
      twenty: await of('bench.twenty', 0.1),
      post: await of('bench.post'),
    }
  })
  const two = await withWorkers(means, 'work', 2, async () => {
    await of('bench.one', 0.25)
    return { filter: await of('bench.filter'), post: await of('bench.post') }
  })
  return { bare, alone, two }
}

async function withWorkers<T>({ database, env }: Means, kind: 'work' | 'bare', count: number, work: () => Promise<T>) {
  const workers = Array.from({ length: count }, () => start('our-worker', env))
  try {
    await Promise.all(workers.map((worker) => worker.ask(kind, database)))
    return await work()
  } finally {
    for (const worker of workers) worker.stop()
  }
}

/** How many a second, from the moment that they are all ordered. */
async function rate(count: number, order: (count: number) => Promise<unknown>, over: () => Promise<void>) {
  await order(count)
  const began = performance.now()
  await over()
  return Math.round(count / ((performance.now() - began) / 1000))
}

/** How long the API takes for a plain GET, while nothing else happens and while a worker has more to do than it can. */
async function measureApi(ground: Ground, means: Means) {
  const { url, load, get, setting } = means
  if (!get) throw new Error('There is no measure get.')
  const { connections, seconds } = setting
  const fire: Fire = { url, connections, seconds, requests: get.ours, keys: undefined, beside: undefined }
  const ask = async () => (await load.ask<Fired>('fire', fire)).p95Ms
  const idle = await ask()
  const draining = await withWorkers(means, 'work', 1, async () => {
    await ground.fire('bench.one', seconds * 1_000)
    const p95Ms = await ask()
    await ground.runsAreOver()
    return p95Ms
  })
  return { idle, draining }
}

function figuresOf(rates: Rates[], api: { idle: number; draining: number }): Figure[] {
  const middle = (of: (rate: Rates) => number) => median(rates.map(of))
  const atLeast = (name: string, does: string, value: number, least: number): Figure => ({
    ...{ name, does, value, bar: `>= ${least}`, fits: value >= least },
  })
  const atMost = (name: string, does: string, value: number, most: number): Figure => ({
    ...{ name, does, value, bar: `<= ${most}`, fits: value <= most },
  })
  const plain = (name: string, does: string, value: number): Figure => ({ name, does, value, bar: '', fits: null })
  return [
    plain('bare', 'Jobs a second that do nothing, graphile-worker alone', middle(({ bare }) => bare)),
    plain('one', 'Runs a second of one action', middle(({ alone }) => alone.one)),
    atLeast('one/bare', 'Its share of the bare jobs', middle(({ alone, bare }) => alone.one / bare), 0.25),
    plain('filter', 'Runs a second of a filter and two actions, one worker', middle(({ alone }) => alone.filter)),
    plain('filter-two', 'The same with two workers', middle(({ two }) => two.filter)),
    plain('filter/bare', 'Its share of the bare jobs, one worker', middle(({ alone, bare }) => alone.filter / bare)),
    plain('filter-two/one', 'What the second worker adds', middle(({ two, alone }) => two.filter / alone.filter)),
    plain('post', 'Runs a second of a webhook that is answered after 50 ms', middle(({ alone }) => alone.post)),
    atLeast('post-two/one', 'What the second worker adds', middle(({ two, alone }) => two.post / alone.post), 1.6),
    atMost('twenty/one', 'A run of 20 steps, against 20 runs of one', middle(({ alone }) => alone.one / 20 / alone.twenty), 1.2),
    plain('api-idle', 'p95 of a GET in ms while nothing else happens', api.idle),
    atMost('api-draining', 'The same while a worker drains runs, as a multiple', api.draining / api.idle, 2),
  ] // biome-ignore format: a figure a line
}

export function toFigureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, does, value, bar, fits }) => {
    const verdict = fits === null ? '' : fits ? 'kept' : 'MISSED'
    const shown = value >= 20 ? String(Math.round(value)) : value.toFixed(2)
    return `${name.padEnd(16)} ${shown.padStart(8)}  ${`${bar} ${verdict}`.trim().padEnd(16)} ${does}`
  })
  return rows.join('\n')
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
