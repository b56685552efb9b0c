import '../../test/own-world.ts'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchFullDisks } from '../../core/observe/full-disks.ts'
import { createApp } from '../../program/app.ts'
import { startPooler } from '../../test/fakes/pooler.ts'
import { testConfig, theDatabase } from '../../test/world.ts'
import { createOutages } from './outages.ts'

const lost = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test('an outage is logged when it begins and when it ends, however many errors it has', async () => {
  const log = { error: vi.fn(), warn: vi.fn() }
  let isBack = false
  const outages = createOutages(async () => (isBack ? undefined : Promise.reject(lost())), log)
  onTestFinished(() => outages.close())
  const waited = new Error('No connection became free.')
  expect(outages.cover(waited)).toBe(false) // too many requests, as far as is known
  for (let n = 0; n < 50; n++) expect(outages.cover(lost())).toBe(true)
  expect(outages.cover(waited)).toBe(true)
  expect(outages.cover(new Error('a mistake of ours'))).toBe(false)
  expect(log.error.mock.calls).toEqual([[{ reason: 'connect ECONNREFUSED' }, 'The database cannot be reached.']])
  await vi.waitFor(() => expect(log.warn).not.toHaveBeenCalled())
  isBack = true
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), 5_000)
  expect(log.warn.mock.calls[0]).toEqual([
    { ms: expect.any(Number) },
    expect.stringMatching(/^The database can be reached again, after \d+\.\d s\.$/),
  ])
  expect(outages.cover(lost())).toBe(true)
  expect(log.error).toHaveBeenCalledTimes(2) // the next outage
})

test('FLT-08: while the disk of the database is full, PostgreSQL may end and start again without lines of its own', async () => {
  const log = { error: vi.fn(), warn: vi.fn() }
  const changes: string[] = []
  let hasSpace = false
  const disks = watchFullDisks({
    probes: { database: async () => (hasSpace ? undefined : Promise.reject(new Error('full'))), files: async () => {} },
    hasTooLittleSpace: async () => !hasSpace,
    changed: (place, isFull) => changes.push(`${place} ${isFull}`),
    probeMs: 20,
  })
  const outages = createOutages(async () => {}, log, disks) // it answers now and then
  onTestFinished(() => [outages, disks].forEach((each) => void each.close()))
  const full = () => new pg.DatabaseError('could not extend file "base/1": No space left on device', 0, 'error')
  const errors = [lost, () => Object.assign(full(), { code: '53100' }), () => new Error(full().message), lost]
  for (const error of errors) {
    expect(outages.cover(error())).toBe(true)
    await sleep(600) // longer than an outage waits before it asks the database again
  }
  expect(log.error).not.toHaveBeenCalled()
  expect(log.warn).not.toHaveBeenCalled()
  expect(changes).toEqual(['database true'])
  hasSpace = true
  await vi.waitFor(() => expect(changes).toEqual(['database true', 'database false']))
  expect(outages.cover(lost())).toBe(true)
  await vi.waitFor(() => expect(log.error).toHaveBeenCalledOnce()) // an outage of another reason
})

test('FLT-04: requests in an outage have one line each, and the outage two, without stack traces', async () => {
  const kind = { lends: 'sessions', options: 'passed' } as const
  let pooler = await startPooler(theDatabase(), kind)
  const { port } = pooler
  const lines: { level: number; msg: string; err?: unknown }[] = []
  const log = new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  const app = await createApp(testConfig({ LOG_LEVEL: 'info' }), { ...theDatabase(), host: '127.0.0.1', port }, { log })
  onTestFinished(() => app.close())
  const ask = async (url: string) =>
    (await app.server.inject({ method: 'GET', url, headers: { cookie: 'sid=nobody' } })).statusCode
  expect(await ask('/ready')).toBe(200)
  await pooler.close()
  lines.length = 0
  for (let n = 0; n < 5; n++) {
    expect(await ask('/ready')).toBe(503)
    expect(await ask('/api/auth/session')).toBe(500)
  }
  pooler = await startPooler(theDatabase(), kind, port)
  onTestFinished(() => pooler.close())
  const others = () => lines.filter(({ msg }) => msg !== 'request').map(({ msg }) => msg)
  await vi.waitFor(() => expect(others()).toHaveLength(2), 10_000)
  expect(others()).toEqual([
    'The database cannot be reached.',
    expect.stringMatching(/^The database can be reached again/),
  ])
  expect(lines.filter(({ err }) => err)).toEqual([])
  expect(await ask('/ready')).toBe(200)
})
