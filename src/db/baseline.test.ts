import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { asSuperuser, dropDatabase, emptyDatabase, migratedFolder, queryOn } from '../test/database.ts'
import { baselineSql } from '../test/generate/baseline-sql.ts'
import { catalogs } from '../test/generate/catalogs.ts'
import { schemaSql } from '../test/generate/schema-sql.ts'
import { copyDataFolder } from '../test/processes/data-folder.ts'
import { sample } from '../test/prove.ts'
import checksums from './baseline-checksums.json' with { type: 'json' }
import { type Embedded, startEmbedded } from './embedded/embedded.ts'
import { functionSet } from './functions.ts'
import { baselineFile, migrate, migrationFiles } from './migrate.ts'
import { resilientPool } from './pool.ts'

const folder = new URL('./baseline/', import.meta.url)
const checksumsFile = new URL('./baseline-checksums.json', import.meta.url)
const known: Record<string, string> = checksums
const migrations = migrationFiles()
const checksumOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function withClient<T>(database: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** What `migrate` says. */
async function migrated(database: pg.PoolConfig, options: Parameters<typeof migrate>[2] = {}): Promise<string[]> {
  const said: string[] = []
  const pool = resilientPool({ ...database, max: 3 })
  await migrate(pool, (line) => said.push(line), options).finally(() => pool.end())
  return said
}

/** What `migrate` says first; then it is interrupted. */
async function firstLine(database: pg.PoolConfig): Promise<string | undefined> {
  const said: string[] = []
  const pool = resilientPool({ ...database, max: 3 })
  const interrupted = migrate(pool, (line) => {
    said.push(line)
    throw new Error('interrupted')
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  await pool.end()
  return said[0]
}

const creates = expect.stringMatching(/^Creating the schema up to /)
const oneByOne = { fromBaseline: false }
const namesAfter = (name: string) => migrations.map((each) => each.name).filter((each) => each > name)

/** The lines of one database that the other lacks, and the other way round. */
function differences(one: readonly string[], other: readonly string[]) {
  expect(one.length).toBeGreaterThan(5_000)
  const [inOne, inOther] = [new Set(one), new Set(other)]
  return { only: one.filter((line) => !inOther.has(line)), missing: other.filter((line) => !inOne.has(line)) }
}

describe('the baseline', () => {
  test('is one file, named after the newest migration that it contains, and its text never changes', () => {
    const files = readdirSync(folder)
    expect(files).toEqual([baselineFile()?.name])
    expect(migrations.map(({ name }) => name)).toContain(files[0])
    expect(
      files.filter((name) => known[name] !== checksumOf(readFileSync(new URL(name, folder), 'utf8'))),
      'This baseline was edited. Restore it and write a migration instead; a release writes a new baseline with `npm run baseline`.',
    ).toEqual([])
  })

  test('FLT-16: makes the same database as the migrations one by one', async () => {
    const [fast, slow] = [await emptyDatabase(), await emptyDatabase()]
    try {
      const name = baselineFile()?.name ?? ''
      expect(await migrated(fast)).toEqual([
        `Creating the schema up to ${name}`,
        ...namesAfter(name).map((each) => `Applying ${each}`),
      ])
      expect(await migrated(slow, oneByOne)).toEqual(migrations.map((each) => `Applying ${each.name}`))
      expect(await migrated(fast)).toEqual([]) // nothing is left to do
      const [one, other] = [
        await withClient(asSuperuser(fast), catalogs),
        await withClient(asSuperuser(slow), catalogs),
      ]
      expect(differences(one, other)).toEqual({ only: [], missing: [] })
      expect(one.length).toBe(other.length)
      expect(await withClient(fast, schemaSql)).toBe(await withClient(slow, schemaSql))
    } finally {
      for (const database of [fast, slow]) await dropDatabase(database)
    }
  })

  test('is left out where some migrations were applied, or where the operator made something', async () => {
    const [begun, used] = [await emptyDatabase(), await emptyDatabase()]
    try {
      const first = migrations.slice(0, 2).map(({ name }) => name)
      expect(await migrated(begun, { only: new Set(first) })).toEqual(first.map((name) => `Applying ${name}`))
      expect((await migrated(begun, { only: new Set(migrations.slice(0, 4).map(({ name }) => name)) }))[0]).toBe(
        `Applying ${migrations[2]?.name}`,
      )
      await queryOn(used, 'create table notes (text text)')
      expect(await migrated(used, { only: new Set(first) })).not.toContainEqual(creates)
      expect(await firstLine(used)).toBe(`Applying ${migrations[2]?.name}`)
    } finally {
      for (const database of [begun, used]) await dropDatabase(database)
    }
  })

  test('FLT-16: is made completely or not at all, also after a process that ended before it', async () => {
    const database = await emptyDatabase()
    try {
      await queryOn(
        database,
        'create table migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
      )
      // Another session makes one of the tables, which the baseline meets when it has made others.
      await withClient(database, async (other) => {
        await other.query('begin; create table documents ()')
        const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
        const refused = expect(migrated(database)).rejects.toThrow('The schema could not be created: duplicate key')
        await vi.waitFor(async () => {
          const waiting = await queryOn(
            database,
            'select a.pid from pg_stat_activity a where a.datname = current_database() and $1 = any (pg_blocking_pids(a.pid))',
            [rows[0]?.pid], // it also waits for others for a moment, as for grants of another database
          )
          expect(waiting).toHaveLength(1)
        }, 20_000)
        await other.query('commit')
        await refused
      })
      expect(
        await queryOn(
          database,
          "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
        ),
      ).toEqual([{ relname: 'documents' }, { relname: 'migrations' }])
      await queryOn(database, 'drop table documents')
      expect((await migrated(database))[0]).toEqual(creates)
    } finally {
      await dropDatabase(database)
    }
  })
})

describe('on a server of the operator the baseline makes the same database', () => {
  let server: Embedded | undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-baseline-'))
  afterAll(async () => {
    await server?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const operatorsServer = () => {
    copyDataFolder(migratedFolder(), dataDir)
    return startEmbedded({ dataDir, say: () => {}, purpose: 'test' })
  }
  const owners = [
    ['of an owner who may create roles', 'createrole', ''],
    ['of an owner who may only become them', '', 'grant kontor_confined, kontor_across to books_owner'],
  ] as const

  test.each(owners)('%s, with one login for everything', async (kind, attributes, grant) => {
    // In `npm test` one of them is compared with the migrations one by one, which take longest.
    const isCompared = sample(owners, owners.length).some(([each]) => each === kind)
    server ??= await operatorsServer()
    const { superuser } = server
    const admin = (text: string, database = 'postgres') => queryOn({ ...superuser, database }, text)
    const lines: string[][] = []
    for (const options of isCompared ? [{}, oneByOne] : [{}]) {
      await admin('drop database if exists kontor with (force)')
      await admin('drop role if exists kontor_owner, kontor_requests, kontor_confined, kontor_across')
      await admin(`create role books_owner login ${attributes}`)
      if (grant) await admin('create role kontor_confined; create role kontor_across')
      if (grant) await admin(grant)
      await admin('create database books owner books_owner')
      const said = await migrated({ ...superuser, user: 'books_owner', database: 'books' }, options)
      expect(said.some((line) => /^Creating the schema/.test(line))).toBe(options !== oneByOne)
      lines.push(await withClient({ ...superuser, database: 'books' }, catalogs))
      await admin('drop database books with (force)')
      await admin('drop role books_owner')
    }
    const [one = [], other = []] = lines
    if (isCompared) expect(differences(one, other)).toEqual({ only: [], missing: [] })
    expect(one.filter((line) => line.startsWith('member of kontor_confined: books_owner'))).not.toEqual([])
  })
})

// `npm run baseline`, at a release.
test.runIf(process.env.KONTOR_BASELINE === '1')('writes the baseline', async () => {
  const name = migrations.at(-1)?.name ?? ''
  expect(Object.keys(known), `${name} is in a baseline already, which never changes.`).not.toContain(name)
  const database = await emptyDatabase()
  try {
    await migrated(database, { ...oneByOne, functions: { files: [], version: '0.0.0' } })
    const { files } = functionSet()
    const text = await withClient(database, (client) => baselineSql(client, files))
    mkdirSync(folder, { recursive: true })
    for (const file of readdirSync(folder)) rmSync(new URL(file, folder))
    writeFileSync(new URL(name, folder), text)
    writeFileSync(checksumsFile, `${JSON.stringify({ ...known, [name]: checksumOf(text) }, null, 2)}\n`)
  } finally {
    await dropDatabase(database)
  }
})
