import '../test/own-world.ts'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKeyring } from '../core/secrets/keyring.ts'
import { Secret } from '../core/secrets/secret.ts'
import { newId } from '../core/values/id.ts'
import { migrate, migrationFiles } from '../db/migrate.ts'
import { resilientPool } from '../db/pool.ts'
import {
  asSuperuser,
  dropDatabase,
  emptyDatabase,
  newDatabase,
  queryAsSuperuser,
  queryOn,
  testSecretsKey,
} from '../test/database.ts'
import { inProof, proves } from '../test/prove.ts'
import { randomKey } from '../test/secrets.ts'
import { newFolder } from '../test/temporary-folder.ts'
import { member, type Someone, theApp, theDatabase } from '../test/world.ts'
import { inspectArchive, readArchive } from './archive.ts'
import { excludedTables } from './excluded-tables.ts'
import { checkBackup, restore } from './restore.ts'
import { tablesOf } from './table-list.ts'
import { takeBackup } from './take-backup.ts'
import { header } from './tar.ts'

const folder = () => newFolder('backup')
const keyring = openKeyring(new Secret(testSecretsKey))

const made: Awaited<ReturnType<typeof emptyDatabase>>[] = []
afterAll(async () => {
  for (const database of made) await dropDatabase(database)
})
const empty = async (more: { owner?: string } = {}) => kept(await emptyDatabase(more))
/** With the schema and without rows: a restore into it need not create the schema. */
const migrated = async () => kept(await newDatabase())
function kept(database: Awaited<ReturnType<typeof emptyDatabase>>) {
  made.push(database)
  return database
}

const tablesIn = (database: pg.ClientConfig) =>
  queryOn(database, "select relname from pg_class where relnamespace = 'public'::regnamespace")

const take = (database: pg.ClientConfig = theDatabase(), filesDir = join(folder(), 'files')) =>
  takeBackup({ database, file: folder(), filesDir, version: '0.1.0' })

async function bringBack(file: string, database: pg.PoolConfig, filesDir = join(folder(), 'files')) {
  const { manifest } = await checkBackup(file, keyring)
  await restore({ file, manifest, database, filesDir, say: () => {} })
}

/** Values that a careless format would change. */
async function fillWithOddities() {
  const amy = await member('OWNER')
  const system = theApp().system.raw
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 40 }), { numRuns: 60, seed: 20 })
  const odd = ['\\N', '\\.', 'tab\there', 'line\nbreak\r', '\\x41', '"quoted", {braces}', 'שלום', '🏦', "it's", ' ']
  for (const text of [...odd, ...texts].map((each) => each.replaceAll('\0', ''))) {
    await amy.call('customers_create', { name: `n${text}`, country: 'SG', notes: text })
    await system.query(
      "insert into events (organization_id, id, type, payload, cause) values ($1, $2, 'test.odd', $3, '{}')",
      [amy.organizationId, newId(), JSON.stringify({ text, [text]: [1e300, 0.1, null] })],
    )
  }
  await system.query(
    `insert into events (organization_id, id, type, payload, cause, created_at) values
    ($1, $2, 'test.exact', '{"n": 12345678901234567890.123456789012345678901234567890}', '{}', '2026-01-01 00:00:00.123456+00')`,
    [amy.organizationId, newId()],
  )
  await system.query("insert into idempotency_keys (user_id, principal, key, fingerprint) values ($1, 'p', 'k', $2)", [
    amy.userId,
    Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
  ])
  await system.query(
    `select graphile_worker.add_job('later', json_build_object('n', n), queue_name => 'q' || n % 3,
    run_at => '2031-01-01 00:00:00.654321+00', max_attempts => 7, job_key => 'key' || n, priority => n,
    flags => array['organization:' || $1, 'b']) from generate_series(1, 20) n`,
    [amy.organizationId],
  )
  return amy
}

let amy: Someone
/** A backup of the database of this file, which no test changes. */
let file: string
/** A database that it was restored into; the last test that uses it breaks it. */
let copy: Awaited<ReturnType<typeof emptyDatabase>>
beforeAll(async () => {
  amy = await fillWithOddities()
  file = (await take()).file
  copy = await migrated()
  await bringBack(file, copy)
})

