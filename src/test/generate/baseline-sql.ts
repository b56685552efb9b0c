import type pg from 'pg'
import { type FunctionFile, namesIn, partsOf } from '../../db/functions.ts'
import { ownerInBaseline } from '../../db/roles.ts'

/**
 * Writes a migrated database as SQL that makes the same schema in an empty database at once (src/db/baseline): types, tables,
 * views and functions in the order in which they need each other, the rows that migrations insert, then indexes, foreign keys,
 * triggers, policies and grants. It is read from the catalogs and also contains the tables of the job queue. It writes what
 * the migrations use; src/db/baseline.test.ts compares all catalogs, so it fails when a migration uses anything else. The functions and
 * triggers of `files` are left out, because they follow in every database.
 */
export async function baselineSql(client: pg.ClientBase, files: readonly FunctionFile[]): Promise<string> {
  const ask = async <T>(text: string) => (await client.query(text)).rows as T[]
  await client.query(leftOut, [
    files.flatMap(({ text }) => namesIn(text)),
    files.flatMap(({ text }) => partsOf(text).triggers.map(({ name, table }) => `${name} on ${table}`)),
  ])
  const lines = async (text: string) => (await ask<{ text: string }>(text)).map((row) => row.text)
  await client.query("select set_config('search_path', 'public', false)") // so that names have no schema in front
  const objects = inOrderOfNeed(await ask<SchemaObject>(objectsQuery), await ask<Need>(needsQuery))
  const sections: [title: string, statements: string[]][] = [
    ['Roles, schemas and default privileges', await lines(groundQuery)],
    ['Types, tables, views and functions, in the order in which they need each other', objects],
    ['Rows that migrations insert', await seededRows(client)],
    ['Indexes and keys, in the order in which the migrations made them', await lines(indexesQuery)],
    ['Foreign keys, in the order in which the migrations made them', await lines(foreignKeysQuery)],
    ['Statistics over several columns', await lines(statisticsQuery)],
    ['Triggers', await lines(triggersQuery)],
    ['Row security', [...(await lines(securityQuery)), ...(await lines(policiesQuery))]],
    ['Grants', await lines(grantsQuery)],
  ]
  const texts = sections
    .filter(([, statements]) => statements.length > 0)
    .map(([title, statements]) => `-- ${title}\n\n${statements.map((statement) => statement.trim()).join('\n')}`)
  const { rows } = await client.query<{ owner: string }>('select quote_literal(current_user) as owner')
  return `${[heading, ...texts].join('\n\n\n').replaceAll(rows[0]?.owner ?? '', ownerInBaseline)}\n`
}

const heading = `-- The schema of an empty database, as the migrations up to the one in the name of this file make it one by one, with the tables of
-- the job queue. Written by \`npm run baseline\` and never edited: a change is a new migration. See src/db/README.md.
-- {owner} stands for the name of the login that owns the database, which installations call differently.
-- The functions and triggers of src/db/functions follow it.
set local check_function_bodies = off; -- functions name others that come later
set local search_path = public;`

/** The names of functions, and of triggers with their tables, that the queries below leave out. */
const leftOut = `select set_config('baseline.functions', array_to_string($1::text[], ','), false),
  set_config('baseline.triggers', array_to_string($2::text[], ','), false)`
const isLeftOut = `p.pronamespace = 'public'::regnamespace
  and p.proname = any (string_to_array(current_setting('baseline.functions'), ','))`

const ours = "('public'::regnamespace, 'graphile_worker'::regnamespace)"

/** What row security calls the owner: installations call it differently. */
const role = (oid: string) =>
  `case ${oid} when 0 then 'public' when to_regrole(current_user)::oid then 'current_user' else quote_ident(pg_get_userbyid(${oid})) end`

