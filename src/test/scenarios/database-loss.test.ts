import '../own-world.ts'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { verify } from '../../verify/verify.ts'
import { dropDatabase, newDatabase, queryOn } from '../database.ts'
import { proxyTo } from '../fakes/proxy.ts'
import { startApiHere } from '../processes/api-here.ts'
import { type ApiProcess, ask, startApi } from '../processes/api-process.ts'
import { buildProgram } from '../processes/bundle.ts'
import { createCustomer, marking, type Outcome, startBurst, type Target } from '../processes/burst.ts'
import { ownPostgres } from '../processes/own-postgres.ts'
import { runProgram } from '../processes/program.ts'
import { inProof, proves, sample } from '../prove.ts'
import { member, theApp, theDatabase, withKey } from '../world.ts'

/** Longer than any request waits for a silent server. */
const silenceMs = inProof(13_000, 20_000)
const unlimited = { RATE_LIMIT_SCALE: '100' }

type Server = Awaited<ReturnType<typeof ownPostgres>>

type Fault = [string, (server: Server) => Promise<boolean>]
const stoppedAtOnce: Fault = ['it is stopped at once', async (server) => isRestarted(server, 'SIGQUIT')]

const frozen: Fault = [
  'it is frozen',
  async ({ toAll }) => {
    toAll('SIGSTOP')
    await sleep(silenceMs)
    toAll('SIGCONT')
    return false
  },
]

/**
 * The faults of PostgreSQL under load. Each answers whether it took place, where that does not follow from refused requests:
 * the API retries, so a short fault may refuse none.
 */
const faults: Fault[] = [
  ['its connections are terminated', async ({ superuser }) => (await terminateRepeatedly(5, superuser)) > 0],
  ...(proves ? [stoppedAtOnce] : []),
  ['it is killed', async (server) => isRestarted(server, 'SIGKILL')],
  ...(proves ? [frozen] : []), // to its clients it is as silent as the connections of the next test
]

/** Ends PostgreSQL and waits until its supervisor has started it again. */
async function isRestarted(server: Server, signal: 'SIGQUIT' | 'SIGKILL'): Promise<boolean> {
  const before = await startOf(server)
  await server.kill(signal)
  return (await startOf(server)) !== before
}

async function startOf({ superuser }: Server): Promise<string> {
  const [row] = await queryOn(superuser, 'select pg_postmaster_start_time()::text as at')
  return String(row?.at)
}

test.concurrent('FLT-04 INV-22: while PostgreSQL is cut off and killed under load, no process ends, no request waits for ever and no write is lost', async ({
  onTestFinished,
}) => {
  const server = await ownPostgres()
  onTestFinished(() => server.close())
  for (const statement of marking) await server.system.raw.query(statement)
  const api = await startApi(server.config, unlimited)
  const worker = await startWorker(server.config)
  onTestFinished(() => end(api.child, worker))
  const target = await signedUp(api)
  const burst = startBurst(target)
  await untilServed(burst)
  const wasFelt: Record<string, boolean> = {}
  for (const [name, produce] of faults) {
    const before = burst.outcomes.length
    const tookPlace = await produce(server)
    await untilServed(burst)
    wasFelt[name] = tookPlace || refusals(burst.outcomes.slice(before)).length > 0
  }
  await burst.stop()

  expect([api.child.exitCode, worker.exitCode]).toEqual([null, null])
  expect(refusals(burst.outcomes).filter((outcome) => !isUnavailable(outcome))).toEqual([])
  expect(wasFelt).toEqual(Object.fromEntries(faults.map(([name]) => [name, true])))

  const { rows } = await server.system.raw.query('select name from customers')
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(burst.acknowledged()))
  // A write that was not acknowledged may have been done; repeated with its key, it is done once.
  for (const { mark } of refusals(burst.outcomes))
    expect(await createCustomer(target, mark)).toMatchObject({ status: 201 })
  const names = burst.outcomes.map(({ mark }) => mark).sort()
  expect(await sorted(server.system.raw, 'select name as mark from customers')).toEqual(names)
  await vi.waitFor(async () => expect(await sorted(server.system.raw, 'select mark from test_marks')).toEqual(names), {
    timeout: 60_000,
    interval: 250,
  })
  expect(await verify(server)).toEqual([])
}, 600_000)

