import '../../test/own-world.ts'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import { newId } from '../../core/values/id.ts'
import type { BorrowedConnection } from '../../db/pool.ts'
import { type App, createApp } from '../../program/app.ts'
import { dropDatabase, newDatabase } from '../../test/database.ts'
import { changeJobs, removeJobs } from '../../test/queue.ts'
import { readMetrics } from '../../test/readers/prometheus.ts'
import { expectRefusal } from '../../test/refusal.ts'
import { member, operationNamed, send, stranger, testConfig, theApp, theDatabase, withKey } from '../../test/world.ts'

const token = 'CANARY-metrics-token-4c1f'

const apps: App[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function appWith(settings: Record<string, string>, database = theDatabase()) {
  const config = testConfig(settings)
  const app = await createApp(config, database)
  apps.push(app)
  return app
}

/** A server in strict mode on this file's database. `mode` is set afterwards, since strict mode refuses the key of the tests. */
async function strictApp(settings: Record<string, string> = {}) {
  const app = await createApp({ ...testConfig(settings), mode: 'strict' }, theDatabase())
  apps.push(app)
  return app
}

async function scrape(app = theApp(), headers: Record<string, string> = {}) {
  const { statusCode, payload } = await app.server.inject({ method: 'GET', url: '/metrics', headers })
  expect(statusCode).toBe(200)
  return readMetrics(payload)
}

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows

test('the page has the format of Prometheus and shows process, pools and queue', async () => {
  const { headers, status } = await send({ method: 'GET', url: '/metrics' })
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  const page = await scrape()
  expect(page.names).toEqual(
    expect.arrayContaining([
      'kontor_http_requests_total',
      'kontor_http_request_duration_seconds',
      'kontor_http_requests_in_flight',
      'kontor_rate_limited_total',
      'kontor_job_attempts_total',
      'kontor_job_duration_seconds',
      'kontor_pool_waiting',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'kontor_workers_alive',
      'kontor_mail_deliveries',
    ]),
  )
  expect(page.value('kontor_database_up')).toBe(1)
  expect(page.value('kontor_pool_connections', { pool: 'confined', state: 'max' })).toBe(12)
  expect(page.value('kontor_pool_connections', { pool: 'system', state: 'max' })).toBe(4)
})

test('every call is counted once, by operation and status class', async () => {
  const amy = await member('CONTRIBUTOR')
  const counted = async () => {
    const page = await scrape()
    const requests = (operation: string, status: string) =>
      page.value('kontor_http_requests_total', { operation, status }) ?? 0
    return [
      requests('customers_create', '2xx'),
      requests('customers_create', '4xx'),
      requests('customers_list', '2xx'),
      page.value('kontor_http_request_duration_seconds_count', { operation: 'customers_create' }) ?? 0,
    ]
  }
  const before = await counted()
  for (let n = 0; n < 3; n++) await amy.call('customers_create', { name: `C ${n}`, country: 'SG' })
  await expect(amy.call('customers_create', { name: '', country: 'SG' })).rejects.toMatchObject({ status: 400 })
  await stranger().request(operationNamed('customers_create'), { name: 'C', country: 'SG' })
  await amy.call('customers_list')
  const after = await counted()
  expect(after.map((value, i) => value - (before[i] ?? 0))).toEqual([3, 2, 1, 5])
  expect((await scrape()).value('kontor_http_requests_in_flight')).toBe(1) // the scrape itself
})

test('unknown paths and methods add no new label values', async () => {
  const withoutOperations = (names: string[]) => names.filter((each) => !operations.some(({ name }) => name === each))
  const before = (await scrape()).labelValues('operation')
  for (const url of [
    '/api/nothing',
    '/api/customers/a/b/c',
    '/.env',
    `/assets/${newId()}.js`,
    '//x',
    '/api/%2f',
    '/%zz',
  ])
    for (const method of ['GET', 'POST', 'DELETE']) await send({ method, url })
  await send({ method: 'GET', url: `/api/customers/${newId()}?organizationId=${newId()}` })
  const page = await scrape()
  expect(withoutOperations(page.labelValues('operation')).sort()).toEqual(
    [...new Set([...withoutOperations(before), 'none', 'GET /metrics'])].sort(),
  )
  expect(page.labelValues('status').every((status) => /^([1-5]xx|aborted|QUEUED|FAILED)$/.test(status))).toBe(true)
})

test('a caller who disconnects is no longer in flight and is counted as aborted', async () => {
  const app = await appWith({})
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /api/customers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  )
  await vi.waitFor(async () => expect((await scrape(app)).value('kontor_http_requests_in_flight')).toBe(2), 5_000)
  socket.destroy()
  await vi.waitFor(async () => {
    const page = await scrape(app)
    expect(page.value('kontor_http_requests_in_flight')).toBe(1)
    expect(page.value('kontor_http_requests_total', { operation: 'customers_create', status: 'aborted' })).toBe(1)
  }, 5_000)
})

