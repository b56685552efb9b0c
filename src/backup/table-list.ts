import type pg from 'pg'
import { appliedTo } from '../db/migrate.ts'
import { jobsToBackUp, queueTables } from '../db/queue.ts'
import { excludedTables } from './excluded-tables.ts'
import type { Manifest } from './manifest.ts'

/** A table in a backup: its columns, the query its rows come from, and the columns they are sorted by. */
export type BackedUpTable = { part: string; columns: string[]; from: string; key: string[] }

/** Everything in a backup, read from the catalog of the database. */
export async function backedUpParts(client: pg.ClientBase): Promise<BackedUpTable[]> {
  const tables = (await tablesOf(client))
    .filter(({ name, isOurs }) => isOurs && !(name in excludedTables))
    .map(({ name, columns, key }) => ({
      part: `tables/${name}`,
      columns,
      key: key.length > 0 ? key : columns.includes('id') ? ['id'] : columns,
      from: `public.${client.escapeIdentifier(name)}`,
    }))
  return [...tables, waitingJobs, knownCrontabs]
}

type Table = { name: string; columns: string[]; key: string[]; isOurs: boolean }

/** All tables. Kontor's own have the policy that every table of the product gets; a restore creates no others. */
export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(tablesQuery)
  return rows
}

// Without tables of extensions, and without partitions, whose rows belong to their parent table.
const tablesQuery = `
  select c.relname::text as name, array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
    array(select k.attname::text from pg_index i cross join lateral unnest(i.indkey) with ordinality as part (attnum, place)
      join pg_attribute k on k.attrelid = i.indrelid and k.attnum = part.attnum
      where i.indrelid = c.oid and i.indisprimary order by part.place) as key,
    exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'system') as "isOurs"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  group by c.oid, c.relname order by c.relname`

/** Tables that are not Kontor's, with the reason why they are not in the backup. */
export async function foreignTables(client: pg.ClientBase): Promise<Record<string, string>> {
  const others = (await tablesOf(client)).filter(({ name, isOurs }) => !isOurs && !(name in excludedTables))
  return Object.fromEntries(others.map(({ name }) => [name, foreignTableReason]))
}
export const foreignTableReason = 'not a table of Kontor'

const waitingJobs: BackedUpTable = {
  part: 'queue/jobs',
  columns: ['identifier', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority', 'flags'],
  key: [],
  from: jobsToBackUp,
}

// The last run of each scheduled job, so that runs that fell due between the backup and the restore are made up.
const knownCrontabs: BackedUpTable = {
  part: 'queue/crontabs',
  columns: ['identifier', 'known_since', 'last_execution'],
  key: [],
  from: `(select * from ${queueTables.crontabs} order by identifier) as crontabs`,
}

/** The values of sequences, as text, because they may exceed a JavaScript number. */
export async function sequencesOf(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The id of the database in the file store; undefined before the first start. */
export async function homeOf(client: pg.ClientBase): Promise<string | undefined> {
  const { rows: found } = await client.query("select to_regclass('public.file_home') is not null as there")
  if (!found[0].there) return undefined
  const { rows } = await client.query<{ home: string }>('select home from file_home')
  return rows[0]?.home
}

/** The data that tells the right secrets key from a wrong one: an encrypted canary and key ids. */
export async function secretsOf(client: pg.ClientBase): Promise<Manifest['secrets']> {
  const { rows: found } = await client.query("select to_regclass('secrets_canary') is not null as there")
  if (!found[0].there) return { canary: null, wrappingKeys: [] }
  const { rows: canaries } = await client.query<{ wrapped: Buffer; kek_id: string }>(
    'select wrapped, kek_id from secrets_canary',
  )
  // A lost key is not needed; as JSON, because a database of an earlier version has no such column.
  const { rows: keys } = await client.query<{ kek_id: string }>(
    "select kek_id from organization_keys k where to_jsonb(k) ->> 'lost_at' is null union select kek_id from secrets_root order by 1",
  )
  const [canary] = canaries
  return {
    canary: canary ? { wrapped: canary.wrapped.toString('hex'), kekId: canary.kek_id } : null,
    wrappingKeys: keys.map(({ kek_id }) => kek_id),
  }
}

export async function migrationsOf(client: pg.ClientBase): Promise<Manifest['migrations']> {
  const applied = await appliedTo(client)
  return [...applied].map(([name, checksum]) => ({ name, checksum })).sort((a, b) => (a.name < b.name ? -1 : 1))
}
