import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Logger, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { applyFunctions, type FunctionSet, functionChanges, functionSet } from './functions.ts'
import { takeMigrationLock } from './migration-lock.ts'
import { baselineFor, ensureRoles, type RoleRights, runnableText } from './roles.ts'
import { StartFailure } from './start-failure.ts'

const ownFolder = new URL('./migrations/', import.meta.url)
const baselineFolder = new URL('./baseline/', import.meta.url)

export type Migration = { name: string; text: string; checksum: string }

type MigrateOptions = {
  folder?: URL
  /** Applies only these: the version of a backup that is being restored. */
  only?: ReadonlySet<string>
  /** How long another migration or a backup is waited for. */
  waitS?: number | undefined
  /** False applies the migrations one by one also in an empty database. */
  fromBaseline?: boolean
  /** The functions of another version than this one. */
  functions?: FunctionSet
}

/**
 * Migrates the database to this version: forward only, each file in its own transaction, one process at a time. An empty
 * database gets the baseline, which is what all migrations up to a certain one make without the functions and triggers of the folder,
 * and then the migrations after it. Then follow the functions and triggers of this version, if any file of them changed.
 */
export async function migrate(
  pool: pg.Pool,
  say: (line: string) => void = () => {},
  { folder = ownFolder, only, waitS, fromBaseline = true, functions = functionSet() }: MigrateOptions = {},
): Promise<void> {
  const known = migrationFiles(folder)
  const selected = known.filter(({ name }) => only?.has(name) ?? true)
  const applied = await appliedTo(pool)
  refuseNewer(applied, known)
  const rights = await ensureRoles(pool)
  // Functions belong to the newest tables: while those are left out, the functions of the migrations stay.
  const set = selected.length === known.length ? functions : undefined
  const isPending = selected.some(({ name, checksum }) => applied.get(name) !== checksum)
  // With nothing to do no lock is taken: a backup may hold it for long.
  if (isPending || (set && (await functionChanges(pool, set))))
    await migrateExclusively(pool, { known, selected, functions: set, rights, say, waitS, fromBaseline })
  else await migrateQueue(pool)
}

type MigrationRun = {
  known: Migration[]
  selected: Migration[]
  functions: FunctionSet | undefined
  rights: RoleRights
  say: (line: string) => void
  waitS: number | undefined
  fromBaseline: boolean
}