/** The membership that the first migration grants; a login that may not grant leaves the line out (src/db/roles.ts). */
const groundQuery = `
  select text from (
    select 1 as place, 'grant kontor_confined, kontor_across to current_user;' as text
    union all
    select 2, format('create schema %I;', nspname) from pg_namespace where oid in ${ours} and nspname <> 'public'
    union all
    select 3, format('grant %s on schema %I to %s;', lower(a.privilege_type), n.nspname, ${role('a.grantee')})
    from pg_namespace n, aclexplode(n.nspacl) a where n.oid in ${ours} and a.grantee not in (0, n.nspowner)
    union all
    select 4, 'do $$ begin execute format(''revoke temporary on database %I from public'', current_database()); end $$;'
    from pg_database d where d.datname = current_database()
      and not exists (select from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a where a.grantee = 0 and a.privilege_type = 'TEMPORARY')
    union all
    select 5, 'alter default privileges revoke execute on functions from public;'
    from pg_default_acl d where d.defaclrole = to_regrole(current_user) and d.defaclnamespace = 0 and d.defaclobjtype = 'f'
      and not exists (select from aclexplode(d.defaclacl) a where a.grantee = 0)
  ) ground order by place, text`

type SchemaObject = { oid: number; text: string }
type Need = { needing: number; needed: number }

/** Objects by number, which is the order of their creation, except that what an object needs comes before it. */
function inOrderOfNeed(objects: readonly SchemaObject[], needs: readonly Need[]): string[] {
  const texts = new Map(objects.map(({ oid, text }) => [oid, text]))
  const neededBy = new Map<number, number[]>()
  for (const { needing, needed } of needs) neededBy.set(needing, [...(neededBy.get(needing) ?? []), needed])
  const written: string[] = []
  const state = new Map<number, 'begun' | 'written'>()
  const write = (oid: number) => {
    const text = texts.get(oid)
    if (text === undefined || state.get(oid) === 'written') return
    if (state.get(oid) === 'begun') throw new Error(`It needs itself in a circle: ${text.slice(0, 100)}`)
    state.set(oid, 'begun')
    for (const needed of neededBy.get(oid) ?? []) write(needed)
    state.set(oid, 'written')
    written.push(text)
  }
  for (const { oid } of objects) write(oid)
  return written
}

const columnText = `concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
  case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
  case when a.attnotnull then concat(case when n.conname <> format('%s_%s_not_null', c.relname, a.attname) then format('constraint %I ', n.conname) end, 'not null') end,
  case when a.attidentity <> '' then format('generated %s as identity%s', case a.attidentity when 'a' then 'always' else 'by default' end,
    (select format(' (sequence name %s)', s.oid::regclass) from pg_class s where s.oid = pg_get_serial_sequence(c.oid::regclass::text, a.attname)::regclass
      and s.relname <> format('%s_%s_seq', c.relname, a.attname))) end,
  case when a.attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
    when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end)`

