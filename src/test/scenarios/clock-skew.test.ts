import '../own-world.ts'
import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkSignedQuery, signedQuery } from '../../core/secrets/signed-url.ts'
import { newId } from '../../core/values/id.ts'
import { type ApiProcess, ask, startApi } from '../processes/api-process.ts'
import { buildProgram } from '../processes/bundle.ts'
import { runProgram } from '../processes/program.ts'
import { proves } from '../prove.ts'
import { member, person, theApp, theDatabase, withKey } from '../world.ts'

/** FLT-07: processes whose clocks are ten minutes wrong. The test's own process and the database have the right time. */

const tenMinutes = 10 * 60_000
const skewed = (skewMs: number) => ({
  NODE_OPTIONS: `--import=${new URL('../processes/clock-skew.mjs', import.meta.url)}`,
  SKEW_MS: String(skewMs),
})

const query = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

const running: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(running.splice(0).map((stop) => stop())))

let fast: ApiProcess
let slow: ApiProcess
beforeAll(async () => {
  await query('create table test_marks (mark text not null)')
  await query('grant insert, select on test_marks to kontor_confined')
  ;[fast, slow] = (await Promise.all([tenMinutes, -tenMinutes].map(startSkewed))) as [ApiProcess, ApiProcess]
  const clockOf = async ({ url }: ApiProcess) => Date.parse((await ask(`${url}/api/tools`)).body.generatedAt ?? '')
  expect((await clockOf(fast)) - (await clockOf(slow))).toBeGreaterThan(1.9 * tenMinutes) // they are really apart
})

async function startSkewed(skewMs: number) {
  const api = await startApi(theDatabase(), skewed(skewMs))
  running.push(() => api.kill('SIGTERM'))
  return api
}

test('FLT-07: sessions, keys and retries last by the clock of the database, whichever process answers', async () => {
  const email = `${newId()}@example.test`
  const body = { name: 'Amy', email, password: 'correct horse battery' }
  const signedUp = await ask(`${fast.url}/api/auth/sign-up`, { method: 'POST', body })
  expect(signedUp.status).toBe(201)
  const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  const [lasts] = await query(
    `select extract(epoch from s.ends_at - now())::float8 / 86400 as days from sessions s join users u on u.id = s.user_id where u.email = $1`,
    [email],
  )
  expect(Math.abs(Number(lasts?.days) - 7)).toBeLessThan(0.005)

  // Signed in 11:55 hours ago: recent enough to create a key, whatever the clock of the process says.
  const age = (hours: number) =>
    query(
      `update sessions s set signed_in_at = now() - make_interval(mins => $2), last_seen_at = now() from users u where u.id = s.user_id and u.email = $1`,
      [email, Math.round(hours * 60)],
    )
  const makeKey = ({ url }: ApiProcess, name: string) =>
    ask(`${url}/api/api-keys`, { method: 'POST', body: { name, scopes: ['*:*'] }, headers: { cookie } })
  await age(11 + 55 / 60)
  expect([(await makeKey(fast, 'a')).status, (await makeKey(slow, 'b')).status]).toEqual([201, 201])
  await age(12 + 5 / 60)
  expect([(await makeKey(fast, 'c')).status, (await makeKey(slow, 'd')).status]).toEqual([403, 403])

  // A key that expires in five minutes works at both processes, one that expired five minutes ago at neither.
  const amy = await member('OWNER')
  const inMinutes = async (minutes: number) => {
    const { credentials } = await withKey(amy, ['*:*'], {
      allOrgs: true,
      expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
    })
    const headers = { ...credentials }
    return Promise.all([fast, slow].map(async ({ url }) => (await ask(`${url}/api/customers`, { headers })).status))
  }
  expect(await inMinutes(5)).toEqual([200, 200])
  expect(await inMinutes(-5)).toEqual([401, 401])

  // A retry finds its answer at the other process; a valid lease is respected and an expired one is taken over.
  const headers = { ...(await withKey(amy)).credentials, 'idempotency-key': 'k' }
  const create = ({ url }: ApiProcess, key = 'k') =>
    ask(`${url}/api/customers`, {
      method: 'POST',
      body: { organizationId: amy.organizationId, name: 'Globex', country: 'SG' },
      headers: { ...headers, 'idempotency-key': key },
    })
  const [first, again] = [await create(fast), await create(slow)]
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
  const lease = (until: string) =>
    query(
      `update idempotency_keys set status = null, body = null, locked_until = now() + $1::interval where key = 'k'`,
      [until],
    )
  await lease('5 minutes')
  expect([(await create(fast)).status, (await create(slow)).status]).toEqual([409, 409])
  await lease('-1 second')
  expect((await create(fast)).status).toBe(201)
})

