import '../own-world.ts'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { verify } from '../../verify/verify.ts'
import { startApiHere } from '../processes/api-here.ts'
import { startApi } from '../processes/api-process.ts'
import { buildProgram } from '../processes/bundle.ts'
import { createCustomer, marking, type Outcome, type Target } from '../processes/burst.ts'
import { runProgram } from '../processes/program.ts'
import { startWorkerHere } from '../processes/worker-here.ts'
import { inProof, proves } from '../prove.ts'
import { findJobs } from '../queue.ts'
import { member, theApp, theDatabase, withKey } from '../world.ts'

/**
 * How many jobs, organizations, APIs, workers and kills. In `npm test` the API and the worker that goes on are this process: only
 * a worker that is killed needs its own.
 */
const [jobCount, organizationCount] = inProof([60, 3], [10_000, 50])
const [apiCount, workerCount, kills] = inProof([1, 2, 1], [2, 3, 40])
const unlimited = { RATE_LIMIT_SCALE: '100' }

async function anApi(): Promise<{ url: string }> {
  if (!proves) {
    const here = await startApiHere(unlimited)
    onTestFinished(here.close)
    return here
  }
  const api = await startApi(theDatabase(), unlimited)
  onTestFinished(async () => void (await api.kill('SIGKILL')))
  return api
}

/** A worker that may be killed. */
async function workerProcess(): Promise<ChildProcess> {
  const worker = await runProgram(await buildProgram('worker'), { DATABASE: JSON.stringify(theDatabase()) })
  onTestFinished(() => void worker.kill('SIGKILL'))
  return worker
}

/** A worker that nobody kills; it ends its jobs before it stops. */
async function anotherWorker(): Promise<() => Promise<unknown>> {
  if (proves) return ending(await workerProcess())
  const stop = await startWorkerHere()
  onTestFinished(stop)
  return stop
}

const ending = (worker: ChildProcess) => () => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))

beforeAll(async () => {
  for (const statement of marking) await theApp().system.raw.query(statement)
})

async function addJobs(count: number, organizationIds: string[]) {
  const pool = theApp().system.raw
  const marks = Array.from({ length: count }, () => newId())
  for (const [index, organizationId] of organizationIds.entries()) {
    const mine = marks.filter((_, i) => i % organizationIds.length === index)
    await pool.query(
      `select set_config('app.organization', $1, false), enqueue('test-mark', jsonb_build_object('mark', m)) from unnest($2::text[]) m`,
      [organizationId, mine],
    )
  }
  return marks
}

const count = async () => {
  const { rows } = await theApp().system.raw.query(
    'select count(*)::int as rows, count(distinct mark)::int as marks from test_marks',
  )
  return rows[0] as { rows: number; marks: number }
}

/** Creates customers through several processes; each adds a job in the same transaction. */
async function createThrough(processes: { url: string }[], people: Target[], howMany: number) {
  let next = 0
  const refused: Outcome[] = []
  const client = async (n: number) => {
    while (next < howMany) {
      const person = people[next++ % people.length] as Target
      const outcome = await createCustomer({ ...person, url: processes[n % processes.length]?.url ?? '' }, newId())
      if (outcome.status !== 201) refused.push(outcome)
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, n) => client(n)))
  return refused
}

test('FLT-02 FLT-05 INV-11: while APIs add jobs and workers are killed at random, every job is done exactly once', async () => {
  const processes = await Promise.all(Array.from({ length: apiCount }, anApi))
  const people: Target[] = []
  while (people.length < organizationCount) people.push(await someone())
  const victims = await Promise.all(Array.from({ length: workerCount - 1 }, workerProcess))
  const stopOther = await anotherWorker()
  const creating = createThrough(processes, people, jobCount)
  for (let killed = 0; killed < kills; killed++) {
    await sleep(200 + Math.random() * 300)
    const victim = Math.floor(Math.random() * victims.length)
    victims[victim]?.kill('SIGKILL')
    if (proves) victims[victim] = await workerProcess()
  }
  expect(await creating).toEqual([])
  await vi.waitFor(async () => expect((await count()).marks).toBe(jobCount), { timeout: 60_000, interval: 250 })
  expect(await count()).toEqual({ rows: jobCount, marks: jobCount })
  await Promise.all([stopOther(), ...(proves ? victims.map((worker) => ending(worker)()) : [])])
  expect(await findJobs("job = 'test-mark'")).toEqual([])
  const { rows: given } = await theApp().system.raw.query('select job from failed_jobs')
  expect(given).toEqual([])
  const broken = await verify(theApp())
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
}, 600_000)

async function someone(): Promise<Target> {
  const amy = await member('OWNER')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  return { url: '', authorization, organizationId: amy.organizationId ?? '' }
}

/** Jobs that a worker has taken and not ended. */
const held = async (): Promise<number> => (await findJobs('locked_by is not null')).length

test('FLT-03: a worker frozen past its time finds its jobs done by another when it continues, and repeats none', async () => {
  const { organizationId } = await member('OWNER')
  await theApp().system.raw.query('truncate test_marks')
  const marks = await addJobs(120, [organizationId ?? ''])
  const frozen = await workerProcess()
  await vi.waitFor(async () => expect(await held()).toBeGreaterThan(0), { timeout: 10_000, interval: 5 })
  frozen.kill('SIGSTOP')
  const heldByFrozen = await held()
  expect(heldByFrozen).toBeGreaterThan(0)
  const stopOther = await anotherWorker()
  await vi.waitFor(async () => expect((await count()).marks).toBe(marks.length), { timeout: 30_000, interval: 250 })
  frozen.kill('SIGCONT')
  // A worker first ends the jobs it has begun, then stops.
  await Promise.all([ending(frozen)(), stopOther()])
  expect(await count()).toEqual({ rows: marks.length, marks: marks.length })
})