const columnsOfTable = `
  select string_agg('  ' || ${columnText}, E',\\n' order by a.attnum)
  from pg_attribute a join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_constraint n on n.conrelid = c.oid and n.contype = 'n' and n.conkey = array[a.attnum]
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

const checksOfTable = `
  select string_agg(format(E',\\n  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), '' order by k.oid)
  from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'`

/**
 * Keys are made with their table, which is faster, as far as the migrations made them before its other indexes: of two that cost
 * the same, PostgreSQL uses the older one. It makes the primary key first.
 */
const keys = `
  keys as (
    select k.oid, k.conrelid, k.conname, k.conindid, bool_and(k.oid is not null and (k.contype <> 'p' or i.place = 1)) over earlier as inside
    from (select i.*, row_number() over (partition by i.indrelid order by i.indexrelid) as place from pg_index i
        join pg_class c on c.oid = i.indrelid and c.relnamespace in ${ours} and c.relkind = 'r') i
      left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x')
    window earlier as (partition by i.indrelid order by i.place))`

const keysOfTable = `
  select string_agg(format(E',\\n  constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), '' order by k.conindid)
  from keys k where k.conrelid = c.oid and k.inside`

/** Tables with a statement for each column that is stored in another way than its type. */
const tableText = `concat(format(E'create%s table %s (\\n', case c.relpersistence when 'u' then ' unlogged' end, c.oid::regclass),
  (${columnsOfTable}), (${keysOfTable}), (${checksOfTable}), E'\\n)' || ' with (' || array_to_string(c.reloptions, ', ') || ');',
  case when c.reloptions is null then E'\\n);' end,
  (select string_agg(format(E'\\nalter table %s alter column %I set storage %s;', c.oid::regclass, a.attname,
      case a.attstorage when 'e' then 'external' when 'm' then 'main' when 'p' then 'plain' else 'extended' end), '' order by a.attnum)
    from pg_attribute a join pg_type t on t.oid = a.atttypid
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attstorage <> t.typstorage))`

const objectsQuery = `
  with ${keys}
  select oid, text from (
    select c.oid, ${tableText} as text from pg_class c where c.relnamespace in ${ours} and c.relkind = 'r'
    union all
    select c.oid, format(E'create view %s as\\n%s', c.oid::regclass, pg_get_viewdef(c.oid))
    from pg_class c where c.relnamespace in ${ours} and c.relkind = 'v'
    union all
    select c.oid, format('create type %s as (%s);', c.oid::regclass,
      (select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0))
    from pg_class c where c.relnamespace in ${ours} and c.relkind = 'c'
    union all
    select t.oid, format('create type %s as enum (%s);', t.oid::regtype,
      (select string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid))
    from pg_type t where t.typnamespace in ${ours} and t.typtype = 'e'
    union all
    select p.oid, rtrim(pg_get_functiondef(p.oid), E'\\n') || ';'
    from pg_proc p where p.pronamespace in ${ours} and p.prokind in ('f', 'p') and not (${isLeftOut})
  ) objects order by oid`

/** The object that owns a default, check constraint, rule of a view or type of a row; another is itself. */
const objectOf = (catalog: string, oid: string) => `case ${catalog}
    when 'pg_attrdef'::regclass then (select d.adrelid from pg_attrdef d where d.oid = ${oid})
    when 'pg_constraint'::regclass then (select k.conrelid from pg_constraint k where k.oid = ${oid} and k.contype = 'c')
    when 'pg_rewrite'::regclass then (select r.ev_class from pg_rewrite r where r.oid = ${oid})
    when 'pg_type'::regclass then (
      select case when coalesce(e.typrelid, t.typrelid) <> 0 then coalesce(e.typrelid, t.typrelid) else coalesce(e.oid, t.oid) end
      from pg_type t left join pg_type e on e.oid = t.typelem and t.typcategory = 'A' where t.oid = ${oid})
    when 'pg_class'::regclass then ${oid}
    when 'pg_proc'::regclass then ${oid} end`

/** What the bodies of functions name is not listed, and need not be there when they are made. */
const needsQuery = `
  select distinct needing, needed from (
    select ${objectOf('p.classid', 'p.objid')} as needing, ${objectOf('p.refclassid', 'p.refobjid')} as needed
    from pg_depend p where p.objid >= 16384 and p.refobjid >= 16384) needs
  where needing <> needed order by needing, needed`

/** Of a column that takes the time of its insertion the value is left out. */
async function seededRows(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(`
    select c.oid::regclass::text as name, (select array_agg(quote_ident(a.attname) order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and coalesce(pg_get_expr(d.adbin, d.adrelid), '') <> 'now()') as columns
    from pg_class c where c.relnamespace in ${ours} and c.relkind = 'r' and c.oid <> 'migrations'::regclass order by c.oid`)
  const statements: string[] = []
  for (const { name, columns } of tables) {
    const { rows } = await client.query({
      text: `select ${columns.map((column) => `${column}::text`).join(', ')} from ${name} order by ctid`,
      rowMode: 'array',
    })
    const values = rows.map((row: (string | null)[]) => `(${row.map(literal).join(', ')})`)
    if (values.length > 0)
      statements.push(
        `insert into ${name} (${columns.join(', ')}) overriding system value values\n  ${values.join(',\n  ')};`,
      )
  }
  const { rows: sequences } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace in ${ours} and relkind = 'S' order by oid`,
  )
  for (const { name } of sequences) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value as last, is_called as called from ${name}`,
    )
    const [value] = rows
    if (value?.called) statements.push(`select setval('${name}', ${value.last});`)
  }
  return statements
}

