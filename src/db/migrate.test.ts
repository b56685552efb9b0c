import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { dropDatabase, emptyDatabase, newDatabase, queryOn } from '../test/database.ts'
import { buildProgram } from '../test/processes/bundle.ts'
import { runProgram } from '../test/processes/program.ts'
import { migrate } from './migrate.ts'
import { migrationLock } from './migration-lock.ts'
import { resilientPool } from './pool.ts'

/** Migrations for this test: the second one waits halfway while another connection holds a lock. */
const folder = mkdtempSync(join(tmpdir(), 'kontor-migrations-'))
writeFileSync(join(folder, '0001_first.sql'), 'create table gate (); create table first (id integer);')
writeFileSync(
  join(folder, '0002_second.sql'),
  'alter table first add column note text; create table half (id integer); lock table gate; insert into half values (1);',
)

let program: string
let database: Awaited<ReturnType<typeof emptyDatabase>>
let watcher: pg.Client

beforeAll(async () => {
  program = await buildProgram('migrate')
})
beforeEach(async () => {
  database = await emptyDatabase()
  watcher = new pg.Client(database)
  await watcher.connect()
})
afterEach(async () => {
  await watcher.end()
  await dropDatabase(database)
})

const begin = () => runProgram(program, { DATABASE: JSON.stringify(database), FOLDER: folder })
const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) =>
    child.exitCode === null ? child.once('exit', resolve) : resolve(child.exitCode),
  )

/** The first migration is applied, and the second one will wait in its middle. */
async function closeGate() {
  const pool = resilientPool({ ...database, max: 3 })
  await migrate(pool, () => {}, { folder: pathToFileURL(`${folder}/`), only: new Set(['0001_first.sql']) })
  await pool.end()
  const keeper = new pg.Client(database)
  await keeper.connect()
  await keeper.query('begin; lock table gate')
  return { open: () => keeper.end() }
}

const waitingFor = async (lock: 'relation' | 'advisory', count: number) =>
  vi.waitFor(async () => {
    const { rows } = await watcher.query(
      `select count(*)::int as waiting from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.locktype = $1 and not l.granted`,
      [lock],
    )
    expect(rows[0].waiting).toBe(count)
  }, 20_000)

const state = async () =>
  (
    await watcher.query(`select (select array_agg(name order by name) from migrations) as applied,
      to_regclass('half') is not null as half,
      exists (select from information_schema.columns where table_name = 'first' and column_name = 'note') as noted`)
  ).rows[0]

test('FLT-16: a migration that is killed leaves the old schema unchanged, and the next start completes it', async () => {
  const gate = await closeGate()
  const killed = await begin()
  await waitingFor('relation', 1)
  killed.kill('SIGKILL')
  await ended(killed)
  expect(await state()).toEqual({ applied: ['0001_first.sql'], half: false, noted: false })
  // PostgreSQL notices the death by itself: the next start need not wait for a lock of the dead.
  await waitingFor('relation', 0)
  const next = await begin()
  await waitingFor('relation', 1)
  await gate.open()
  expect(await ended(next)).toBe(0)
  expect(await state()).toEqual({ applied: ['0001_first.sql', '0002_second.sql'], half: true, noted: true })
  expect((await watcher.query('select id from half')).rows).toEqual([{ id: 1 }])
})

test('FLT-16: of two processes that migrate at the same time one migrates and the other waits', async () => {
  const gate = await closeGate()
  const both = await Promise.all([begin(), begin()])
  await waitingFor('relation', 1)
  await waitingFor('advisory', 1)
  await gate.open()
  expect(await Promise.all(both.map(ended))).toEqual([0, 0])
  expect((await watcher.query('select id from half')).rows).toEqual([{ id: 1 }])
})

test('FLT-16: a migration waits for a running backup, and a start with nothing to migrate does not', async () => {
  const gate = await closeGate()
  await watcher.query(`select pg_advisory_lock_shared(${migrationLock})`)
  const waiting = await begin()
  await waitingFor('advisory', 1)
  await gate.open()
  await watcher.query('select pg_advisory_unlock_all()')
  expect(await ended(waiting)).toBe(0)
  await watcher.query(`select pg_advisory_lock_shared(${migrationLock})`)
  expect(await ended(await begin())).toBe(0)
})

test('a migration that waits too long for a backup or another migration ends with a sentence that names it', async () => {
  const pool = resilientPool({ ...database, max: 3 })
  await watcher.query("set application_name = 'nightly'")
  const [{ pid }] = (await watcher.query<{ pid: number }>('select pg_backend_pid() as pid')).rows as [{ pid: number }]
  const said: string[] = []
  const waiting = () => migrate(pool, (line) => said.push(line), { folder: pathToFileURL(`${folder}/`), waitS: 0.2 })
  for (const [lock, what] of [
    ['_shared', 'a backup'],
    ['', 'a migration'],
  ] as const) {
    await watcher.query(`select pg_advisory_lock${lock}(${migrationLock})`)
    await expect(waiting()).rejects.toThrow(
      new RegExp(
        `^The migration did not begin within 0.2 seconds, because ${what} is running \\(process ${pid} of PostgreSQL, nightly, from the machine of PostgreSQL, since 20..-.* UTC, now: idle\\)\\. .*MIGRATION_WAIT`,
      ),
    )
    await watcher.query('select pg_advisory_unlock_all()')
  }
  expect(said).toEqual([
    expect.stringContaining('a backup is running'),
    expect.stringContaining('a migration is running'),
  ])
  await migrate(pool, () => {}, { folder: pathToFileURL(`${folder}/`), waitS: 0.2 })
  await pool.end()
})

test('FLT-16: an older version does not start on a database migrated by a newer one', async () => {
  const changed = await newDatabase()
  const pool = resilientPool({ ...changed, max: 3 })
  await pool.query("insert into migrations (name, checksum) values ('9999_future.sql', 'x')")
  await expect(migrate(pool)).rejects.toThrow('migrated by a newer Kontor (9999_future.sql)')
  await pool.end()
  await dropDatabase(changed)
})

test('the tables that migrations fill have statistics, so that the first statements are planned with them', async () => {
  const migrated = await newDatabase()
  const filled = await queryOn(
    migrated,
    `select relname, reltuples >= 0 as has_statistics from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  )
  expect(filled).toContainEqual({ relname: 'default_accounts', has_statistics: true })
  expect(filled.filter(({ has_statistics }) => !has_statistics)).toEqual([])
  await dropDatabase(migrated)
})

test('a new database reads by primary key, and functions that write are planned once', async () => {
  const migrated = await newDatabase()
  const nobody = '00000000-0000-0000-0000-000000000000'
  const plan = await queryOn(
    migrated,
    `explain select from documents d where d.organization_id = '${nobody}' and d.id = '${nobody}'`,
  )
  expect(JSON.stringify(plan)).toMatch(/using documents_(pkey|id_idx) /)
  expect(
    await queryOn(migrated, `select proconfig from pg_proc where proname in ('apply_allocation', 'mark_documents')`),
  ).toEqual([0, 1].map(() => ({ proconfig: ['search_path=public, pg_temp', 'plan_cache_mode=force_generic_plan'] })))
  await dropDatabase(migrated)
})

test('a migration that was edited after it was applied is refused by name', async () => {
  const changed = await newDatabase()
  const pool = resilientPool({ ...changed, max: 3 })
  await pool.query("update migrations set checksum = 'x' where name = '0002_people.sql'")
  await expect(migrate(pool)).rejects.toThrow('migration 0002_people.sql differs')
  await pool.end()
  await dropDatabase(changed)
})