test('a caller who disconnects after the last byte of a file is counted as answered', async () => {
  const lines: { path?: string }[] = []
  const log = new PassThrough()
  log.on('data', (line) => lines.push(JSON.parse(String(line))))
  const app = await createApp(testConfig({ LOG_LEVEL: 'info' }), theDatabase(), { log })
  apps.push(app)
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as { port: number }
  const amy = await member('CONTRIBUTOR')
  const file = { fileName: 'a.txt', base64: 'SGVsbG8=' }
  const { storageUrl } = await amy.call('organizations_file_upload', { file })
  const { pathname, search } = new URL(storageUrl)
  await fetchAndLeave(port, `${pathname}${search}`, { size: 'Hello'.length, times: 20 })
  await vi.waitFor(async () => {
    const page = await scrape(app)
    const counted = (status: string) =>
      page.value('kontor_http_requests_total', { operation: 'organizations_file', status })
    expect([counted('2xx'), counted('aborted')]).toEqual([20, undefined])
  }, 5_000)
  expect(lines.filter(({ path }) => path === pathname)).toHaveLength(20)
})

/** Reads answers to the last byte and disconnects, in a thread so that the event loop of the test cannot delay it. */
const fetchAndLeave = (port: number, path: string, { size, times }: { size: number; times: number }) =>
  new Promise<void>((resolve, reject) => {
    const program = `
      const { connect } = require('node:net')
      const { port, path, size, times } = require('node:worker_threads').workerData
      const next = (left) => {
        if (left === 0) return
        const socket = connect(port, '127.0.0.1', () => socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'))
        let read = Buffer.alloc(0)
        socket.on('close', () => next(left - 1)).on('data', (piece) => {
          read = Buffer.concat([read, piece])
          const body = read.indexOf('\\r\\n\\r\\n') + 4
          if (body > 4 && read.length >= body + size) socket.destroy()
        })
      }
      next(times)`
    const thread = new Worker(program, { eval: true, workerData: { port, path, size, times } })
    thread.once('error', reject).once('exit', () => resolve())
  })

test('a refusal by a rate limit is counted under that limit', async () => {
  const app = await appWith({ RATE_LIMIT_SCALE: '0.001' })
  const amy = await withKey(await member('VIEWER'))
  const ask = () => app.server.inject({ method: 'GET', url: '/api/customers', headers: { ...amy.credentials } })
  const statuses = [] as number[]
  for (let n = 0; n < 12; n++) statuses.push((await ask()).statusCode)
  const refused = statuses.filter((status) => status === 429).length
  expect(refused).toBeGreaterThan(0)
  const page = await scrape(app)
  const limits = page.labelValues('limit').map((limit) => page.value('kontor_rate_limited_total', { limit }) ?? 0)
  expect(limits.reduce((sum, each) => sum + each, 0)).toBe(refused)
})

test('the job metrics match the queue', async () => {
  const add = (more: string) => query(`select graphile_worker.add_job('figured', '{}'::json${more})`)
  await add('')
  await add(", run_at => now() - interval '90 seconds'")
  await add(", run_at => now() + interval '1 hour', flags => array['retry']")
  await add(", job_key => 'running'")
  await changeJobs("locked_at = now(), locked_by = 'w'", "key = 'running'")
  await query(
    "insert into failed_jobs (id, job, payload, attempts, error) values ($1, 'figured', '{}', 5, 'x'), ($2, 'gone', '{}', 5, 'x')",
    [newId(), newId()],
  )
  await query(
    "insert into worker_heartbeats (pool_id, process, seen_at) values ('here', 'h:1', now() - interval '20 seconds'), ('gone', 'h:2', now() - interval '40 seconds')",
  )
  const page = await scrape()
  const jobs = (state: string) => page.value('kontor_jobs', { job: 'figured', state })
  expect([jobs('waiting'), jobs('running'), jobs('delayed'), jobs('stuck')]).toEqual([2, 1, 1, 0])
  expect(page.value('kontor_jobs_oldest_waiting_seconds', { job: 'figured' })).toBeGreaterThanOrEqual(90)
  expect(page.value('kontor_jobs_retrying', { job: 'figured' })).toBe(1)
  expect(page.value('kontor_jobs_failed', { job: 'figured' })).toBe(1)
  expect(page.value('kontor_jobs_failed', { job: 'gone' })).toBe(1)
  expect(page.value('kontor_workers_alive')).toBe(1)
  expect(page.value('kontor_worker_heartbeat_age_seconds')).toBeGreaterThanOrEqual(20)
  await removeJobs("job = 'figured'")
  expect((await scrape()).value('kontor_jobs', { job: 'figured', state: 'waiting' })).toBe(0)
})

