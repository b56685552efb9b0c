import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { copyOut } from '../db/copy.ts'
import { takeMigrationLock } from '../db/migration-lock.ts'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import { excludedBesidesTables, excludedTables } from './excluded-tables.ts'
import { archiveFiles, syncFile, syncFolder } from './files.ts'
import { type Files, type Manifest, manifestName, type Part } from './manifest.ts'
import { withSession } from './session.ts'
import { type BackedUpTable, backedUpParts, foreignTables, migrationsOf, secretsOf, sequencesOf } from './table-list.ts'
import { endOfArchive, header, padding } from './tar.ts'

type BackupRequest = {
  database: pg.ClientConfig
  /** The file or folder to write to; by default a name with the time, in the current folder. */
  file?: string | undefined
  /** The folder of the local file store, if there is one. */
  filesDir: string
  version: string
}

export type Backup = { file: string; bytes: number; manifest: Manifest }

/** Writes a consistent snapshot, taken while the server runs, into one file. The file appears only when it is complete. */
export async function takeBackup({ database, file: requestedFile, filesDir, version }: BackupRequest): Promise<Backup> {
  const takenAt = new Date()
  const file = chooseFile(requestedFile, takenAt)
  const temporary = `${file}.${process.pid}.part`
  try {
    const manifest = await withSession(database, (client) =>
      inSnapshot(client, () => write(temporary, client, { filesDir, version, takenAt })),
    )
    await rename(temporary, file)
    syncFolder(dirname(file))
    return { file, bytes: statSync(file).size, manifest }
  } catch (error) {
    await rm(temporary, { force: true })
    throw writeFailure(error, file)
  }
}

function chooseFile(requestedFile: string | undefined, takenAt: Date): string {
  const stamp = takenAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const defaultName = `kontor-backup-${stamp}.tar.gz`
  const given = resolve(requestedFile ?? defaultName)
  const file = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, defaultName) : given
  if (existsSync(file)) throw new StartFailure(`${file} already exists: choose another name.`)
  return file
}

/**
 * Runs `work` in a snapshot. Holding the migration lock makes migrations wait until the backup ends, so that none of them
 * waits for a table lock and blocks every other statement; and files named by rows of the snapshot are not removed.
 */
async function inSnapshot<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await takeMigrationLock(client, 'backup')
  await client.query('begin isolation level repeatable read read only')
  await client.query(physicalOrder)
  await requireOwner(client)
  return work()
}

// Queries without a key return rows in their physical order, so that a restored database gives the same backup.
const physicalOrder = `set local synchronize_seqscans = off; set local max_parallel_workers_per_gather = 0;
  set local enable_indexscan = off; set local enable_indexonlyscan = off`

/** Row security hides rows from every role but the owner, and a backup without them would look complete. */
async function requireOwner(client: pg.Client) {
  const { rows } = await client.query<{ isOwner: boolean | null; role: string }>(
    `select current_user as role, (select c.relowner = r.oid or r.rolsuper or r.rolbypassrls
       from pg_class c where c.oid = to_regclass('public.migrations')) as "isOwner"
     from pg_roles r where r.rolname = current_user`,
  )
  const [found] = rows
  if (found?.isOwner) return
  throw new StartFailure(
    found?.isOwner === false
      ? `The tables do not belong to ${found.role}: take the backup as the role that Kontor runs with.`
      : 'There is nothing to back up: this is not a database of Kontor.',
  )
}

type ArchiveSource = { filesDir: string; version: string; takenAt: Date }

async function write(temporary: string, client: pg.Client, source: ArchiveSource): Promise<Manifest> {
  const done: { manifest?: Manifest } = {}
  const entries = async function* () {
    done.manifest = yield* archive(client, source)
  }
  await pipeline(Readable.from(entries()), createGzip(), createWriteStream(temporary, { flags: 'wx', mode: 0o600 }))
  syncFile(temporary)
  if (!done.manifest) throw new Error('The archive ended without its manifest.')
  return done.manifest
}

/** The bytes of the whole archive. The manifest comes last, because it lists the checksums of everything before it. */
async function* archive(client: pg.Client, source: ArchiveSource): AsyncGenerator<Buffer, Manifest> {
  const parts: Record<string, Part> = {}
  const { postgres, moment } = (await client.query(snapshotQuery)).rows[0]
  const migrations = await migrationsOf(client)
  const secrets = await secretsOf(client)
  for (const table of await backedUpParts(client)) parts[table.part] = yield* rowsOf(client, table, source.takenAt)
  const sequences = await sequencesOf(client)
  // After the rows: a file is stored before the row that refers to it.
  const files: Files | null = yield* archiveFiles(source.filesDir, source.takenAt)
  const { version, takenAt } = source
  const notIncluded = { ...excludedTables, ...excludedBesidesTables, ...(await foreignTables(client)) }
  const manifest: Manifest = {
    format: 1, version, takenAt: moment.toISOString(), postgres, migrations, parts, sequences, files, secrets, notIncluded,
  } // biome-ignore format: a list of names
  yield* entry(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), takenAt)
  yield endOfArchive
  return manifest
}

const snapshotQuery = "select current_setting('server_version') as postgres, now() as moment"

const pieceBytes = 1 << 20

/**
 * The rows of a table in entries of about a megabyte, because tar needs the size of an entry before its bytes and a table
 * may not fit into memory. Sorted by key, so that two backups of the same rows are identical.
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
  let [bytes, entries, buffered, bufferedBytes] = [0, 0, [] as Buffer[], 0]
  const flush = function* () {
    if (bufferedBytes > 0)
      yield* entry(`${part}/${String(entries++).padStart(6, '0')}.copy`, Buffer.concat(buffered), at)
    buffered = []
    bufferedBytes = 0
  }
  for await (const piece of rows as AsyncIterable<Buffer>) {
    sum.update(piece)
    bytes += piece.length
    buffered.push(piece)
    bufferedBytes += piece.length
    if (bufferedBytes >= pieceBytes) yield* flush()
  }
  yield* flush()
  return { columns, rows: rows.rows, bytes, sha256: sum.digest('hex') }
}

function* entry(name: string, bytes: Buffer, at: Date): Generator<Buffer> {
  yield header({ name, size: bytes.length }, at)
  yield bytes
  yield padding(bytes.length)
}

/** Turns errors that the operator can fix into a sentence. */
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
      return new StartFailure(`${file} cannot be written: choose another folder.`)
    case '57P01': // the database was shut down
      return new StartFailure('The database was stopped during the backup. No backup was written.')
    default:
      return error
  }
}
