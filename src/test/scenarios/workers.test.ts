import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { verify } from '../../verify/verify.ts'
import { type ApiProcess, startApi } from '../processes/api-process.ts'
import { createCustomer, marking, type Target, type Told } from '../processes/burst.ts'
import { buildProgram, runProgram } from '../processes/program.ts'
import { member, theApp, theDatabase, withKey } from '../world.ts'

/** The long form is `npm run prove`. */
const long = process.env.KONTOR_PROVE === '1'
const [jobCount, organizationCount, kills] = long ? [10_000, 50, 40] : [150, 8, 4]

beforeAll(async () => {
  for (const statement of marking) await theApp().system.raw.query(statement)
})

async function order(count: number, organizationIds: string[]) {
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

/** Creates so many customers, by whichever process is asked; each orders a job, committed with it. */
async function createThrough(processes: ApiProcess[], people: Target[], howMany: number) {
  let next = 0
  const refused: Told[] = []
  const client = async (n: number) => {
    while (next < howMany) {
      const person = people[next++ % people.length] as Target
      const told = await createCustomer({ ...person, url: processes[n % processes.length]?.url ?? '' }, newId())
      if (told.status !== 201) refused.push(told)
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, n) => client(n)))
  return refused
}

test('FLT-02 FLT-05 INV-11: two APIs order, three workers are killed at random: every job is done exactly once, and none is lost', async () => {
  const unlimited = { RATE_LIMIT_SCALE: '100' }
  const processes = await Promise.all([startApi(theDatabase(), unlimited), startApi(theDatabase(), unlimited)])
  onTestFinished(() => Promise.all(processes.map((api) => api.kill('SIGKILL'))).then(() => {}))
  const people: Target[] = []
  while (people.length < organizationCount) people.push(await someone())
  const program = await buildProgram('worker')
  const env = { DATABASE: JSON.stringify(theDatabase()) }
  const workers: ChildProcess[] = await Promise.all([1, 2, 3].map(() => runProgram(program, env)))
  onTestFinished(() => void workers.map((worker) => worker.kill('SIGKILL')))
  const creating = createThrough(processes, people, jobCount)
  for (let killed = 0; killed < kills; killed++) {
    await sleep(200 + Math.random() * 300)
    const victim = Math.floor(Math.random() * workers.length)
    workers[victim]?.kill('SIGKILL')
    workers[victim] = await runProgram(program, env)
  }
  expect(await creating).toEqual([])
  await vi.waitFor(async () => expect((await count()).marks).toBe(jobCount), { timeout: 60_000, interval: 250 })
  expect(await count()).toEqual({ rows: jobCount, marks: jobCount })
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))))
  const { rows } = await theApp().system.raw.query(
    "select count(*)::int as left from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'test-mark'",
  )
  expect(rows[0].left).toBe(0)
  const { rows: given } = await theApp().system.raw.query('select job from failed_jobs')
  expect(given).toEqual([])
  const broken = await verify(theApp())
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // a server for tests keeps nothing over a power cut
}, 600_000)

async function someone(): Promise<Target> {
  const amy = await member('OWNER')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  return { url: '', authorization, organizationId: amy.organizationId ?? '' }
}

test('FLT-03: a worker that was frozen past its time wakes up to find its jobs done by others, and repeats none', async () => {
  const { organizationId } = await member('OWNER')
  await theApp().system.raw.query('truncate test_marks')
  const marks = await order(120, [organizationId ?? ''])
  const program = await buildProgram('worker')
  const env = { DATABASE: JSON.stringify(theDatabase()) }
  const [zombie, living] = await Promise.all([runProgram(program, env), runProgram(program, env)])
  await sleep(150)
  zombie.kill('SIGSTOP')
  await vi.waitFor(async () => expect((await count()).marks).toBe(marks.length), { timeout: 30_000, interval: 250 })
  zombie.kill('SIGCONT')
  await sleep(1_000)
  expect(await count()).toEqual({ rows: marks.length, marks: marks.length })
  await Promise.all(
    [zombie, living].map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))),
  )
}, 90_000)
