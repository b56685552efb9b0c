import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migratedFolder, queryOn } from '../test/database.ts'
import { copyDataFolder } from '../test/processes/data-folder.ts'
import { type Embedded, startEmbedded } from './embedded/embedded.ts'
import { migrate, migrationFiles } from './migrate.ts'
import { openPool, resilientPool } from './pool.ts'
import { ensureRoles } from './roles.ts'

/** A server as an operator has one: only a superuser, and no database or role of Kontor. */
let server: Embedded
const dataDir = mkdtempSync(join(tmpdir(), 'kontor-roles-'))
const requestRoles = 'kontor_confined, kontor_across'

beforeAll(async () => {
  copyDataFolder(migratedFolder(), dataDir)
  server = await startEmbedded({ dataDir, say: () => {}, purpose: 'test' })
  await asSuperuser('drop database kontor')
  await asSuperuser(`drop role kontor_owner, kontor_requests, ${requestRoles}`)
})
afterEach(async () => {
  for (const name of ['books', 'ledgers']) await asSuperuser(`drop database if exists ${name} with (force)`)
  await asSuperuser(`drop role if exists books_owner, ledgers_owner, ${requestRoles}`)
})
afterAll(async () => {
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const asSuperuser = (text: string, database = 'postgres') => queryOn({ ...server.superuser, database }, text)

/** A database and its owner, as an operator makes them. */
async function databaseOf(name: string, attributes = '') {
  await asSuperuser(`create role ${name}_owner login ${attributes}`)
  await asSuperuser(`create database ${name} owner ${name}_owner`)
  return { ...server.superuser, user: `${name}_owner`, database: name }
}

/** The migration that needs the roles, and the one after it. */
const first = new Set(
  migrationFiles()
    .slice(0, 2)
    .map(({ name }) => name),
)

async function migrateAs(database: pg.PoolConfig, only: ReadonlySet<string> | undefined = first) {
  const pool = resilientPool({ ...database, max: 3 })
  await migrate(pool, () => {}, only ? { only } : {}).finally(() => pool.end())
}

/** Whether requests get connections in their role. */
async function servesRequests(database: pg.PoolConfig) {
  const pool = openPool(database, { confined: true, max: 1 })
  const { rows } = await pool.use((_, connection) => connection.query('select count(*)::int as count from users'))
  await pool.close()
  return rows.length === 1
}

/** The statements in a sentence of the start, which a superuser runs as they are. */
async function runPrinted(failure: unknown, database: string) {
  const lines = (failure as Error).message.split('\n').filter((line) => line.startsWith('  '))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) await asSuperuser(line, database)
  return lines.map((line) => line.trim())
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('an owner with CREATEROLE needs nothing else', async () => {
  const books = await databaseOf('books', 'createrole')
  await migrateAs(books)
  expect(await servesRequests(books)).toBe(true)
  await migrateAs(books)
})

test('an owner without CREATEROLE is told the statements, and works when they were run as printed', async () => {
  const books = await databaseOf('books')
  const failure = await failureOf(migrateAs(books))
  expect(failure).toMatchObject({ name: 'StartFailure', message: expect.stringContaining('Let a superuser') })
  expect(await runPrinted(failure, 'books')).toEqual([
    'create role kontor_confined nologin;',
    'create role kontor_across nologin;',
    'grant kontor_confined, kontor_across to books_owner;',
  ])
  await migrateAs(books, new Set(migrationFiles().map(({ name }) => name))) // all of them, without any further right
  expect(await servesRequests(books)).toBe(true)
})

test('a second database with another owner needs one grant, also if both may create roles', async () => {
  const [books, ledgers] = [await databaseOf('books', 'createrole'), await databaseOf('ledgers', 'createrole')]
  await migrateAs(books)
  const failure = await failureOf(migrateAs(ledgers))
  expect(await runPrinted(failure, 'ledgers')).toEqual(['grant kontor_confined, kontor_across to ledgers_owner;'])
  await migrateAs(ledgers)
  expect([await servesRequests(books), await servesRequests(ledgers)]).toEqual([true, true])
})

test('a role made beforehand that the owner is a member of, but may not become, needs the grant', async () => {
  const books = await databaseOf('books')
  for (const text of ['create role kontor_confined login', 'create role kontor_across']) await asSuperuser(text)
  await asSuperuser(`grant ${requestRoles} to books_owner with set false`)
  const failure = await failureOf(migrateAs(books))
  expect(await runPrinted(failure, 'books')).toEqual([
    'grant kontor_confined, kontor_across to books_owner with set true;',
  ])
  await migrateAs(books)
  expect(await servesRequests(books)).toBe(true)
})

test('an owner of the roles with admin option takes the missing right itself', async () => {
  const books = await databaseOf('books')
  await asSuperuser('create role kontor_confined; create role kontor_across')
  await asSuperuser(`grant ${requestRoles} to books_owner with admin true, set false`)
  await migrateAs(books)
  expect(await servesRequests(books)).toBe(true)
})

test('a login that does not own the database is told to, and a name that needs quotes gets them', async () => {
  await asSuperuser('create role "Books Owner" login createrole')
  await asSuperuser('create database books')
  await asSuperuser('alter schema public owner to kontor', 'books')
  const books = { ...server.superuser, user: 'Books Owner', database: 'books' }
  const failure = await failureOf(migrateAs(books))
  expect(await runPrinted(failure, 'books')).toEqual([
    'alter database books owner to "Books Owner";',
    'alter schema public owner to pg_database_owner; -- in books',
  ])
  await migrateAs(books)
  await asSuperuser('drop database books with (force)')
  await asSuperuser('drop role kontor_confined, kontor_across')
  await asSuperuser('drop role "Books Owner"')
})

test('two processes that create the roles at the same time both go on', async () => {
  const books = await databaseOf('books', 'createrole')
  const pools = [1, 2].map(() => resilientPool({ ...books, max: 1 }))
  await Promise.all(pools.map((pool) => ensureRoles(pool)))
  await Promise.all(pools.map((pool) => pool.end()))
})

test('the statements in docs/postgresql.md are enough, as printed', async () => {
  const text = readFileSync(new URL('../../docs/postgresql.md', import.meta.url), 'utf8')
  const [once = '', another = ''] = [...text.matchAll(/```sql\n([^`]+)```/g)].map(([, block]) => block ?? '')
  const run = async (block: string) => {
    for (const line of block.split('\n').filter((each) => /^[a-z]/.test(each))) await asSuperuser(line)
  }
  await run(once)
  await migrateAs({ ...server.superuser, user: 'kontor_books', database: 'books' })
  await run(another)
  await migrateAs({ ...server.superuser, user: 'kontor_ledgers', database: 'ledgers' })
  const stranger = failureOf(queryOn({ ...server.superuser, user: 'kontor_books', database: 'ledgers' }, 'select 1'))
  expect(await stranger).toMatchObject({ code: '42501' })
  for (const name of ['books', 'ledgers']) await asSuperuser(`drop database ${name} with (force)`)
  await asSuperuser('drop role kontor_books, kontor_ledgers')
})
