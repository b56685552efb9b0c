import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropDatabase, migratedFolder, newDatabase, urlOf } from '../test/database.ts'
import { startApi } from '../test/processes/api-process.ts'
import { copyDataFolder } from '../test/processes/data-folder.ts'
import { kontor } from '../test/processes/kontor.ts'
import { inProof } from '../test/prove.ts'
import { type Embedded, startEmbedded } from './embedded/embedded.ts'
import { type DatabaseConfig, openPool } from './pool.ts'
import { checkServer, connectionsSentence, judge, type ServerFacts } from './server-checks.ts'

const good: ServerFacts = {
  fsync: 'on', fullPageWrites: 'on', synchronousCommit: 'on', standbys: '', encoding: 'UTF8', timezone: 'UTC',
  role: 'kontor_confined', bypasses: false, login: 'kontor', loginBypasses: false, connectionsMax: 97,
  database: 'kontor', repairs: [], strangers: [],
} // biome-ignore format: a list of facts
const expected = { connections: 30, durableStorage: false }

test('a server with default settings has no findings', () => {
  expect(judge(good, expected)).toEqual([])
  for (const synchronousCommit of ['remote_apply', 'remote_write', 'local'])
    expect(judge({ ...good, synchronousCommit }, expected)).toEqual([])
})

test.each<[Partial<ServerFacts>, string, RegExp]>([
  [{ fsync: 'off' }, 'not-durable', /fsync = off/],
  [{ fullPageWrites: 'off' }, 'not-durable', /full_page_writes = off/],
  [{ synchronousCommit: 'off' }, 'not-durable', /synchronous_commit = off/],
  [{ synchronousCommit: 'local', standbys: 'b' }, 'note', /does not wait for the standbys/],
  [{ encoding: 'LATIN1' }, 'unfit', /LATIN1/],
  [{ timezone: 'Asia/Jerusalem' }, 'unfit', /not UTC/],
  [{ role: 'kontor' }, 'unfit', /pooler/],
  [{ bypasses: true }, 'unfit', /BYPASSRLS/],
  [{ login: 'postgres', loginBypasses: true }, 'exposed', /logs in as postgres, which is a superuser or has BYPASSRLS/],
  [{ repairs: ['alter role kontor_across nologin;'] }, 'exposed', /superuser run: alter role kontor_across nologin;$/],
  [{ strangers: ['eve'] }, 'exposed', /^eve may connect .* revoke connect on database kontor from public;$/],
  [{ connectionsMax: 20 }, 'note', /allows 20 connections .* may use 30/],
])('INV-22: %j is reported with the reason', (fact, kind, says) => {
  expect(judge({ ...good, ...fact }, expected)).toEqual([{ kind, says: expect.stringMatching(says) }])
})

test('the start says how many connections it may open and how many processes fit', () => {
  const kinds = { api: 21, worker: 31 }
  expect(connectionsSentence({ connections: 31, connectionsMax: 97, kinds })).toBe(
    'Connections: this process may open 31 of the 97 that PostgreSQL allows, which are enough for 4 of kontor api (21 each) or 3 of kontor worker or start (31 each).',
  )
})

test('INV-22: DATABASE_STORAGE_DURABLE accepts fsync and full_page_writes off, but never synchronous_commit', () => {
  const managed = { ...good, fsync: 'off', fullPageWrites: 'off' }
  expect(judge(managed, { ...expected, durableStorage: true })).toEqual([])
  expect(judge({ ...managed, synchronousCommit: 'off' }, { ...expected, durableStorage: true })).toHaveLength(1)
})

test('INV-22: Kontor refuses to start on a server that may lose commits in strict mode, and warns in local mode', async () => {
  const forgetful = await newDatabase() // the server of the tests gives durability up for speed
  const strict = { KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: randomBytes(32).toString('base64') }
  await expect(startApi(forgetful, strict)).rejects.toThrow(/^PostgreSQL runs with synchronous_commit = off .*\n$/m)
  await run(forgetful, `alter database ${forgetful.database} set synchronous_commit = on`)
  await expect(startApi(forgetful, strict)).rejects.toThrow(/^PostgreSQL runs with fsync = off: .*\n$/m)
  const local = { ...strict, KONTOR_MODE: 'local' }
  // closed-installation.test.ts starts in strict mode on durable storage too.
  for (const env of inProof([local], [{ ...strict, DATABASE_STORAGE_DURABLE: '1' }, local])) {
    const api = await startApi(forgetful, env)
    expect(await api.kill('SIGTERM')).toBe(0)
    expect(/Warning: PostgreSQL runs with fsync = off/.test(api.output())).toBe(env.KONTOR_MODE === 'local')
  }
  await dropDatabase(forgetful)
})

