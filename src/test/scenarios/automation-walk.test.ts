import '../own-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { queueTables } from '../../db/queue.ts'
import { type App, createApp } from '../../program/app.ts'
import { verify } from '../../verify/verify.ts'
import { inProof, proves } from '../prove.ts'
import { member, testConfig, theDatabase } from '../world.ts'
import { problemsOf } from './automation-walk/check.ts'
import { startReceivers } from './automation-walk/receivers.ts'
import { ask, createWalk, endPending, letTimePass, moveNames, takeStep, type Walk } from './automation-walk/walk.ts'
import { startWorkers } from './automation-walk/workers.ts'
import { randomOf, seedOf } from './bank/random.ts'
import { doneBy } from './expenses/walk.ts'

/** How many organizations, and moves in each of them. */
const [organizations, movesEach] = inProof([1, 24], [4, 500])
/**
 * How often a worker is disturbed at most, while the walks go on. In `npm test` the walk has one worker, this process, which nobody
 * disturbs; automations.test.ts kills and freezes workers.
 */
const faultsMax = inProof(0, Number.POSITIVE_INFINITY)
const patienceMs = inProof(120_000, 1_200_000)

const faults = proves ? 'FLT-02: workers are killed' : 'nobody kills a worker'

test(
  `INV-11 INV-13 INV-14: while graphs are edited, runs cancelled and replayed, receivers fail and ${faults}, every effect happens once, and every other one is explained`,
  async () => {
    const seed = seedOf('The walk over automations')
    const receivers = await startReceivers()
    const app = await createApp(testConfig(receivers.env), theDatabase())
    onTestFinished(() => app.close())
    await app.server.ready()
    const workers = await startWorkers(receivers.env)
    const all: Walk[] = []
    for (let n = 0; n < organizations; n++)
      all.push(await createWalk({ app, receivers }, await member('OWNER'), `walk${n}`))

    const random = randomOf(seed)
    let isOver = false
    const walking = Promise.all(all.map((walk, n) => walkOn({ app, receivers, random: randomOf(seed * 10 + n) }, walk)))
    const disturbing = (async () => {
      for (let faults = 0; !isOver && faults < faultsMax; faults++) {
        await workers.disturb(random)
        await sleep(random.between(200, 2_000))
      }
    })()
    await walking.finally(() => {
      isOver = true
      return disturbing
    })
    await workers.mend()
    for (const { name } of all) receivers.moodOf.set(name, 'well')
    await Promise.all(all.map(endPending))
    await drain(app)

    const sent = { posts: receivers.posts, letters: receivers.letters() }
    for (const walk of all) expect(await problemsOf(app, walk, sent)).toEqual([])
    await workers.stop()
    expect(await ask(app, 'select job, error from failed_jobs')).toEqual([])
    expect((await verify(app)).filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
    expectVariety(
      all,
      await ask(app, 'select status, count(*)::int as runs from automation_runs group by 1 order by 1'),
      workers.counts,
    )
  },
  patienceMs * 2,
)

async function walkOn(tools: Parameters<typeof takeStep>[0], walk: Walk) {
  for (let moved = 0; moved < movesEach; moved++) await takeStep(tools, walk)
}

/** Up to five runs that are not over, with their steps, so that a failure shows why. */
const unfinished = (app: App) =>
  ask(
    app,
    `select r.id, r.token, r.waits, j.attempts, j.run_at - now() as due_in, j.locked_by, j.last_error,
      (select json_agg(json_build_array(s.block_id, s.status, s.attempt, s.error) order by s.id)
       from automation_steps s where s.run_id = r.id) as steps
    from automation_runs r left join ${queueTables.jobs} j on j.payload::text like '%' || r.id || '%'
    where r.status = 'RUNNING' limit 5`,
  )

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
function expectVariety(all: readonly Walk[], statuses: unknown, counts: unknown) {
  if (!proves) return
  const done = doneBy(all)
  process.stderr.write(`${JSON.stringify(done)} ${JSON.stringify(statuses)} ${JSON.stringify(counts)}\n`)
  expect(Object.keys(done)).toEqual(expect.arrayContaining(moveNames))
}
