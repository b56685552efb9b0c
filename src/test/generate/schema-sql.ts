import type pg from 'pg'
import { type FunctionFile, functionSet, namesIn } from '../../db/functions.ts'

/**
 * Writes a migrated database as one SQL text for readers (src/db/schema.sql): types, then tables in the order of their
 * creation, each with its indexes, triggers, policies and grants, then views and the names of functions. It is read from the
 * catalogs; the tables of the job queue are not part of it, and nothing is ever created from it.
 */
export async function schemaSql(client: pg.ClientBase): Promise<string> {
  const ask = async <T>(text: string) => (await client.query(text)).rows as T[]
  await client.query("select set_config('search_path', 'public', false)") // so that names have no schema in front
  const types = await ask<Item>(typesQuery)
  const tables = await ask<Item>(tablesQuery)
  const parts = await ask<Part>(partsQuery)
  const views = await ask<Item>(viewsQuery)
  const functions = await ask<Item>(functionsQuery)
  const sections = [
    ['Types', types.map(({ text }) => text)],
    ['Tables', tables.map((table) => tableText(table, parts))],
    ['Views', views.map(({ text }) => text)],
    ['Functions', [functionLines(functions)]],
  ] as const
  const texts = sections
    .filter(([, items]) => items.length > 0)
    .map(([title, items]) => `-- ${title}\n\n${items.map((item) => item.trim()).join('\n\n')}`)
  return `${[heading, ...texts].join('\n\n\n')}\n`
}

function functionLines(functions: readonly Item[]): string {
  const { files } = functionSet()
  return functions.map(({ name, text }) => `${text} -- ${placeOf(name, files)}`).join('\n')
}

type Item = { name: string; text: string }
/** What belongs to a table: a column or constraint inside its parentheses, or a statement after it. */
type Part = { table: string; place: 'inside' | 'after'; text: string }

const heading = `-- The schema as all migrations leave it, for reading. Written by \`npm run schema\`; never edit or run it.
-- "owner" stands for the role that owns the database. kontor_confined and kontor_across are the roles of requests.
-- Bodies and grants of functions stand in src/db/functions, in the file that follows each of them here.`

function tableText({ name, text }: Item, parts: readonly Part[]): string {
  const of = (place: Part['place']) => parts.filter((part) => part.table === name && part.place === place)
  const inside = of('inside').map((part) => `  ${part.text}`)
  const lines = [`${text} (`, inside.join(',\n'), ');', ...of('after').map((part) => part.text)]
  return lines.join('\n').replaceAll("'::text", "'") // a literal is text anyway
}

const here = "'public'::regnamespace"

const typesQuery = `
  select t.typname as name, format('create type %I as enum (%s);', t.typname,
    (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)) as text
  from pg_type t where t.typnamespace = ${here} and t.typtype = 'e'
  union all
  select t.typname, format('create domain %I as %s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
    (select string_agg(' ' || pg_get_constraintdef(c.oid, true), '' order by c.conname) from pg_constraint c where c.contypid = t.oid))
  from pg_type t where t.typnamespace = ${here} and t.typtype = 'd'
  union all
  select t.typname, format('create type %I as (%s);', t.typname,
    (select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum) from pg_attribute a where a.attrelid = c.oid))
  from pg_type t join pg_class c on c.oid = t.typrelid where t.typnamespace = ${here} and c.relkind = 'c'
  order by name`

const tablesQuery = `
  select c.relname as name, format('create%s table %I', case c.relpersistence when 'u' then ' unlogged' else '' end, c.relname) as text
  from pg_class c where c.relnamespace = ${here} and c.relkind in ('r', 'p') order by c.oid`

const viewsQuery = `
  select c.relname as name, format(E'create view %I as\\n%s', c.relname, pg_get_viewdef(c.oid, true)) as text
  from pg_class c where c.relnamespace = ${here} and c.relkind = 'v' order by c.relname`

/** A role, where the owner has no name of its own: installations call it differently. */
const role = (oid: string) =>
  `case ${oid} when 0 then 'public' when owner.oid then 'owner' else quote_ident(pg_get_userbyid(${oid})) end`
const owner = `(select oid from pg_roles where rolname = current_user) owner`

/** Privileges in a fixed order, with columns where they are given for some only. */
const privileges = `string_agg(lower(a.privilege_type), ', ' order by array_position(
  '{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER,MAINTAIN,USAGE,EXECUTE}'::text[], a.privilege_type))`

/** PostgreSQL breaks subqueries into lines and repeats the name of their only column; shorter is easier to read. */
const onOneLine = (expression: string) =>
  `regexp_replace(regexp_replace(${expression}, '\\s+', ' ', 'g'), '\\(\\( SELECT (\\w+)\\(\\) AS \\1\\)\\)', '(SELECT \\1())', 'g')`