test('FLT-04: without a database the page reports that, and still shows the process', async () => {
  const database = await newDatabase()
  const app = await appWith({}, database)
  expect((await scrape(app)).value('kontor_database_up')).toBe(1)
  await dropDatabase(database)
  const page = await scrape(app)
  expect(page.value('kontor_database_up')).toBe(0)
  expect(page.names).not.toContain('kontor_jobs')
  expect(page.value('kontor_http_requests_total', { operation: 'GET /metrics', status: '2xx' })).toBe(1)
})

test('FLT-04: the page does not wait for a database that does not answer', async () => {
  const app = await appWith({})
  const lent: BorrowedConnection[] = []
  for (let n = 0; n < 4; n++) lent.push(await app.system.borrow())
  const pages = await Promise.all([scrape(app), scrape(app)])
  expect(pages.map((page) => page.value('kontor_database_up'))).toEqual([0, 0])
  expect(pages[0]?.value('kontor_pool_waiting', { pool: 'system' })).toBe(1) // both scrapes share one query
  for (const { giveBack } of lent) giveBack()
  await vi.waitFor(async () => expect((await scrape(app)).value('kontor_database_up')).toBe(1), 5_000)
})

test('in strict mode without METRICS_TOKEN there is no metrics page', async () => {
  const app = await strictApp()
  for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
    const { statusCode } = await app.server.inject({ method: 'GET', url: '/metrics', headers })
    expect(statusCode).toBe(404)
  }
  expect((await app.server.inject({ method: 'GET', url: '/health' })).statusCode).toBe(200)
})

test.each(['strict', 'local'] as const)('in %s mode only the METRICS_TOKEN opens the page', async (mode) => {
  const app = mode === 'strict' ? await strictApp({ METRICS_TOKEN: token }) : await appWith({ METRICS_TOKEN: token })
  const owner = await withKey(await member('OWNER'))
  const wrong = [
    {},
    owner.credentials,
    bearer(`${token}x`),
    bearer(token.slice(1)),
    bearer(token.toLowerCase()),
    { authorization: token },
  ]
  for (const headers of wrong) {
    const answer = await app.server.inject({ method: 'GET', url: '/metrics', headers: { ...headers } })
    expectRefusal({ status: answer.statusCode, body: answer.json(), headers: answer.headers }, 'UNAUTHENTICATED')
  }
  expect((await scrape(app, bearer(token))).value('kontor_database_up')).toBe(1)
})

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

test('INV-20: the page contains neither personal data nor secrets', async () => {
  const app = await strictApp({ METRICS_TOKEN: token })
  const amy = await withKey(await member('OWNER'))
  const canary = 'CANARY0b7f'
  const sent = [
    { url: `/api/${canary}?q=${canary}` },
    { url: `/api/customers?search=${canary}`, headers: amy.credentials },
    { url: `/api/customers/${canary}`, headers: { ...amy.credentials, 'x-request-id': canary, 'user-agent': canary } },
    { url: '/api/customers', headers: { authorization: `Bearer ${canary}`, traceparent: canary } },
    { url: '/api/auth/session', headers: { cookie: `sid=${canary}` } },
  ]
  for (const { url, headers = {} } of sent) await app.server.inject({ method: 'GET', url, headers: { ...headers } })
  await query(
    "insert into failed_jobs (id, organization_id, job, payload, attempts, error) values ($1, $2, 'secretive', $3, 1, $4)",
    [newId(), amy.organizationId, { to: canary }, canary],
  )
  const { payload } = await app.server.inject({ method: 'GET', url: '/metrics', headers: bearer(token) })
  expect(payload).toContain('secretive')
  const { authorization } = amy.credentials as { authorization: string }
  for (const secret of [canary, token, amy.userId, String(amy.organizationId), authorization.slice(7), 'example.test'])
    expect(payload).not.toContain(secret)
})

test('a worker without the API serves health, readiness and metrics with the same rules, and nothing else', async () => {
  const app = await strictApp({ METRICS_TOKEN: token })
  let isWorking = false
  const side = app.metricsServer(() => isWorking)
  const ask = async (url: string, headers = {}) => (await side.inject({ method: 'GET', url, headers })).statusCode
  expect(await ask('/health')).toBe(200)
  expect(await ask('/metrics')).toBe(401)
  expect(await ask('/metrics', bearer(token))).toBe(200)
  expect(await ask('/ready')).toBe(503)
  isWorking = true
  expect(await ask('/ready')).toBe(200)
  for (const url of ['/', '/docs', '/api/customers']) expect(await ask(url)).toBe(404)
  await side.close()
})
