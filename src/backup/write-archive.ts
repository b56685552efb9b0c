import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Secret } from '../core/secrets/secret.ts'
import { copyOut } from '../db/wire/copy.ts'
import { excludedBesidesTables, excludedTables } from './excluded-tables.ts'
import { archiveFiles } from './files.ts'
import { type Files, keyName, type Manifest, manifestName, type Part } from './manifest.ts'
import { checkStored, type FileStore } from './stored-files.ts'
import { type BackedUpTable, backedUpParts, foreignTables, migrationsOf, secretsOf, sequencesOf } from './table-list.ts'
import { endOfArchive, header, padding } from './tar.ts'

export type ArchiveSource = {
  /** The folder of the local file store, if there is one. */
  filesDir: string
  /** The store that is asked for the files that rows refer to. */
  store?: FileStore | undefined
  /** The secrets key, to be included. */
  key?: Secret | undefined
  version: string
  takenAt: Date
}

/** The bytes of the whole archive. The manifest comes last, because it lists the checksums of everything before it. */
export async function* writeArchive(client: pg.Client, source: ArchiveSource): AsyncGenerator<Buffer, Manifest> {
  const parts: Record<string, Part> = {}
  const { version, takenAt, store, key } = source
  const { postgres, moment } = (await client.query(snapshotQuery)).rows[0]
  const migrations = await migrationsOf(client)
  const secrets = await secretsOf(client)
  for (const table of await backedUpParts(client)) parts[table.part] = yield* rowsOf(client, table, takenAt)
  const sequences = await sequencesOf(client)
  // After the rows: a file is stored before the row that refers to it.
  const files: Files | null = yield* archiveFiles(source.filesDir, takenAt)
  const stored = store && (await checkStored(client, store))
  if (key) yield* entry(keyName, Buffer.from(key.reveal()), takenAt)
  const { key: keyReason = '', ...besides } = excludedBesidesTables
  const notIncluded = {
    ...excludedTables,
    ...besides,
    ...(!key && { key: keyReason }),
    ...(await foreignTables(client)),
  }
  const manifest: Manifest = {
    format: 1, version, takenAt: moment.toISOString(), postgres, migrations, parts, sequences, files, secrets, notIncluded,
    ...(stored !== undefined && { stored }), ...(key && { includesKey: true }),
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