test('FLT-07: the calls of a key are recorded with the time of the database', async () => {
  const amy = await member('OWNER')
  const { credentials } = await withKey(amy)
  for (const { url } of [fast, slow, fast]) await ask(`${url}/api/customers`, { headers: { ...credentials } })
  await vi.waitFor(async () => {
    const calls = await query<{ off: number }>(
      `select abs(extract(epoch from now() - created_at))::float8 as off from api_key_calls where user_id = $1`,
      [amy.userId],
    )
    expect(calls).toHaveLength(3)
    for (const { off } of calls) expect(off).toBeLessThan(60)
  }, 15_000)
})

// In `npm test` src/worker/clock.test.ts fires periods by the clock of the database.
test.runIf(proves)(
  'FLT-07 INV-12: workers whose clocks are twenty minutes apart do each job once and fire each period once',
  async () => {
    const { organizationId } = await member('OWNER')
    await query("update organizations set created_at = now() - interval '30 days', timezone = 'Asia/Kathmandu'")
    const marks = Array.from({ length: 60 }, () => newId())
    await query(
      `select set_config('app.organization', $1, false), enqueue('test-mark', jsonb_build_object('mark', m)) from unnest($2::text[]) m`,
      [organizationId, marks],
    )
    await query("select graphile_worker.add_job('tick-clock') from generate_series(1, 20)")
    const program = await buildProgram('skewed-worker')
    const env = { DATABASE: JSON.stringify(theDatabase()) }
    const workers = await Promise.all(
      [tenMinutes, -tenMinutes].map((skewMs) => runProgram(program, { ...env, ...skewed(skewMs) })),
    )
    running.push(...workers.map((worker) => () => ended(worker)))
    // Mail to the people who signed up above is no job of these workers.
    const waiting = () => query("select from graphile_worker.jobs where task_identifier <> 'account-mail'")
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 60_000, interval: 250 })

    const done = (await query<{ mark: string }>('select mark from test_marks')).map(({ mark }) => mark)
    expect(done.filter((mark) => marks.includes(mark)).sort()).toEqual([...marks].sort())
    const events = await query<{ id: string; off: number }>(
      `select id, abs(extract(epoch from now() - (payload ->> 'firedAt')::timestamptz))::float8 as off from events where type like 'schedule.%'`,
    )
    const organizations = await query('select from organizations')
    expect(events).toHaveLength(2 * organizations.length) // an hour and a day each
    for (const { off } of events) expect(off).toBeLessThan(120)
    expect(done.filter((mark) => !marks.includes(mark)).sort()).toEqual(events.map(({ id }) => id).sort())
    expect(await query('select from failed_jobs')).toEqual([])
  },
)

const ended = (worker: ChildProcess) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))

test('FLT-07: a signed link of a process whose clock is wrong by a minute is valid for its lifetime', async () => {
  const key = theApp().services.secrets.derived('signed-url')
  const object = { purpose: 'download', objectId: newId(), organizationId: (await person()).userId }
  const at = (seconds: number) => new Date(Date.UTC(2026, 2, 2) + seconds * 1_000)
  const link = signedQuery(key, object, { now: at(0), lifeS: 900 })
  const opens = (seconds: number) => checkSignedQuery(key, object, { query: link, now: at(seconds) }) !== undefined
  expect([opens(-600), opens(0), opens(900), opens(960)]).toEqual([true, true, true, true])
  expect([opens(961), opens(1_500)]).toEqual([false, false])
})
