import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { isLost } from '../../core/run/errors.ts'
import { connectFailure, reasonOf } from '../../db/connect-failure.ts'
import { findEmbedded, hasEmbedded, startEmbedded } from '../../db/embedded/embedded.ts'
import { functionChanges, functionSet } from '../../db/functions.ts'
import { appliedTo, migrate, migrationFiles } from '../../db/migrate.ts'
import { type DatabaseConfig, resilientPool } from '../../db/pool.ts'
import { refusePooler } from '../../db/pooler.ts'
import { codeOf, StartFailure } from '../../db/start-failure.ts'
import type { Say } from '../say.ts'

/** A database: the embedded one, or one of the operator. */
type Database = { config: DatabaseConfig; stop(): Promise<void> }

const oldestMajor = 15

/** Opens an existing database, also while another Kontor runs on its data folder. */
export async function openExisting(config: Config, say: Say): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !hasEmbedded(dataDir)) {
    throw new StartFailure(`There is no database in ${dataDir}: set KONTOR_DATA or DATABASE_URL.`)
  }
  const running = databaseUrl ? undefined : await findEmbedded(dataDir, say)
  return running ? { config: running, stop: async () => {} } : openDatabase(config, say)
}

/** Opens the database, and creates the embedded one at the first start. `signal` ends that. */
export async function openDatabase(
  { databaseUrl, dataDir }: Config,
  say: Say,
  signal?: AbortSignal,
): Promise<Database> {
  if (databaseUrl) return { config: { connectionString: databaseUrl }, stop: async () => {} }
  const { config, stop } = await startEmbedded({ dataDir, say, lost: endWith(say), ...(signal && { signal }) })
  return { config, stop }
}

/** Ends the process: it has no database any more. */
const endWith = (say: Say) => (sentence: string) => {
  say(sentence)
  process.exit(1)
}

/** Waits for the database, refuses a PostgreSQL that is too old, and migrates the database to this version. */
export async function prepare(config: pg.PoolConfig, say: Say, waitS?: number) {
  await whenReady(say, async () => {
    const pool = resilientPool({ ...config, max: 3, connectionTimeoutMillis: 5_000 })
    try {
      await reach(pool, say)
      await migrate(pool, say, { waitS })
    } finally {
      await pool.end()
    }
  })
}

/**
 * Does a step of a start. A server that is starting, recovering or stopping after the first contact is waited for as at the first
 * contact, and the step is done again: what it did before was rolled back, or is found there.
 */
export async function whenReady<T>(say: Say, step: () => Promise<T>): Promise<T> {
  for (let tries = triesMax; ; tries--) {
    try {
      return await step()
    } catch (error) {
      if (!isNotReady(error) || tries === 1) throw error
      say(`Waiting for the database: ${reasonOf(error)}`)
      await sleep(pauseMs)
    }
  }
}

/** Also if the error was wrapped since. A full disk does not end by waiting. */
export function isNotReady(error: unknown): boolean {
  if (isLost(error)) return codeOf(error) !== '53100'
  return (
    error instanceof Error && !(error instanceof StartFailure) && error.cause !== undefined && isNotReady(error.cause)
  )
}

const triesMax = 10
const pauseMs = 1_500

/** Waits for the database and refuses one that has another version of the schema: for commands that never migrate. */
export async function requireThisVersion(config: pg.PoolConfig, say: Say): Promise<void> {
  const pool = resilientPool({ ...config, max: 1, connectionTimeoutMillis: 5_000 })
  try {
    await reach(pool, say)
    const difference = differenceOf(await appliedTo(pool))
    if (difference) throw new StartFailure(`${difference} Nothing was changed.`)
    if (await functionChanges(pool, functionSet())) throw new StartFailure(olderFunctions)
  } finally {
    await pool.end()
  }
}

const olderFunctions =
  'The functions of the database are those of another Kontor. Apply those of this one first with kontor migrate or kontor start, or run this command with the version that it has. Nothing was changed.'

/** How the applied migrations differ from those of this version. */
function differenceOf(applied: Map<string, string>): string | undefined {
  if (applied.size === 0) return 'The database is empty. Start Kontor once, then try again.'
  const known = migrationFiles()
  const newer = [...applied.keys()].sort().find((name) => !known.some((migration) => migration.name === name))
  if (newer) return `The database was migrated by a newer Kontor (${newer}). Run this command with that version.`
  const missing = known.filter(({ name }) => !applied.has(name))
  if (missing[0])
    return `The database has the schema of an older Kontor: it lacks ${missing.length} migrations, from ${missing[0].name} on. Migrate it first with kontor migrate or kontor start, or run this command with the version that it has.`
  const other = known.find(({ name, checksum }) => applied.get(name) !== checksum)
  return (
    other &&
    `The database was created by another build: migration ${other.name} differs. Run this command with that build.`
  )
}

/** Waits for the database. Refuses one that is too old, and a pooler in between that Kontor cannot work with. */
export async function reach(pool: pg.Pool, say: Say): Promise<void> {
  const major = Math.floor((await serverVersion(pool, say)) / 10_000)
  if (major < oldestMajor)
    throw new StartFailure(`DATABASE_URL points at PostgreSQL ${major}; Kontor needs ${oldestMajor} or newer.`)
  await refusePooler(pool.options)
}

/** A server that does not answer yet is waited for. Anything else, such as a wrong password, would fail again. */
async function serverVersion(pool: pg.Pool, say: Say): Promise<number> {
  for (let tries = triesMax; ; tries--) {
    try {
      const { rows } = await pool.query<{ version: string }>("select current_setting('server_version_num') as version")
      return Number(rows[0]?.version)
    } catch (error) {
      const final = connectFailure(error)
      if (final) throw final
      if (tries === 1)
        throw new StartFailure(
          `The database cannot be reached (${reasonOf(error)}). Check DATABASE_URL and that the server runs.`,
        )
      say(`Waiting for the database: ${reasonOf(error)}`)
      await sleep(pauseMs)
    }
  }
}
