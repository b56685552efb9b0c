import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Logger, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { StartFailure } from './embedded-failure.ts'

const folder = new URL('./migrations/', import.meta.url)

/** Brings the database to this version: forward only, each file in a transaction of its own, one process at a time. */
export async function migrate(pool: pg.Pool, say: (line: string) => void = () => {}): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("select pg_advisory_lock(hashtextextended('kontor migrations', 0))")
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    refuseNewer(applied)
    for (const migration of migrationFiles()) await apply(client, migration, applied, say)
    await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })
  } finally {
    client.release(true) // ends the session and with it the lock
  }
}

/** Expand, then contract: an older program does not run on a database that a newer one has changed. */
function refuseNewer(applied: Map<string, string>) {
  const known = new Set(migrationFiles().map(({ name }) => name))
  const newer = [...applied.keys()].find((name) => !known.has(name))
  if (newer)
    throw new StartFailure(
      `The database was changed by a newer Kontor (${newer}). Run that version, or restore a backup from before.`,
    )
}

type Migration = { name: string; text: string; checksum: string }

function migrationFiles(): Migration[] {
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
