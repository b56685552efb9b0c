import '../own-world.ts'
import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { startEmbedded } from '../../db/embedded/embedded.ts'
import type { DatabaseConfig } from '../../db/pool.ts'
import { type App, createApp } from '../../program/app.ts'
import { migratedFolder, queryOn } from '../database.ts'
import { copyDataFolder } from '../processes/data-folder.ts'
import { asProduct } from '../secrets.ts'
import { newFolder } from '../temporary-folder.ts'
import { testConfig, theDatabase } from '../world.ts'

const mebibyte = 1024 * 1024
const full = { status: 500, code: 'STORAGE_FULL' }
const notReady = { status: 503, body: { status: 'not ready', reason: 'the disk of the database is full' } }

/** An API with a log that can be read, and an organization to create customers in. */
async function startApp(database: DatabaseConfig, more: Record<string, string> = {}) {
  const lines: string[] = []
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const app = await createApp(testConfig({ LOG_LEVEL: 'warn', ...more }), database, { log })
  await app.server.ready()
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    app.server.inject({ method: 'POST', url, payload, headers })
  const person = { name: 'Amy', email: `${newId()}@example.test`, password: 'correct horse' }
  const signUp = await post('/api/auth/sign-up', person)
  const cookie = [signUp.headers['set-cookie'] ?? []].flat()[0]?.split(';')[0] ?? ''
  const organizationId = (await post('/api/organizations', { name: 'Acme', country: 'SG' }, { cookie })).json().id

  async function create(mark: string) {
    const notes = Array.from({ length: 60 }, () => newId()).join('') // does not compress
    const headers = { cookie, 'idempotency-key': mark }
    const answer = await post('/api/customers', { organizationId, name: mark, country: 'SG', notes }, headers)
    const { error } = answer.json()
    return { status: answer.statusCode, code: error?.details?.[0]?.code, retryAfter: answer.headers['retry-after'] }
  }
  return { app, create, lines }
}

async function ready({ server }: App) {
  const answer = await server.inject({ method: 'GET', url: '/ready' })
  return { status: answer.statusCode, body: answer.json() }
}

const untilReady = (app: App) =>
  vi.waitFor(async () => expect(await ready(app)).toMatchObject({ status: 200 }), { timeout: 60_000, interval: 200 })

const gauge = async ({ meter }: App) => /kontor_storage_full\{place="database"\} (\d)/.exec(await meter.page())?.[1]

const outages = (lines: string[]) => lines.filter((line) => line.includes('is full. Writes answer STORAGE_FULL'))

test('FLT-08: a write that finds the disk of the database full says so, /ready and a metric show it, and it is logged once', async () => {
  const { app, create, lines } = await startApp(theDatabase())
  onTestFinished(() => app.close())
  await asProduct(`create function test_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file "base/1": No space left on device' using errcode = '53100'; end $$;
    create trigger test_full before insert on customers for each row execute function test_full()`)
  const refused = await Promise.all(Array.from({ length: 20 }, () => create(newId())))
  expect(refused).toEqual(refused.map(() => ({ ...full, retryAfter: '30' })))
  expect(await ready(app)).toEqual(notReady)
  expect(await gauge(app)).toBe('1')
  expect(outages(lines)).toHaveLength(1)
  expect(lines.join('')).not.toContain('errors.ts')
  await asProduct('drop function test_full cascade')
  await untilReady(app)
  expect(await gauge(app)).toBe('0')
  expect(lines.filter((line) => line.includes('has space again'))).toHaveLength(1)
  expect(await create(newId())).toMatchObject({ status: 201 })
})

/** A small disk; undefined where this process may not mount one. */
function smallDisk(): string | undefined {
  const folder = newFolder('small-disk')
  return tried('mount', ['-t', 'tmpfs', '-o', 'size=220m,mode=755', 'tmpfs', folder]) ? folder : undefined
}

function tried(command: string, words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fill(folder: string): string {
  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - 2 * mebibyte))
  return ballast
}

test('FLT-08 INV-22: on a disk that is full, also for the log of PostgreSQL, no acknowledged write is lost and all works again when there is space', async (context) => {
  const folder = smallDisk()
  if (!folder) return context.skip('mounting a small disk needs root; the test before needs none')
  const said: string[] = []
  const dataDir = join(folder, 'data')
  copyDataFolder(migratedFolder(), dataDir)
  const server = await startEmbedded({ dataDir, say: (line) => said.push(line) })
  const { app, create, lines } = await startApp(server.config, { KONTOR_DATA: dataDir })
  onTestFinished(async () => {
    await app.close()
    await server.stop()
    tried('umount', ['-l', folder])
  })
  const acknowledged: string[] = []
  const refused: string[] = []
  const write = async () => {
    const mark = newId()
    const answer = await create(mark)
    if (answer.status === 201) acknowledged.push(mark)
    else refused.push(mark)
    return answer
  }

  let ballast = fill(folder)
  await vi.waitFor(async () => expect(await write()).toMatchObject(full), { timeout: 60_000, interval: 1 })
  expect(await ready(app)).toEqual(notReady)
  expect(acknowledged.length).toBeGreaterThan(10)
  rmSync(ballast)
  await untilReady(app)
  expect(await write()).toMatchObject({ status: 201 })
  expect(outages(lines)).toHaveLength(1)

  // Without space for its log PostgreSQL ends, and cannot start until there is some.
  ballast = fill(folder)
  const log = "select pg_logical_emit_message(false, 'test', repeat('x', 1000000)) from generate_series(1, 100)"
  await expect(queryOn(server.superuser, log)).rejects.toThrow()
  await vi.waitFor(async () => expect(await write()).toMatchObject(full), { timeout: 60_000, interval: 200 })
  expect(await ready(app)).toEqual(notReady)
  await sleep(2_000) // several attempts at a restart
  expect(said.filter((line) => line.startsWith('The disk that holds'))).toHaveLength(1)
  rmSync(ballast)
  await untilReady(app)
  for (const mark of refused) expect(await create(mark)).toMatchObject({ status: 201 })
  const rows = await queryOn(server.superuser, 'select name from customers order by name')
  expect(rows.map(({ name }) => name)).toEqual([...acknowledged, ...refused].sort())
  expect(outages(lines)).toHaveLength(2)
  expect(lines.filter((line) => line.includes('be reached'))).toEqual([])
}, 300_000)