async function migrateExclusively(pool: pg.Pool, run: MigrationRun) {
  const { known, selected, functions, rights, say, waitS, fromBaseline } = run
  const client = await pool.connect()
  try {
    await detectDeadConnection(client)
    await takeMigrationLock(client, 'migration', { say, waitS })
    // The baseline has none of the functions of the folder, so it needs those that follow.
    const baseline = fromBaseline && functions && (await isEmpty(client)) ? baselineOf(selected) : undefined
    if (baseline) await applyBaseline(client, { ...baseline, text: baselineFor(baseline.text, rights) }, say)
    else
      await client.query(`create table if not exists migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const applied = await appliedTo(client)
    refuseNewer(applied, known)
    for (const migration of selected)
      await apply(client, { ...migration, text: runnableText(migration.text, rights) }, applied, say)
    const changes = functions && (await functionChanges(client, functions))
    await inTransaction(client, async () => {
      if (changes) await applyFunctions(client, functions, changes)
      await client.query(keepPlans)
    })
    await client.query(analyzeNewTables)
    await client.query(estimateEmptyTables)
    await migrateQueue(pool)
  } finally {
    client.release(true) // closes the session, which releases the lock
  }
}

/**
 * Statistics of the tables that migrations have filled. Autovacuum gathers them minutes later, and until then connections
 * would keep plans for tables of unknown size. An empty table stays without: it would be planned as one that stays empty.
 */
const analyzeNewTables = `do $$
  declare filled regclass;
  begin
    for filled in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and reltuples < 0 and pg_relation_size(oid) > 0
    loop execute format('analyze %s', filled); end loop;
  end $$`

/**
 * Without statistics PostgreSQL takes a table for so small that any index which begins with the organization is as good as the
 * primary key, and connections keep such plans while the table grows: each allocation then reads all payments of its organization.
 * The estimate says that an organization has a good part of the rows. Autovacuum replaces it. PostgreSQL 17 cannot be told.
 */
const estimateEmptyTables = `do $$
  declare empty_table name;
  begin
    if current_setting('server_version_num')::integer < 180000 then return; end if;
    for empty_table in select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples < 0 and pg_relation_size(c.oid) = 0
    loop perform pg_restore_attribute_stats('schemaname', 'public', 'relname', empty_table::text, 'attname', 'organization_id',
      'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 3::real);
    end loop;
  end $$`

/**
 * Functions that write, as triggers do, are planned once per connection. PostgreSQL would plan many of their statements for every
 * call, because it expects a little from the values at hand: marking the days of a paid document took 4 ms instead of 0.7. Only
 * functions with a setting already, which is what makes a further one cheap. See docs/decisions/0003-round-trips-and-statements.md.
 */
const keepPlans = `do $$
  declare writing regprocedure;
  begin
    for writing in select p.oid::regprocedure from pg_proc p join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
      where p.pronamespace = 'public'::regnamespace and p.provolatile = 'v' and p.proconfig is not null
        and not exists (select from unnest(p.proconfig) c where c like 'plan_cache_mode=%')
    loop execute format('alter function %s set plan_cache_mode = force_generic_plan', writing); end loop;
  end $$`

/** Migrates the tables of graphile-worker, which handles concurrent migrations itself. */
const migrateQueue = (pool: pg.Pool) => runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) })

/** Makes PostgreSQL notice within a second that this process was killed, and release its locks. Not supported on every platform. */
export const detectDeadConnection = (client: pg.ClientBase): Promise<unknown> =>
  client.query("set client_connection_check_interval = '1s'").catch(() => {})

/** The checksums of the applied migrations, by name; empty if there is no schema yet. */
export async function appliedTo(database: Pick<pg.ClientBase, 'query'>): Promise<Map<string, string>> {
  const { rows: found } = await database.query("select to_regclass('migrations') is not null as there")
  if (!found[0].there) return new Map()
  const { rows } = await database.query<{ name: string; checksum: string }>('select name, checksum from migrations')
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** An older version does not start on a database migrated by a newer one. Running processes continue. */
function refuseNewer(applied: Map<string, string>, known: Migration[]) {
  const names = new Set(known.map(({ name }) => name))
  const newer = [...applied.keys()].find((name) => !names.has(name))
  if (newer)
    throw new StartFailure(
      `The database was migrated by a newer Kontor (${newer}). Run that version, or restore an older backup.`,
    )
}

/** All migrations of this version, in order. */
export function migrationFiles(folder: URL = ownFolder): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/** The schema that the migrations up to `name` make. */
export type Baseline = { name: string; text: string }

/** The baseline of this version: the newest, if a new one was just written. */
export function baselineFile(): Baseline | undefined {
  const name = readdirSync(baselineFolder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .at(-1)
  return name === undefined ? undefined : { name, text: readFileSync(new URL(name, baselineFolder), 'utf8') }
}

/** The baseline with the migrations that it contains, if all of these are to be applied. */
function baselineOf(selected: readonly Migration[]): (Baseline & { contains: Migration[] }) | undefined {
  const baseline = baselineFile()
  if (!baseline) return undefined
  const contains = selected.filter(({ name }) => name <= baseline.name)
  const isComplete = contains.every(({ name }, index) => Number(name.slice(0, 4)) === index + 1)
  return isComplete && contains.at(-1)?.name === baseline.name ? { ...baseline, contains } : undefined
}

/** Whether nothing was made in the database yet, except the table of migrations by a process that ended at once. */
async function isEmpty(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(`
    select to_regnamespace('graphile_worker') is null
      and not exists (select from pg_class where relnamespace = 'public'::regnamespace and relname not in ('migrations', 'migrations_pkey'))
      and not exists (select from pg_proc where pronamespace = 'public'::regnamespace)
      and not exists (select from pg_type where typnamespace = 'public'::regnamespace and typname not in ('migrations', '_migrations')) as empty`)
  return rows[0]?.empty === true && (await appliedTo(client)).size === 0
}

async function applyBaseline(
  client: pg.PoolClient,
  { name, text, contains }: Baseline & { contains: Migration[] },
  say: (line: string) => void,
) {
  say(`Creating the schema up to ${name}`)
  try {
    await client.query('begin')
    await client.query('drop table if exists migrations')
    await client.query(text)
    await client.query('insert into migrations (name, checksum) select * from unnest($1::text[], $2::text[])', [
      contains.map((migration) => migration.name),
      contains.map((migration) => migration.checksum),
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`The schema could not be created: ${messageOf(error)}`, { cause: error })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

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
      `The database was created by another build: migration ${name} differs. Use that build, or start with an empty data folder.`,
    )
  say(`Applying ${name}`)
  try {
    await inTransaction(client, async () => {
      await client.query(text)
      await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    })
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${messageOf(error)}`, { cause: error })
  }
}

/** The version before serves requests meanwhile (FLT-16), and they may lock the same tables in another order. */
const attemptsMax = 5
const isDeadlock = (error: unknown) => error instanceof Error && 'code' in error && error.code === '40P01'

async function inTransaction(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (attempt < attemptsMax && isDeadlock(error)) continue
      throw error
    }
  }
}