const literal = (value: string | null) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`)

const indexesQuery = `
  with ${keys}
  select case when k.oid is null then pg_get_indexdef(i.indexrelid) || ';'
    else format('alter table only %s add constraint %I %s;', i.indrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) end as text
  from pg_index i join pg_class c on c.oid = i.indrelid and c.relnamespace in ${ours} and c.relkind = 'r'
    left join keys k on k.conindid = i.indexrelid
  where k.inside is not true order by i.indexrelid`

/** Their order decides which one acts first when a row is deleted. Those of a table that follow each other are made at once, which is faster. */
const foreignKeysQuery = `
  with keys as (
    select k.*, row_number() over (order by k.oid) - row_number() over (partition by k.conrelid order by k.oid) as run
    from pg_constraint k where k.connamespace in ${ours} and k.contype = 'f')
  select format('alter table only %s%s;', k.conrelid::regclass,
    string_agg(format(E'\\n  add constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), ',' order by k.oid)) as text
  from keys k group by k.conrelid, k.run order by min(k.oid)`

const triggersQuery = `
  select concat(pg_get_triggerdef(t.oid), ';', case t.tgenabled when 'O' then '' else
    format(E'\\nalter table %s %s trigger %I;', t.tgrelid::regclass,
      case t.tgenabled when 'D' then 'disable' when 'A' then 'enable always' else 'enable replica' end, t.tgname) end) as text
  from pg_trigger t join pg_class c on c.oid = t.tgrelid and c.relnamespace in ${ours}
  where not t.tgisinternal
    and format('%s on %s', t.tgname, t.tgrelid::regclass) <> all (string_to_array(current_setting('baseline.triggers'), ',')) order by t.oid`

const securityQuery = `
  select format('alter table %s %s;', c.oid::regclass, concat_ws(', ', case when c.relrowsecurity then 'enable row level security' end,
    case when c.relforcerowsecurity then 'force row level security' end)) as text
  from pg_class c where c.relnamespace in ${ours} and c.relkind = 'r' and (c.relrowsecurity or c.relforcerowsecurity)
  order by c.oid`

const statisticsQuery = `
  select pg_get_statisticsobjdef(s.oid) || ';' as text from pg_statistic_ext s where s.stxnamespace in ${ours} order by s.oid`

const policiesQuery = `
  select concat_ws(' ', format('create policy %I on %s', p.polname, p.polrelid::regclass),
    case when not p.polpermissive then 'as restrictive' end,
    case p.polcmd when 'r' then 'for select' when 'a' then 'for insert' when 'w' then 'for update' when 'd' then 'for delete' end,
    'to ' || (select string_agg(${role('r.oid')}, ', ' order by r.place) from unnest(p.polroles) with ordinality r (oid, place)),
    'using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
    'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') || ';' as text
  from pg_policy p join pg_class c on c.oid = p.polrelid and c.relnamespace in ${ours} order by p.oid`

const grantsQuery = `
  select text from (
    select 1 as place, c.oid, format('grant %s on %s to %s;', string_agg(lower(a.privilege_type), ', ' order by a.privilege_type),
      c.oid::regclass, ${role('a.grantee')}) as text
    from pg_class c, aclexplode(c.relacl) a where c.relnamespace in ${ours} and c.relkind in ('r', 'v') and a.grantee <> c.relowner
    group by c.oid, a.grantee
    union all
    select 2, c.oid, format('grant %s (%s) on %s to %s;', lower(a.privilege_type),
      string_agg(quote_ident(t.attname), ', ' order by t.attnum), c.oid::regclass, ${role('a.grantee')})
    from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
    where c.relnamespace in ${ours} and a.grantee <> c.relowner group by c.oid, a.grantee, a.privilege_type
    union all
    select 3, p.oid, format('grant execute on function %s to %s;', p.oid::regprocedure, string_agg(${role('a.grantee')}, ', ' order by pg_get_userbyid(a.grantee)))
    from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where p.pronamespace in ${ours} and a.grantee <> p.proowner and not (${isLeftOut}) group by p.oid
  ) given order by place, oid, text`