test.concurrent('FLT-04: connections that go silent are closed after a timeout of their holder, and replaced', async ({
  onTestFinished,
}) => {
  const system = theApp().system.raw
  for (const statement of marking) await system.query(statement)
  const amy = await member('CONTRIBUTOR')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  const proxy = await proxyTo(theDatabase())
  onTestFinished(() => proxy.close())
  const through = { ...theDatabase(), host: proxy.host, port: proxy.port }
  const { api, isRunning } = await servers(through, onTestFinished)
  const burst = startBurst({ url: api.url, authorization, organizationId: amy.organizationId ?? '' })
  await untilServed(burst)
  const before = burst.outcomes.length
  proxy.goDead()
  expect((await ask(`${api.url}/ready`)).status).toBe(503)
  await sleep(silenceMs)
  proxy.mend()
  await untilServed(burst)
  const during = burst.outcomes.slice(before)
  await vi.waitFor(async () => expect((await ask(`${api.url}/ready`)).status).toBe(200), 10_000)
  await burst.stop()

  expect(isRunning()).toBe(true)
  expect(refusals(during).length).toBeGreaterThan(0)
  expect(refusals(burst.outcomes).filter((outcome) => !isUnavailable(outcome))).toEqual([])
  const names = await sorted(system, 'select name as mark from customers')
  expect(names).toEqual(expect.arrayContaining(burst.acknowledged()))
  expect(new Set(names).size).toBe(names.length)
  await vi.waitFor(async () => expect(await sorted(system, 'select mark from test_marks')).toEqual(names), {
    timeout: 60_000,
    interval: 250,
  })
  const broken = await verify(theApp())
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
}, 300_000)

const refusals = (outcomes: Outcome[]) => outcomes.filter(({ status }) => status !== 201)
const isUnavailable = ({ status, code, retryAfter }: Outcome) =>
  status === 500 && code === 'UNAVAILABLE' && Number(retryAfter) > 0

/** Until ten more customers have been created. */
async function untilServed({ acknowledged }: { acknowledged(): string[] }) {
  const enough = acknowledged().length + 10
  await vi.waitFor(() => expect(acknowledged().length).toBeGreaterThan(enough), { timeout: 40_000, interval: 20 })
}

const sorted = async (pool: pg.Pool, text: string) =>
  (await pool.query<{ mark: string }>(text)).rows.map(({ mark }) => mark).sort()

async function startWorker(database: pg.PoolConfig): Promise<ChildProcess> {
  return runProgram(await buildProgram('worker'), { DATABASE: JSON.stringify(database) }, { quiet: true })
}

/**
 * An API and a worker. In `npm test` the API is this process, whose test fails if it meets an error that nobody handles: the
 * test before this one shows that an API of its own survives the loss of the server. The worker has rejections that only its
 * process handles.
 */
async function servers(database: Address, onTestFinished: TestContext['onTestFinished']) {
  const worker = await startWorker(database)
  onTestFinished(() => end(worker))
  if (!proves) {
    const api = await startApiHere(unlimited, database)
    onTestFinished(api.close)
    return { api, isRunning: () => worker.exitCode === null }
  }
  const api = await startApi(database, unlimited)
  onTestFinished(() => end(api.child))
  return { api, isRunning: () => api.child.exitCode === null && worker.exitCode === null }
}
type Address = Parameters<typeof startApi>[0]

async function end(...children: ChildProcess[]) {
  for (const child of children) {
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL'))
  }
}

/** Terminates the connections of everybody else, several times, and answers how many they were. */
async function terminateRepeatedly(times: number, config: pg.ClientConfig): Promise<number> {
  let terminated = 0
  for (let n = 0; n < times; n++) {
    const rows = await queryOn(
      config,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    terminated += rows.length
    await sleep(50)
  }
  return terminated
}

/** Signs a person up through the API, with an organization and a key. */
async function signedUp({ url }: ApiProcess): Promise<Target> {
  const post = (path: string, body: object, headers = {}) => ask(`${url}${path}`, { method: 'POST', body, headers })
  const person = { name: 'Amy', email: 'amy@example.test', password: 'correct horse' }
  const signUp = await post('/api/auth/sign-up', person)
  const headers = { cookie: signUp.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  const { body: organization } = await post('/api/organizations', { name: 'Acme', country: 'SG' }, headers)
  const { body: made } = await post('/api/api-keys', { name: 'k', scopes: ['*:*'], allOrgs: true }, headers)
  return { url, authorization: `Bearer ${made.secret}`, organizationId: organization.id ?? '' }
}

// They prepare the database in the same way.
test.each(sample(['api', 'worker'] as const, 2))(
  'FLT-04: kontor %s waits for a PostgreSQL that is starting up again after the first contact',
  async (command) => {
    const database = await newDatabase()
    onTestFinished(() => dropDatabase(database))
    const proxy = await proxyTo(database)
    onTestFinished(() => proxy.close())
    proxy.refuseAsStarting(2, 6, 8) // while it is prepared, when the keys are read, and when the server is checked
    const { host, port } = proxy
    const started = await startApi({ ...database, host, port }, {}, undefined, command)
    onTestFinished(async () => void (await started.kill('SIGKILL')))
    const waits = started.output().match(/Waiting for the database: the database system is starting up/g)
    expect(waits?.length).toBeGreaterThanOrEqual(2) // in a worker the last one is met by the queue, which tries again itself
    expect(proxy.connections).toBeGreaterThanOrEqual(8)
    expect(started.output()).not.toMatch(/^\s+at /m)
    expect(await started.kill('SIGTERM')).toBe(0)
  },
)
