import { createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import type { Keyring } from '../core/secrets/keyring.ts'
import type { Secret } from '../core/secrets/secret.ts'
import { type MigrationWait, takeMigrationLock } from '../db/migration-lock.ts'
import { codeOf, StartFailure } from '../db/start-failure.ts'
import { inspectArchive } from './archive.ts'
import { encryptWith } from './encryption.ts'
import { syncFile, syncFolder } from './files.ts'
import { keyProblem } from './key-check.ts'
import type { Manifest } from './manifest.ts'
import { pause } from './pace.ts'
import { withSession } from './session.ts'
import { secretsOf } from './table-list.ts'
import { type ArchiveSource, writeArchive } from './write-archive.ts'

export type BackupRequest = Omit<ArchiveSource, 'takenAt'> & {
  /** Now, if not given. */
  takenAt?: Date | undefined
  database: pg.ClientConfig
  /** The file or folder to write to; by default a name with the time, in the current folder. */
  file?: string | undefined
  /** The name in a folder, before its ending, from the time as `20260102T030405Z`. */
  nameOf?: (stamp: string) => string
  /** The keys at hand, which must open the secrets of the database. Not checked if absent. */
  keys?: { keyring: Keyring | undefined }
  /** Encrypts the file. */
  passphrase?: Secret | undefined
  /** How long a migration is waited for, and who is told whose. */
  waiting?: MigrationWait
  /** Leaves the machine to others most of the time: for a backup that nobody waits for. */
  unhurried?: boolean
  signal?: AbortSignal
}

export type Backup = { file: string; bytes: number; manifest: Manifest }

/**
 * Writes a consistent snapshot, taken while the server runs, into one file. The file appears only when it is complete and
 * was read back.
 */
export async function takeBackup(request: BackupRequest): Promise<Backup> {
  const { database, passphrase, keys, key, waiting } = request
  if (key && !passphrase) throw new StartFailure('The secrets key can only be included in an encrypted backup.')
  const { takenAt = new Date() } = request
  const file = chooseFile(request, takenAt)
  const temporary = `${file}.${process.pid}.part`
  try {
    const manifest = await withSession(database, (client) =>
      inSnapshot(client, waiting, async () => {
        if (keys) await requireKey(client, keys.keyring)
        return write(temporary, client, { ...request, takenAt })
      }),
    )
    await requireReadable(temporary, request)
    await rename(temporary, file)
    await syncFolder(dirname(file))
    return { file, bytes: statSync(file).size, manifest }
  } catch (error) {
    await rm(temporary, { force: true })
    throw writeFailure(error, file)
  }
}

function chooseFile({ file: requestedFile, nameOf, passphrase }: BackupRequest, takenAt: Date): string {
  const stamp = takenAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const defaultName = `${nameOf?.(stamp) ?? `kontor-backup-${stamp}`}.tar.gz${passphrase ? '.enc' : ''}`
  const given = resolve(requestedFile ?? defaultName)
  const file = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? join(given, defaultName) : given
  if (existsSync(file)) throw new StartFailure(`${file} already exists: choose another name.`)
  return file
}

/** A wrong key would be stored with the backup, and found to be wrong when it is needed. */
async function requireKey(client: pg.Client, keyring: Keyring | undefined) {
  const problem = keyProblem(await secretsOf(client), keyring)
  if (problem)
    throw new StartFailure(
      `The secrets in this database ${problem} No backup was written. Find the right key; until then, kontor backup --without-secrets takes a backup whose secrets cannot be read.`,
    )
}

/** Reads the whole file as a restore would, so that a disk that lost something is noticed now. */
async function requireReadable(file: string, { passphrase, signal, unhurried }: BackupRequest) {
  signal?.throwIfAborted()
  await inspectArchive(file, passphrase, unhurried ? pause : undefined).catch((error: unknown) => {
    if (!(error instanceof StartFailure)) throw error
    throw new StartFailure('The backup was written, but it could not be read back, so it was removed. Check the disk.')
  })
  signal?.throwIfAborted()
}

/**
 * Runs `work` in a snapshot. Holding the migration lock makes migrations wait until the backup ends, so that none of them
 * waits for a table lock and blocks every other statement; and files named by rows of the snapshot are not removed.
 */
async function inSnapshot<T>(
  client: pg.Client,
  waiting: MigrationWait | undefined,
  work: () => Promise<T>,
): Promise<T> {
  await takeMigrationLock(client, 'backup', waiting)
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

/** gzip runs in a thread of its own; reading, hashing and encrypting take a fraction of a millisecond at a time. */
async function write(temporary: string, client: pg.Client, source: BackupRequest & ArchiveSource): Promise<Manifest> {
  const done: { manifest?: Manifest } = {}
  const entries = async function* () {
    done.manifest = yield* writeArchive(client, source)
  }
  const { passphrase, signal, unhurried } = source
  const [bytes, gzip] = [Readable.from(unhurried ? pause(entries()) : entries()), createGzip({ chunkSize: 1 << 16 })]
  const target = createWriteStream(temporary, { flags: 'wx', mode: 0o600 })
  const options = signal ? { signal } : {}
  if (passphrase) await pipeline(bytes, gzip, encryptWith(passphrase), target, options)
  else await pipeline(bytes, gzip, target, options)
  await syncFile(temporary)
  if (!done.manifest) throw new Error('The archive ended without its manifest.')
  return done.manifest
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