test('every table is in a backup or on the list of excluded tables, and no table of a backup refers to an excluded one', async () => {
  const client = new pg.Client(theDatabase())
  await client.connect()
  const tables = await tablesOf(client)
  await client.end()
  expect(tables.filter(({ name, isOurs }) => !isOurs && !(name in excludedTables))).toEqual([])
  expect(Object.keys(excludedTables).filter((name) => !tables.some((table) => table.name === name))).toEqual([])
  const dangling = await queryOn(
    theDatabase(),
    `select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
     where contype = 'f' and confrelid::regclass::text = any ($1) and conrelid::regclass::text <> all ($1)`,
    [Object.keys(excludedTables)],
  )
  expect(dangling).toEqual([])
  const unlogged = await queryOn(
    theDatabase(),
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'",
  )
  expect(unlogged.map(({ relname }) => relname).filter((name) => !(name in excludedTables))).toEqual([])
})

test('FLT-19: uploads in progress are not in a backup', async () => {
  const files = join(folder(), 'files')
  mkdirSync(join(files, 'arriving'), { recursive: true })
  mkdirSync(join(files, 'home/ab'), { recursive: true })
  writeFileSync(join(files, 'arriving', 'host.1.abcdefgh.x'), 'half of a rec')
  writeFileSync(join(files, 'home/ab', 'kept'), 'receipt')
  const { manifest } = await take(theDatabase(), files)
  expect(manifest.files).toMatchObject({ count: 1, bytes: 'receipt'.length })
})

test('FLT-19: a backup of a restored database is identical to the original backup, byte for byte', async () => {
  const files = join(folder(), 'files')
  mkdirSync(join(files, 'a/b'), { recursive: true })
  writeFileSync(join(files, 'a/b/receipt.pdf'), Buffer.alloc(700_000, 'receipt'))
  writeFileSync(join(files, 'a/empty'), '')
  const first = await take(theDatabase(), files)
  expect(first.manifest.parts['tables/customers']?.rows).toBeGreaterThan(60)
  expect(first.manifest.parts['queue/jobs']?.rows).toBe(20)
  expect(first.manifest.files).toMatchObject({ count: 2, bytes: 700_000 })
  expect(statSync(first.file).mode & 0o777).toBe(0o600)

  const [elsewhere, itsFiles] = [await empty(), join(folder(), 'files')]
  await bringBack(first.file, elsewhere, itsFiles)
  expect(readFileSync(join(itsFiles, 'a/b/receipt.pdf'))).toEqual(readFileSync(join(files, 'a/b/receipt.pdf')))
  const second = await take(elsewhere, itsFiles)
  const { takenAt: _, ...told } = second.manifest
  expect(first.manifest).toMatchObject(told)
})

test('constraints and triggers are enabled after a restore', async () => {
  const rules = `select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) as rule
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    union all select relname || ' ' || relrowsecurity::text || relforcerowsecurity::text from pg_class
      where relnamespace = 'public'::regnamespace order by 1`
  expect(await queryOn(copy, rules)).toEqual(await queryOn(theDatabase(), rules))
})

test('a database owner without superuser rights can take and restore backups', async () => {
  const owner = `plain_${Date.now()}`
  await queryAsSuperuser(
    theDatabase(),
    `create role ${owner} login; grant kontor_confined, kontor_across to ${owner} with admin option`,
  )
  const first = await take()
  const elsewhere = await empty({ owner })
  await bringBack(first.file, elsewhere)
  const second = await take(elsewhere)
  expect(second.manifest.parts).toEqual(first.manifest.parts)
  const stranger = `stranger_${Date.now()}`
  await queryAsSuperuser(theDatabase(), `create role ${stranger} login`)
  await expect(take({ ...elsewhere, user: stranger })).rejects.toThrow(`do not belong to ${stranger}`)
})

