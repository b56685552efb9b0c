import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Logger, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { migrationLock } from './migration-lock.ts'
import { StartFailure } from './start-failure.ts'

const ownFolder = new URL('./migrations/', import.meta.url)

export type Migration = { name: string; text: string; checksum: string }

type Choice = {
  folder?: URL
  /** Goes no further than these: the version of a backup that is being restored. */
  only?: ReadonlySet<string>
}

/** Brings the database to this version: forward only, each file in a transaction of its own, one process at a time. */
export async function migrate(
  pool: pg.Pool,
  say: (line: string) => void = () => {},
  { folder = ownFolder, only }: Choice = {},
): Promise<void> {
  const known = migrationFiles(folder)
  const wanted = known.filter(({ name }) => only?.has(name) ?? true)
  const applied = await appliedTo(pool)
  refuseNewer(applied, known)
  // A start with nothing to do waits for nobody: a backup may hold the lock for long.
  if (wanted.some(({ name, checksum }) => applied.get(name) !== checksum)) await alone(pool, { known, wanted, say })
  else await migrateQueue(pool)
}

type Work = { known: Migration[]; wanted: Migration[]; say: (line: string) => void }

async function alone(pool: pg.Pool, { known, wanted, say }: Work) {
  const client = await pool.connect()
  try {
    await noticeDeath(client)
    await client.query(`select pg_advisory_lock(${migrationLock})`)
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const applied = await appliedTo(client)
    refuseNewer(applied, known)
    for (const migration of wanted) await apply(client, migration, applied, say)
    await migrateQueue(pool)
  } finally {
    client.release(true) // ends the session and with it the lock
  }
}

/** graphile-worker's own tables; it copes with others that do the same at the same time. */
const migrateQueue = (pool: pg.Pool) => runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })

/** PostgreSQL finds out within a second that we were killed, and lets go of our locks. Not every platform can. */
export const noticeDeath = (client: pg.ClientBase): Promise<unknown> =>
  client.query("set client_connection_check_interval = '1s'").catch(() => {})

/** The checksums of what was applied, by name; none where there is no schema yet. */
export async function appliedTo(database: Pick<pg.ClientBase, 'query'>): Promise<Map<string, string>> {
  const { rows: found } = await database.query("select to_regclass('migrations') is not null as there")
  if (!found[0].there) return new Map()
  const { rows } = await database.query<{ name: string; checksum: string }>('select name, checksum from migrations')
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** An older program does not start on a database that a newer one has changed; one that runs already goes on. */
function refuseNewer(applied: Map<string, string>, known: Migration[]) {
  const names = new Set(known.map(({ name }) => name))
  const newer = [...applied.keys()].find((name) => !names.has(name))
  if (newer)
    throw new StartFailure(
      `The database was changed by a newer Kontor (${newer}). Run that version, or restore a backup from before.`,
    )
}

/** All migrations of this version, in their order. */
export function migrationFiles(folder: URL = ownFolder): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

async function apply(
  client: pg.PoolClient,
  migration: Migration,
  applied: Map<string, string>,
  say: (line: string) => void,
) {
  const { name, text, checksum } = migration
  const known = applied.get(name)
  if (known === checksum) return
  if (known)
    throw new StartFailure(
      `The database was made by another build: migration ${name} differs. Use that build, or begin anew with an empty data folder.`,
    )
  say(`Applying ${name}`)
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
