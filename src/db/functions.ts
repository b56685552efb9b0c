import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import product from '../../package.json' with { type: 'json' }
import { codeOf, StartFailure } from './start-failure.ts'

const ownFolder = new URL('./functions/', import.meta.url)

/** A file of functions and triggers, named by its path in the folder. */
export type FunctionFile = { name: string; text: string; checksum: string }

/** The functions of a version of Kontor. */
export type FunctionSet = { files: FunctionFile[]; version: string }

export function functionSet(folder: URL = ownFolder, version: string = product.version): FunctionSet {
  const areas = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = areas.flatMap(({ name }) => readdirSync(new URL(name, folder)).map((file) => `${name}/${file}`)).sort()
  const files = names.map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
  return { files, version }
}

type Queryable = Pick<pg.ClientBase, 'query'>
type Changes = { changed: FunctionFile[]; gone: string[] }

/** Which files differ from those that were applied; undefined if none does, or if the database is of a version before the folder. */
export async function functionChanges(
  database: Queryable,
  { files, version }: FunctionSet,
): Promise<Changes | undefined> {
  const applied = await appliedFiles(database)
  if (!applied) return undefined
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const names = new Set(files.map(({ name }) => name))
  const changed = files.filter(({ name, checksum }) => checksums.get(name) !== checksum)
  const gone = [...checksums.keys()].filter((name) => !names.has(name))
  if (changed.length + gone.length === 0) return undefined
  const newer = applied.find((file) => isNewer(file.version, version))
  if (newer)
    throw new StartFailure(
      `The functions of the database are those of a newer Kontor (${newer.version}). Run that version, or restore an older backup.`,
    )
  return { changed, gone }
}

type Applied = { name: string; checksum: string; version: string }

/** Undefined before the migration that makes the table. */
async function appliedFiles(database: Queryable): Promise<Applied[] | undefined> {
  try {
    return (await database.query<Applied>('select name, checksum, version from function_files')).rows
  } catch (error) {
    if (codeOf(error) === '42P01') return undefined
    throw error
  }
}

/** Numbers are compared one by one, and a version under development comes before its release. */
function isNewer(one: string, other: string): boolean {
  const [left, right] = [one, other].map((version) => [
    ...(version.split('-')[0] ?? '').split('.').map(Number),
    version.includes('-') ? 0 : 1,
  ]) as [number[], number[]]
  const place = left.findIndex((part, index) => part !== right[index])
  return place >= 0 && (left[place] ?? 0) > (right[place] ?? 0)
}

/**
 * Makes the functions of the database those of the files, in the transaction of the caller. Their order does not matter: bodies are
 * not checked here, and triggers follow all functions. A file states all that its functions are, with their grants.
 */
export async function applyFunctions(
  client: pg.ClientBase,
  { files, version }: FunctionSet,
  changes: Changes,
): Promise<void> {
  const { changed, gone } = changes
  await client.query('set local check_function_bodies = off; set local search_path = public')
  const parts = changed.map((file) => ({ ...file, ...partsOf(file.text) }))
  await takeGrants(
    client,
    parts.flatMap(({ functions }) => namesIn(functions)),
  )
  for (const { name, functions } of parts) await create(client, name, functions)
  await requireSameSignatures(client, files)
  await applyTriggers(
    client,
    parts.flatMap(({ triggers }) => triggers),
  )
  await client.query('delete from function_files where name = any ($1)', [gone])
  await client.query(
    `insert into function_files (name, checksum, version) select n, c, $3 from unnest($1::text[], $2::text[]) file (n, c)
     on conflict (name) do update set checksum = excluded.checksum, version = excluded.version, applied_at = now()`,
    [changed.map(({ name }) => name), changed.map(({ checksum }) => checksum), version],
  )
}

const triggerStatement = /^create (?:or replace |constraint )trigger (\w+)[^;]*?\son (\w+)\b(?:[^;']|'[^']*')*;$/gm

/** The statements that make triggers, and the text without them. */
export function partsOf(text: string) {
  const triggers = [...text.matchAll(triggerStatement)].map(([statement, name = '', table = '']) => ({
    statement,
    name,
    table,
  }))
  return { functions: text.replace(triggerStatement, ''), triggers }
}

/** The names of functions that a text makes, one for each of its signatures. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/^create or replace function (\w+)\(/gm)].map(([, name = '']) => name)

/** A grant that a file no longer has is taken from the roles of requests. */
async function takeGrants(client: pg.ClientBase, names: readonly string[]) {
  const { rows } = await client.query<{ statement: string | null }>(
    `select string_agg(format('revoke execute on function %s from kontor_confined, kontor_across', p.oid::regprocedure), ';') as statement
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = any ($1)
       and exists (select from aclexplode(p.proacl) a where a.grantee <> p.proowner)`,
    [names],
  )
  if (rows[0]?.statement) await client.query(rows[0].statement)
}

async function create(client: pg.ClientBase, name: string, text: string) {
  try {
    await client.query(text)
  } catch (error) {
    if (codeOf(error) === '40P01') throw error // a deadlock, after which all of it is done again
    const reason = error instanceof Error ? error.message : String(error)
    const advice =
      codeOf(error) === '42P13' ? '. A file may not change a signature: drop the function in a migration first.' : ''
    throw new Error(`functions/${name}: ${reason}${advice}`, { cause: error })
  }
}

/** Other parameters would make a second function, and callers would go on with the first one. */
async function requireSameSignatures(client: pg.ClientBase, files: readonly FunctionFile[]) {
  const declared = files.flatMap(({ text }) => namesIn(text))
  const { rows } = await client.query<{ name: string; signatures: string[] }>(
    `select proname as name, array_agg(oid::regprocedure::text order by oid) as signatures from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any ($1) group by proname`,
    [declared],
  )
  for (const { name, signatures } of rows)
    if (signatures.length > declared.filter((each) => each === name).length)
      throw new Error(
        `The database has ${signatures.join(' and ')}, and the files have fewer. A file may not change a signature: drop the function in a migration first.`,
      )
}

type Trigger = { statement: string; name: string; table: string }

/** A trigger that is there already stays, because making it again waits for all writers of its table. */
async function applyTriggers(client: pg.ClientBase, triggers: readonly Trigger[]) {
  const { rows } = await client.query<{ name: string; table: string; text: string }>(
    `select t.tgname as name, t.tgrelid::regclass::text as table, pg_get_triggerdef(t.oid, true) as text
     from pg_trigger t join pg_class c on c.oid = t.tgrelid and c.relnamespace = 'public'::regnamespace where not t.tgisinternal`,
  )
  const present = new Map(rows.map(({ name, table, text }) => [`${name} on ${table}`, comparable(text)]))
  for (const { statement, name, table } of triggers) {
    const there = present.get(`${name} on ${table}`)
    if (there === comparable(statement)) continue
    // PostgreSQL has no "create or replace constraint trigger".
    if (there !== undefined) await client.query(`drop trigger ${name} on ${table}`)
    await client.query(statement)
  }
}

/** Without what differs between a statement and how PostgreSQL prints it. Texts in quotes stay as they are. */
const comparable = (statement: string): string =>
  statement
    .split(/('[^']*')/)
    .map((part, index) => (index % 2 ? part : part.toLowerCase().replace(/\s+/g, ' ')))
    .join('')
    .replace(/^create or replace /, 'create ')
    .replace(/;$/, '')