test('a backup can only be restored into an empty database', async () => {
  await expect(bringBack(file, theDatabase())).rejects.toThrow(/not empty .* nothing was changed/)
  const used = await empty()
  await queryOn(used, 'create table somebody_elses (id integer)')
  await expect(bringBack(file, used)).rejects.toThrow("has tables that are not Kontor's (somebody_elses)")
  await expect(bringBack(file, copy)).rejects.toThrow('not empty')
  const filled = join(folder(), 'files')
  mkdirSync(filled)
  writeFileSync(join(filled, 'kept'), 'mine')
  const third = await migrated()
  await expect(bringBack(file, third, filled)).rejects.toThrow(`${filled} already contains files`)
  expect(readFileSync(join(filled, 'kept'), 'utf8')).toBe('mine')
  expect(await queryOn(third, 'select 1 from users')).toEqual([])
})

test('FLT-19: a wrong secrets key is refused before anything is written', async () => {
  const other = openKeyring(new Secret(randomKey()))
  await expect(checkBackup(file, other)).rejects.toThrow(
    `encrypted with the key ${keyring.current.id}, and KONTOR_SECRETS_KEY (or secrets.key in the data folder) holds ${other.current.id}`,
  )
  await expect(checkBackup(file, undefined)).rejects.toThrow('no key is set here')
  const both = openKeyring(new Secret(`${randomKey()},${testSecretsKey}`))
  await expect(checkBackup(file, both)).resolves.toMatchObject({ manifest: { format: 1 } })
})

test('a truncated backup is refused, wherever it was cut', async () => {
  const whole = readFileSync(file)
  const cut = join(folder(), 'cut.tar.gz')
  await expect(inspectArchive(file)).resolves.toMatchObject({ format: 1 })
  for (const part of [0.01, 0.3, 0.5, 0.9, 0.999]) {
    writeFileSync(cut, whole.subarray(0, Math.floor(whole.length * part)))
    await expect(inspectArchive(cut), `${part} of it`).rejects.toThrow(/is damaged: .* Nothing was restored/)
  }
  writeFileSync(cut, whole.subarray(0, -1))
  await expect(inspectArchive(cut)).rejects.toThrow('is damaged')
})

test('a backup with one changed bit is refused, wherever the bit is', async () => {
  const whole = readFileSync(file)
  const altered = join(folder(), 'altered.tar.gz')
  await expect(inspectArchive(file)).resolves.toMatchObject({ format: 1 })
  const content = gunzipSync(whole)
  // A few bits of compressed data have no meaning, such as the padding of a block.
  const hasSameContent = (bytes: Buffer) => {
    try {
      return gunzipSync(bytes).equals(content)
    } catch {
      return false
    }
  }
  for (let at = 12; at < whole.length; at += Math.ceil(whole.length / inProof(10, 60))) {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at)
    if (hasSameContent(bytes)) continue
    writeFileSync(altered, bytes)
    await expect(inspectArchive(altered), `at byte ${at}`).rejects.toThrow(/is damaged|is not a backup/)
  }
})

test('a backup with manually changed rows is refused', async () => {
  const tar = gunzipSync(readFileSync(file))
  const forged = join(folder(), 'forged.tar.gz')
  writeFileSync(forged, gzipSync(tar))
  await expect(inspectArchive(forged)).resolves.toMatchObject({ format: 1 })
  tar.write('test.bad', tar.indexOf('test.odd'))
  writeFileSync(forged, gzipSync(tar))
  await expect(inspectArchive(forged)).rejects.toThrow('is damaged')
})

test('an entry outside the folder of the restore is refused before it is written', async () => {
  const written: string[] = []
  const readEntry = (name: string) => {
    const file = join(folder(), 'entry.tar.gz')
    writeFileSync(file, gzipSync(Buffer.concat([header({ name, size: 0 }, new Date()), Buffer.alloc(1024)])))
    const visitor = {
      rows: async () => {},
      file: async (path: string) => void written.push(path),
    }
    return expect(readArchive(file, undefined, visitor)).rejects.toThrow('is not a backup') // none of them has a manifest
  }
  await readEntry('files/inside')
  expect(written).toEqual(['inside'])
  for (const name of ['files/../outside', 'files/a/../../outside', 'files//outside', 'files/..\\outside', 'outside'])
    await readEntry(name)
  expect(written).toEqual(['inside'])
})