/** A server as the product starts it, with a database of the product in it. */
let server: Embedded
const dataDir = mkdtempSync(join(tmpdir(), 'kontor-checks-'))
beforeAll(async () => {
  copyDataFolder(migratedFolder(), dataDir)
  server = await startEmbedded({ dataDir, say: () => {} })
})
afterAll(async () => {
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const asked: string[] = []
async function check({ strict }: { strict: boolean }) {
  asked.length = 0
  const confined = openPool(server.config, { confined: true, max: 1 })
  try {
    await checkServer(confined, { strict, ...expected, say: (line) => asked.push(line) })
  } finally {
    await confined.close()
  }
}

const alter = (text: string) => run(server.superuser, text)

async function run(config: pg.ClientConfig, text: string) {
  const client = new pg.Client(config)
  await client.connect()
  await client.query(text)
  await client.end()
}

test('INV-22: the embedded server has no findings, and settings of the database or the role are taken into account', async () => {
  await check({ strict: true })
  expect(asked).toEqual([])
  for (const place of ['database kontor', 'role kontor_requests']) {
    await alter(`alter ${place} set synchronous_commit = off`)
    await expect(check({ strict: true })).rejects.toThrow('synchronous_commit = off')
    await check({ strict: false })
    expect(asked).toEqual([expect.stringContaining('Warning: PostgreSQL runs with synchronous_commit = off')])
    await alter(`alter ${place} reset synchronous_commit`)
  }
  await check({ strict: true })
})

test('Kontor does not start in any mode if a role of requests bypasses row security', async () => {
  await alter('alter role kontor_across bypassrls')
  await expect(check({ strict: false })).rejects.toThrow('nothing would keep organizations apart')
  await alter('alter role kontor_across nobypassrls')
})

test('a login with the rights of a superuser is warned about in strict mode', async () => {
  const found = async (config: DatabaseConfig, strict: boolean) => {
    const said: string[] = []
    const confined = openPool(config, { confined: true, max: 1 })
    await checkServer(confined, { strict, ...expected, say: (line) => said.push(line) }).finally(() => confined.close())
    return said
  }
  const { requests: _, ...owner } = server.config
  for (const strict of [true, false]) {
    expect(await found(server.config, strict)).toEqual([])
    expect(await found(owner, strict)).toEqual([]) // one login for everything, as in DATABASE_URL
  }
  expect(await found(server.superuser, false)).toEqual([])
  expect(await found(server.superuser, true)).toEqual([
    expect.stringMatching(/^Warning: Kontor logs in as kontor, which is a superuser or has BYPASSRLS: .*\.$/),
  ])
})

test('roles made beforehand with too many rights are warned about in strict mode, with the statements that take them', async () => {
  await alter('alter role kontor_across login createrole; grant pg_read_all_data to kontor_confined')
  await check({ strict: false })
  expect(asked).toEqual([])
  await check({ strict: true })
  const [warning = ''] = asked
  expect(asked).toHaveLength(1)
  const repairs = warning.replace(/^.*superuser run: /, '')
  expect(repairs).toBe(
    'alter role kontor_across nologin nocreatedb nocreaterole noreplication; revoke pg_read_all_data from kontor_confined;',
  )
  await alter(repairs)
  await check({ strict: true })
  expect(asked).toEqual([])
})

test('the owner of another database with the same roles is warned about while it may connect to this one', async () => {
  for (const text of [
    'create role other login',
    'grant kontor_confined to other',
    'create database theirs owner other',
  ])
    await alter(text)
  await check({ strict: true })
  expect(asked).toEqual([
    expect.stringMatching(/^Warning: other may connect .*revoke connect on database kontor from /),
  ])
  await alter('revoke connect on database kontor from public; grant connect on database kontor to kontor_requests')
  await check({ strict: true })
  expect(asked).toEqual([])
  for (const text of ['drop database theirs', 'grant connect on database kontor to public', 'drop role other'])
    await alter(text)
})

test('Kontor does not start in any mode if connection options are dropped, as poolers do', async () => {
  const owner = openPool(server.config, { confined: false, max: 1 })
  await expect(checkServer(owner, { strict: false, ...expected, say: () => {} })).rejects.toThrow(
    'Requests would run as kontor_owner and not as kontor_confined',
  )
  await owner.close()
})

test('INV-22: kontor worker refuses too, and reports a role with too few connections', async () => {
  await alter('alter database kontor set synchronous_commit = off')
  const url = urlOf({ ...server.config })
  const env = { DATABASE_URL: url, KONTOR_MODE: 'strict', KONTOR_SECRETS_KEY: randomBytes(32).toString('base64') }
  expect(await kontor(['worker'], env)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^PostgreSQL runs with synchronous_commit = off .*\n$/),
  })
  await alter('alter database kontor reset synchronous_commit')
  await alter('alter role kontor_requests connection limit 12')
  await check({ strict: true })
  expect(asked).toEqual([
    'Warning: PostgreSQL allows 12 connections and this process alone may use 30: raise max_connections, or lower the settings DATABASE_POOL_… (docs/postgresql.md).',
  ])
})
