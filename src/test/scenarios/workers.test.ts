import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../core/id.ts'
import { testSecretsKey } from '../database.ts'
import { buildProgram, runProgram } from '../program.ts'
import { member, theApp, theDatabase } from '../world.ts'

/** The long form is `npm run prove`. */
const long = process.env.KONTOR_PROVE === '1'
const [jobCount, organizationCount, kills] = long ? [10_000, 50, 40] : [400, 8, 5]

beforeAll(async () => {
  const pool = theApp().system.raw
  await pool.query('create table test_marks (mark text not null, made_at timestamptz default now())')
  await pool.query('grant insert, select on test_marks to kontor_confined')
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

test('FLT-02 FLT-05: workers killed at random do every job exactly once, and lose none', async () => {
  const organizations = await Promise.all(Array.from({ length: organizationCount }, () => member('OWNER')))
  const marks = await order(
    jobCount,
    organizations.map(({ organizationId }) => organizationId ?? ''),
  )
  const program = await buildProgram('worker')
  const env = { DATABASE: JSON.stringify(theDatabase()), KONTOR_SECRETS_KEY: testSecretsKey, LOG_LEVEL: 'silent' }
  const workers: ChildProcess[] = await Promise.all([1, 2, 3].map(() => runProgram(program, env)))
  for (let killed = 0; killed < kills; killed++) {
    await sleep(200 + Math.random() * 300)
    const victim = Math.floor(Math.random() * workers.length)
    workers[victim]?.kill('SIGKILL')
    workers[victim] = await runProgram(program, env)
  }
  await vi.waitFor(async () => expect((await count()).marks).toBe(marks.length), { timeout: 60_000, interval: 250 })
  expect(await count()).toEqual({ rows: marks.length, marks: marks.length })
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))))
  const { rows } = await theApp().system.raw.query(
    "select count(*)::int as left from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'test-mark'",
  )
  expect(rows[0].left).toBe(0)
}, 180_000)

test('FLT-03: a worker that was frozen past its time wakes up to find its jobs done by others, and repeats none', async () => {
  const { organizationId } = await member('OWNER')
  await theApp().system.raw.query('truncate test_marks')
  const marks = await order(120, [organizationId ?? ''])
  const program = await buildProgram('worker')
  const env = { DATABASE: JSON.stringify(theDatabase()), KONTOR_SECRETS_KEY: testSecretsKey, LOG_LEVEL: 'silent' }
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