/** A header with a field changed and its checksum made right again, followed by bytes. */
function forged(at: number, field: string): Buffer {
  const bytes = header({ name: 'files/a', size: 0 }, new Date())
  bytes.write(field, at)
  bytes.write(' '.repeat(8), 148)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([bytes, Buffer.alloc(4096, 'x')])
}

test.each([
  ['a size that is no number', forged(124, 'zzz\0')],
  ['a negative size', forged(124, '-1\0')],
  ['a symbolic link', forged(156, '2')],
  ['a folder', forged(156, '5')],
])('an entry with %s is refused at once', async (_, bytes) => {
  const file = join(folder(), 'forged.tar.gz')
  writeFileSync(file, gzipSync(bytes))
  await expect(inspectArchive(file)).rejects.toThrow('is damaged')
})

let foreign: Awaited<ReturnType<typeof empty>> | undefined
test.each([
  ['text', Buffer.from('Dear bank,\n')],
  ['something else compressed', gzipSync(Buffer.alloc(5_000, 'x'))],
  ['an empty archive', gzipSync(Buffer.alloc(1024))],
])('%s is refused as a backup and leaves nothing behind', async (_, bytes) => {
  const file = join(folder(), 'foreign.tar.gz')
  writeFileSync(file, bytes)
  foreign ??= await empty()
  const target = foreign
  await expect(bringBack(file, target)).rejects.toThrow(/is not a backup of Kontor|is damaged/)
  expect(await tablesIn(target)).toEqual([])
})

test('a failed restore leaves an empty database, and the next one succeeds', async () => {
  // A row that no foreign key would have let in: only a broken database can have it.
  const filesDir = join(folder(), 'files')
  const client = new pg.Client(asSuperuser(copy))
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query('delete from organizations where id = $1', [amy.organizationId])
  await client.end()
  mkdirSync(filesDir)
  writeFileSync(join(filesDir, 'x'), 'x')
  const { file: dangling } = await take(copy, filesDir)
  const [target, restored] = [await empty(), join(folder(), 'files')]
  await expect(bringBack(dangling, target, restored)).rejects.toThrow(/violates foreign key constraint/)
  expect(existsSync(restored)).toBe(false)
  expect(existsSync(`${restored}.restoring`)).toBe(false)
  expect(await queryOn(target, 'select id from users')).toEqual([])
  await bringBack(file, target, restored)
})

// In `npm test` functions.test.ts of the scenarios restores the backup of a released version.
test.runIf(proves)('a backup of an older version is migrated to this one', async () => {
  const known = migrationFiles().map(({ name }) => name)
  const older = await empty()
  const pool = resilientPool(older)
  await migrate(pool, () => {}, { only: new Set(known.slice(0, 7)) })
  await pool.query("insert into users (id, name, email) values ($1, 'Old Amy', 'old@example.test')", [newId()])
  await pool.end()
  const { file } = await take(older)
  const target = await empty()
  await bringBack(file, target)
  expect(await queryOn(target, 'select name from users')).toEqual([{ name: 'Old Amy' }])
  expect((await queryOn(target, 'select name from migrations order by name')).map(({ name }) => name)).toEqual(known)
})

test('a backup of a newer version is refused', async () => {
  const future = await migrated()
  await queryOn(future, "insert into migrations (name, checksum) values ('9999_future.sql', 'x')")
  const newer = await take(future)
  await expect(checkBackup(newer.file, keyring)).rejects.toThrow('made by a newer Kontor (0.1.0, 9999_future.sql)')
})

test('a backup never overwrites a file, and a failed one leaves no file', async () => {
  await expect(takeBackup({ database: theDatabase(), file, filesDir: '', version: 'x' })).rejects.toThrow(
    'already exists',
  )
  const place = folder()
  await expect(takeBackup({ database: await empty(), file: place, filesDir: '', version: 'x' })).rejects.toThrow(
    'There is nothing to back up',
  )
  expect(readdirSync(place)).toEqual([])
  await expect(
    takeBackup({ database: theDatabase(), file: join(place, 'none/at/all'), filesDir: '', version: 'x' }),
  ).rejects.toThrow('cannot be written: choose another folder')
})