const columnsQuery = `
  select c.oid as table_oid, 'inside' as place, 1 as kind, a.attnum as position, '' as name,
    concat_ws(' ', quote_ident(a.attname), replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz'),
      case when a.attnotnull then 'not null' end,
      case a.attidentity when 'a' then 'generated always as identity' when 'd' then 'generated by default as identity' end,
      case when a.attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid, true))
        when a.attgenerated = 'v' then format('generated always as (%s) virtual', pg_get_expr(d.adbin, d.adrelid, true))
        when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid, true) end) as text
  from tables c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum`

// PostgreSQL 18 lists "not null" as constraints too, which the columns say already.
const constraintsQuery = `
  select c.oid, 'inside', 1 + array_position('{p,u,x,c,f,t}'::"char"[], k.contype), 0, k.conname::text,
    format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid, true))
  from tables c join pg_constraint k on k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'c', 'f')`

const indexesQuery = `
  select c.oid, 'after', 10, 0, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid, 0, true) || ';'
  from tables c join pg_index i on i.indrelid = c.oid
  where not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))`

const statisticsQuery = `
  select c.oid, 'after', 10, 1, s.stxname::text, pg_get_statisticsobjdef(s.oid) || ';'
  from tables c join pg_statistic_ext s on s.stxrelid = c.oid`

const triggersQuery = `
  select c.oid, 'after', 11, 0, t.tgname::text, pg_get_triggerdef(t.oid, true) || ';'
    || case when t.tgenabled = 'O' then '' else format(' -- enabled: %s', t.tgenabled) end
  from tables c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal and t.tgparentid = 0`

const securityQuery = `
  select c.oid, 'after', 12, 0, '', format('alter table %I enable row level security%s;', c.relname,
    case when c.relforcerowsecurity then ', force row level security' else '' end)
  from tables c where c.relrowsecurity`

const policiesQuery = `
  select c.oid, 'after', 13, 0, p.polname::text, concat_ws(' ', format('create policy %I on %I', p.polname, c.relname),
    case when not p.polpermissive then 'as restrictive' end,
    case p.polcmd when 'r' then 'for select' when 'a' then 'for insert' when 'w' then 'for update' when 'd' then 'for delete' end,
    'to ' || (select string_agg(${role('r.oid')}, ', ' order by pg_get_userbyid(r.oid)) from unnest(p.polroles) r (oid), ${owner}),
    'using (' || ${onOneLine('pg_get_expr(p.polqual, p.polrelid, true)')} || ')',
    'with check (' || ${onOneLine('pg_get_expr(p.polwithcheck, p.polrelid, true)')} || ')') || ';'
  from tables c join pg_policy p on p.polrelid = c.oid`

const grantsQuery = `
  select oid, 'after', 14, 0, grantee, format('grant %s on %I to %s;', given, relname, grantee)
  from (select c.oid, c.relname, ${role('a.grantee')} as grantee, ${privileges} as given
    from tables c, aclexplode(c.relacl) a, ${owner} where a.grantee <> c.relowner group by 1, 2, 3) g
  union all
  select oid, 'after', 15, 0, grantee, format('grant %s on %I to %s;', string_agg(given, ', ' order by given), relname, grantee)
  from (select c.oid, c.relname, ${role('a.grantee')} as grantee,
      format('%s (%s)', lower(a.privilege_type), string_agg(quote_ident(t.attname), ', ' order by t.attnum)) as given
    from tables c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a, ${owner}
    where a.grantee <> c.relowner group by c.oid, c.relname, 3, a.privilege_type) g group by oid, relname, grantee`

const partsQuery = `
  with tables as (select * from pg_class where relnamespace = ${here} and relkind in ('r', 'p')),
  parts as (
    ${[columnsQuery, constraintsQuery, indexesQuery, statisticsQuery, triggersQuery, securityQuery, policiesQuery, grantsQuery].join(' union all ')})
  select c.relname as table, p.place, p.text from parts p join tables c on c.oid = p.table_oid
  order by c.oid, p.kind, p.position, p.name collate "C", p.text collate "C"`

/** Bodies stand in src/db/functions, and those of functions that tables use in the migrations. */
const functionsQuery = `
  select p.proname as name, format('function %I(%s) returns %s;', p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)) as text
  from pg_proc p where p.pronamespace = ${here} and p.prokind in ('f', 'p')
  order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`

/** Where the body of a function is. */
const placeOf = (name: string, files: readonly FunctionFile[]) =>
  files.find(({ text }) => namesIn(text).includes(name))?.name ?? 'migrations'
