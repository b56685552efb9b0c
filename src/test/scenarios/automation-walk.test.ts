import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFailed, onTestFinished, test, vi } from 'vitest'
import { type App, createApp } from '../../program/app.ts'
import { verify } from '../../verify/verify.ts'
import { buildProgram, runProgram } from '../processes/program.ts'
import { member, testConfig, theDatabase } from '../world.ts'
import { problemsOf } from './automation-walk/check.ts'
import { type Receivers, startReceivers } from './automation-walk/receivers.ts'
import { ask, createWalk, endPending, letTimePass, moveNames, takeStep, type Walk } from './automation-walk/walk.ts'
import { type Random, randomOf } from './bank/random.ts'

const long = process.env.KONTOR_PROVE === '1'
/** How many organizations, moves in each of them, and moves between two kills. */
const [organizations, movesEach, movesBetween] = long ? [4, 1_000, 60] : process.env.WALK_MOVES ? [2, Number(process.env.WALK_MOVES), 20] : [2, 45, 20]
const patienceMs = long ? 1_200_000 : 120_000

let program: string
beforeAll(async () => {
  program = await buildProgram('worker')
})

test('FLT-02 INV-11 INV-13 INV-14: while graphs are edited, runs cancelled and replayed, receivers fail and workers are killed, every effect happens once, and every other one is explained', async () => {
  const seed = Number(process.env.KONTOR_SEED ?? Date.now() % 1_000_000)
  onTestFailed(() => void process.stderr.write(`The walk over automations failed. To repeat its choices: KONTOR_SEED=${seed}\n`))
  const receivers = await startReceivers()
  const app = await createApp(testConfig(receivers.env), theDatabase())
  onTestFinished(() => app.close())
  await app.server.ready()
  const workers = await startWorkers(receivers)
  const all: Walk[] = []
  for (let n = 0; n < organizations; n++) all.push(await createWalk({ app, receivers }, await member('OWNER'), `walk${n}`))

  const random = randomOf(seed)
  for (let moved = 0; moved < movesEach; moved += movesBetween) {
    const walking = all.map((walk) => walkOn({ app, receivers, random: randomOf(random.below(2 ** 31)) }, walk))
    await sleep(random.below(500))
    await replaceOne(workers, receivers, random)
    await Promise.all(walking)
  }
  for (const { name } of all) receivers.moodOf.set(name, 'well')
  await Promise.all(all.map(endPending))
  await drain(app)

  const sent = { posts: receivers.posts, letters: receivers.letters() }
  for (const walk of all) expect(await problemsOf(app, walk, sent)).toEqual([])
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))))
  expect(await ask(app, 'select job, error from failed_jobs')).toEqual([])
  expect((await verify(app)).filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
  expectVariety(all, seed, await ask(app, 'select status, count(*)::int as runs from automation_runs group by 1 order by 1'))
}, patienceMs * 2) // biome-ignore format: a step a line

async function walkOn(tools: Parameters<typeof takeStep>[0], walk: Walk) {
  for (let moved = 0; moved < movesBetween; moved++) await takeStep(tools, walk)
}

/** The limits of one worker in three are so low that steps wait their turn. */
const scales = ['100', '100', '0.1']
const begin = ({ env }: Receivers, scale: string) =>
  runProgram(program, { DATABASE: JSON.stringify(theDatabase()), RATE_LIMIT_SCALE: scale, ...env })

async function startWorkers(receivers: Receivers): Promise<ChildProcess[]> {
  const workers = await Promise.all(scales.slice(1).map((scale) => begin(receivers, scale)))
  onTestFinished(() => void workers.map((worker) => worker.kill('SIGKILL')))
  return workers
}

async function replaceOne(workers: ChildProcess[], receivers: Receivers, random: Random) {
  const victim = random.below(workers.length)
  workers[victim]?.kill('SIGKILL')
  workers[victim] = await begin(receivers, random.pick(scales) ?? '100')
}

/** Up to five runs that are not over, with their steps, so that a failure shows why. */
const unfinished = (app: App) =>
  ask(app, `select r.id, r.token, r.waits, j.attempts, j.run_at - now() as due_in, j.locked_by, j.last_error,
      (select json_agg(json_build_array(s.block_id, s.status, s.attempt, s.error) order by s.id)
       from automation_steps s where s.run_id = r.id) as steps
    from automation_runs r left join graphile_worker._private_jobs j on j.payload::text like '%' || r.id || '%'
    where r.status = 'RUNNING' limit 5`) // biome-ignore format: a query

/** Workers go on until every run has ended. Nobody waits for retries and limits. */
const drain = (app: App) =>
  vi.waitFor(
    async () => {
      await letTimePass(app)
      expect(await unfinished(app)).toEqual([])
    },
    { timeout: patienceMs, interval: 300 },
  )

/** In the long form every move has been made, and runs have ended in every way. */
function expectVariety(all: readonly Walk[], seed: number, statuses: unknown) {
  if (!long && !process.env.WALK_MOVES) return
  const done = new Map<string, number>()
  for (const walk of all) for (const [name, times] of walk.done) done.set(name, (done.get(name) ?? 0) + times)
  process.stderr.write(`Seed ${seed}: ${JSON.stringify(Object.fromEntries(done))} ${JSON.stringify(statuses)}\n`)
  expect([...done.keys()]).toEqual(expect.arrayContaining(moveNames))
}
