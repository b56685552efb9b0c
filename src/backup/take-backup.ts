import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { copyOut } from '../db/copy.ts'
import { migrationLock } from '../db/migration-lock.ts'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import { excludedTables, rebuiltTables } from './excluded-tables.ts'
import { archiveFiles, syncFile, syncFolder } from './files.ts'
import { type Files, type Manifest, manifestName, type Part } from './manifest.ts'
import { withSession } from './session.ts'
import { type BackedUpTable, backedUpParts, foreignTables, migrationsOf, secretsOf, sequencesOf } from './table-list.ts'
import { end, header, padding } from './tar.ts'

type Wish = {
  database: pg.ClientConfig
  /** Where to; a name with the time in the current folder otherwise. */
  file?: string | undefined
  /** The folder of the local file store, if there is one. */
  filesDir: string
  version: string
}

export type Backup = { file: string; bytes: number; manifest: Manifest }

/** One moment of a database that goes on working, in one file that is there whole or not at all. */
export async function takeBackup({ database, file: wished, filesDir, version }: Wish): Promise<Backup> {
  const takenAt = new Date()
  const file = nameFor(wished, takenAt)
  const draft = `${file}.${process.pid}.part`
  try {
    const manifest = await withSession(database, (client) =>
      inOneMoment(client, () => write(draft, client, { filesDir, version, takenAt })),
    )
    await rename(draft, file)
    syncFolder(dirname(file))
    return { file, bytes: statSync(file).size, manifest }
  } catch (error) {
    await rm(draft, { force: true })
    throw writeFailure(error, file)
  }
}

function nameFor(wished: string | undefined, takenAt: Date): string {
  const stamp = takenAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const usual = `kontor-backup-${stamp}.tar.gz`
  const given = resolve(wished ?? usual)
  const file = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, usual) : given
  if (existsSync(file)) throw new StartFailure(`${file} exists already: choose another name.`)
  return file
}

/**
 * A snapshot: what was committed before is there, what comes later is not. Migrations wait for its end, so that none of
 * them queues for a lock that everybody else then waits behind; and no file is removed that a row in it names.
 */
async function inOneMoment<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`select pg_advisory_lock_shared(${migrationLock})`)
  await client.query('begin isolation level repeatable read read only')
  await client.query(inTheirOrder)
  await refuseForeign(client)
  return work()
}

// Rows leave in the order in which they lie, so that a restored database gives the same backup again.
const inTheirOrder = `set local synchronize_seqscans = off; set local max_parallel_workers_per_gather = 0;
  set local enable_indexscan = off; set local enable_indexonlyscan = off`

/** Row security would hide rows from anybody but the owner, and a backup that lacks them would look whole. */
async function refuseForeign(client: pg.Client) {
  const { rows } = await client.query<{ mine: boolean | null; role: string }>(
    `select current_user as role, (select c.relowner = r.oid or r.rolsuper or r.rolbypassrls
       from pg_class c where c.oid = to_regclass('public.migrations')) as mine
     from pg_roles r where r.rolname = current_user`,
  )
  const [found] = rows
  if (found?.mine) return
  throw new StartFailure(
    found?.mine === false
      ? `The tables do not belong to ${found.role}: take the backup as the role that Kontor runs with.`
      : 'There is nothing to back up: this database holds no Kontor.',
  )
}

type Facts = { filesDir: string; version: string; takenAt: Date }

async function write(draft: string, client: pg.Client, facts: Facts): Promise<Manifest> {
  const done: { manifest?: Manifest } = {}
  const entries = async function* () {
    done.manifest = yield* archive(client, facts)
  }
  await pipeline(Readable.from(entries()), createGzip(), createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
  syncFile(draft)
  if (!done.manifest) throw new Error('The archive ended without its manifest.')
  return done.manifest
}

/** The bytes of the whole archive, its manifest last, because only then is known what it must say. */
async function* archive(client: pg.Client, facts: Facts): AsyncGenerator<Buffer, Manifest> {
  const parts: Record<string, Part> = {}
  const { postgres, moment } = (await client.query(momentQuery)).rows[0]
  const migrations = await migrationsOf(client)
  const secrets = await secretsOf(client)
  for (const kept of await backedUpParts(client)) parts[kept.part] = yield* rowsOf(client, kept, facts.takenAt)
  const sequences = await sequencesOf(client)
  // After the rows: a file is there before the row that tells of it.
  const files: Files | null = yield* archiveFiles(facts.filesDir, facts.takenAt)
  const { version, takenAt } = facts
  const notIncluded = { ...excludedTables, ...rebuiltTables, ...(await foreignTables(client)) }
  const manifest: Manifest = {
    format: 1, version, takenAt: moment.toISOString(), postgres, migrations, parts, sequences, files, secrets, notIncluded,
  } // biome-ignore format: a list of names
  yield* entry(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), takenAt)
  yield end
  return manifest
}

const momentQuery = "select current_setting('server_version') as postgres, now() as moment"

const pieceBytes = 1 << 20

/**
 * The rows in entries of about a megabyte: tar wants each size beforehand, and no table need fit into memory. They stand
 * in the order of their key, so that two backups of the same rows are the same, wherever those rows lie on the disk.
 */
async function* rowsOf(
  client: pg.Client,
  { part, columns, from, key }: BackedUpTable,
  at: Date,
): AsyncGenerator<Buffer, Part> {
  const listed = (names: string[]) => names.map((name) => client.escapeIdentifier(name)).join(', ')
  const order = key.length === 0 ? '' : ` order by ${listed(key)}`
  const rows = copyOut(client, `copy (select ${listed(columns)} from ${from}${order}) to stdout`)
  const sum = createHash('sha256')
  let [bytes, entries, held, heldBytes] = [0, 0, [] as Buffer[], 0]
  const flush = function* () {
    if (heldBytes > 0) yield* entry(`${part}/${String(entries++).padStart(6, '0')}.copy`, Buffer.concat(held), at)
    held = []
    heldBytes = 0
  }
  for await (const piece of rows as AsyncIterable<Buffer>) {
    sum.update(piece)
    bytes += piece.length
    held.push(piece)
    heldBytes += piece.length
    if (heldBytes >= pieceBytes) yield* flush()
  }
  yield* flush()
  return { columns, rows: rows.rows, bytes, sha256: sum.digest('hex') }
}

function* entry(name: string, bytes: Buffer, at: Date): Generator<Buffer> {
  yield header({ name, size: bytes.length }, at)
  yield bytes
  yield padding(bytes.length)
}

/** What a person can do something about. */
function writeFailure(error: unknown, file: string): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartFailure(`The disk is full: ${file} was not written.`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
      return new StartFailure(`${file} cannot be written there: choose another place.`)
    case '57P01': // somebody stopped the database
      return new StartFailure('The database was stopped while the backup was taken; nothing was kept of it.')
    default:
      return error
  }
}
