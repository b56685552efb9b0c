import type pg from 'pg'

/**
 * Everything that a database consists of, one line for each row of the system catalogs, with names instead of numbers, and for
 * each row and sequence of its tables. Two databases of a server with the same lines are alike, however they were made. What
 * differs between any two is left out: numbers, sizes, statistics, and when something was written. The client is a superuser.
 */
export async function catalogs(client: pg.ClientBase): Promise<string[]> {
  await client.query("begin; select set_config('search_path', 'public', true)")
  try {
    await client.query(readTriggersAgain)
    return await read(client)
  } finally {
    await client.query('rollback')
  }
}

/** PostgreSQL writes a comparison of rows as conditions within conditions, and reads them back as one list. The meaning is the same. */
const readTriggersAgain = `do $$
  declare conditional record;
  begin
    for conditional in select t.tgname, t.tgrelid::regclass as relation, pg_get_triggerdef(t.oid, true) as text
      from pg_trigger t where t.tgqual is not null and t.tgenabled = 'O'
    loop
      execute format('drop trigger %I on %s', conditional.tgname, conditional.relation);
      execute conditional.text;
    end loop;
  end $$`

async function read(client: pg.ClientBase): Promise<string[]> {
  const names = await namesOf(client)
  const { rows: tables } = await client.query<{ name: string }>(catalogsQuery)
  const lines: string[] = []
  for (const { name } of tables) lines.push(...(await linesOf(client, name, names)))
  lines.push(...(await rowsOfTables(client)))
  for (const text of orders) {
    const { rows } = await client.query<{ text: string }>(text)
    lines.push(...rows.map((row) => row.text))
  }
  return lines.sort()
}

type Row = Record<string, unknown>
type Reference = { catalog: string; columns: string[]; target: string; targetColumns: string[]; isArray: boolean }
type Names = { references: Reference[]; objects: Map<string, string>; columns: Map<string, string> }

const firstOwn = 16384 // smaller numbers belong to PostgreSQL

/** Planner statistics, and privileges that PostgreSQL itself gave. */
const left = ['pg_statistic', 'pg_statistic_ext_data', 'pg_init_privs', 'pg_depend']

const catalogsQuery = `
  select c.relname::text as name from pg_class c
  where c.relnamespace = 'pg_catalog'::regnamespace and c.relkind = 'r' and not c.relisshared and c.relname <> all (array['${left.join("', '")}'])
  order by 1`

/** PostgreSQL corrects them later: they say that there may be something. */
const hints = ['relhasindex', 'relhasrules', 'relhastriggers', 'relhassubclass']

/** Privileges as a list; without any that were given or taken they are those that PostgreSQL gives. */
const privileges = (given: string, kind: string, owner: string) =>
  `array(select a.x::text from unnest(coalesce(${given}, acldefault(${kind}, ${owner}))) a (x) order by 1)`

/** Numbers that two databases do not share, and texts of which `definitions` say the same in words. */
const leftColumns: Record<string, string[]> = {
  pg_class: [
    'relfilenode',
    'relpages',
    'reltuples',
    'relallvisible',
    'relallfrozen',
    'relfrozenxid',
    'relminmxid',
    ...hints,
    'relacl',
  ],
  pg_attrdef: ['adbin'],
  pg_attribute: ['atthasmissing', 'attmissingval'], // what rows have that are older than the column
  pg_constraint: ['conbin'],
  pg_index: ['indexprs', 'indpred'],
  pg_policy: ['polqual', 'polwithcheck'],
  pg_namespace: ['nspacl'],
  pg_proc: ['proargdefaults', 'prosqlbody', 'proacl'],
  pg_rewrite: ['ev_qual', 'ev_action'],
  pg_statistic_ext: ['stxexprs'],
  pg_trigger: ['tgqual'],
  pg_enum: ['enumsortorder'],
  pg_type: ['typacl'],
}

/** What PostgreSQL says about an object in words. */
const definitions: Record<string, string> = {
  pg_attrdef: 'pg_get_expr(t.adbin, t.adrelid)',
  pg_class: `concat(${privileges('t.relacl', `case t.relkind when 'S' then 's'::"char" else 'r' end`, 't.relowner')}, case when t.relkind = 'v' then pg_get_viewdef(t.oid) end)`,
  pg_constraint: 'pg_get_constraintdef(t.oid)',
  pg_enum: '(select count(*) from pg_enum e where e.enumtypid = t.enumtypid and e.enumsortorder < t.enumsortorder)',
  pg_index: 'pg_get_indexdef(t.indexrelid)',
  pg_namespace: privileges('t.nspacl', "'n'", 't.nspowner'),
  pg_policy: "concat(pg_get_expr(t.polqual, t.polrelid), ' / ', pg_get_expr(t.polwithcheck, t.polrelid))",
  pg_proc: `concat(${privileges('t.proacl', "'f'", 't.proowner')}, case when t.prokind in ('f', 'p') then pg_get_functiondef(t.oid) end)`,
  pg_rewrite: 'pg_get_ruledef(t.oid)',
  pg_statistic_ext: 'pg_get_statisticsobjdef(t.oid)',
  pg_trigger: 'case when not t.tgisinternal then pg_get_triggerdef(t.oid) end',
  pg_type: privileges('t.typacl', "'T'", 't.typowner'),
}

/** The order in which indexes were made, among which PostgreSQL chooses, and that of foreign keys, which act in it. */
const orders = [
  `select format('indexes of %s: %s', i.indrelid::regclass, string_agg(i.indexrelid::regclass::text, ', ' order by i.indexrelid)) as text
   from pg_index i where i.indrelid >= ${firstOwn} and i.indrelid::regclass::text !~ '^pg_toast' group by i.indrelid`,
  `select format('foreign keys to %s: %s', k.confrelid::regclass, string_agg(concat(k.conrelid::regclass, '.', k.conname), ', ' order by k.oid)) as text
   from pg_constraint k where k.contype = 'f' group by k.confrelid`,
  `select format('database: %s', ${privileges('d.datacl', "'d'", 'd.datdba')}) as text from pg_database d where d.datname = current_database()`,
  `select format('member of %s: %s', m.roleid::regrole, concat_ws(' ', m.member::regrole, m.grantor::regrole, m.admin_option, m.inherit_option, m.set_option)) as text
   from pg_auth_members m where m.roleid >= ${firstOwn}`,
]

async function namesOf(client: pg.ClientBase): Promise<Names> {
  const { rows: references } = await client.query<Reference>(`
    select fktable::text as catalog, fkcols as columns, pktable::text as target, pkcols as "targetColumns", is_array as "isArray"
    from pg_get_catalog_foreign_keys()`)
  const objects = new Map<string, string>()
  for (const target of new Set(
    references.filter(({ targetColumns }) => targetColumns[0] === 'oid').map((r) => r.target),
  )) {
    const { rows } = await client.query<{ oid: string; name: string | null }>(
      `select oid::text as oid, (pg_identify_object('${target}'::regclass, oid, 0)).identity as name from ${target} where oid >= ${firstOwn}`,
    )
    for (const { oid, name } of rows) objects.set(`${target} ${oid}`, withoutNumbers(name ?? oid))
  }
  const { rows: columns } = await client.query<{ relation: string; number: string; name: string }>(
    'select attrelid::text as relation, attnum::text as number, attname::text as name from pg_attribute',
  )
  return {
    references,
    objects,
    columns: new Map(columns.map(({ relation, number, name }) => [`${relation} ${number}`, name])),
  }
}

/** Names that PostgreSQL makes from numbers: internal triggers of foreign keys, and the tables of long values. */
const withoutNumbers = (name: string) => name.replace(/(RI_ConstraintTrigger_[ac]|pg_toast)_\d+/g, '$1')

async function linesOf(client: pg.ClientBase, catalog: string, names: Names): Promise<string[]> {
  const references = names.references.filter((each) => each.catalog === catalog)
  const { rows: described } = await client.query<{ name: string; type: string }>(
    `select attname::text as name, atttypid::regtype::text as type from pg_attribute where attrelid = '${catalog}'::regclass and attnum > 0 order by attnum`,
  )
  const hasNumber = described.some(({ name }) => name === 'oid')
  const owners = references
    .filter(({ isArray, columns }) => !isArray && columns.length === 1)
    .map(({ columns }) => columns[0])
  const own = (hasNumber ? ['oid'] : owners).map((column) => `t.${column} >= ${firstOwn}`)
  const where = catalog === 'pg_namespace' ? "t.nspname !~ '^pg_(toast|temp)'" : own.join(' or ') || 'true'
  const { rows } = await client.query<{ row: Row; definition: string | null }>(
    `select to_jsonb(t) as row, (${definitions[catalog] ?? 'null'})::text as definition from ${catalog} t where ${where}`,
  )
  const hidden = new Set(['oid', ...(leftColumns[catalog] ?? [])])
  const sorted = new Set(described.filter(({ type }) => type === 'aclitem[]').map(({ name }) => name))
  return rows
    .filter(({ row }) => isCompared(catalog, row))
    .map(({ row, definition }) => {
      const named: Row = {}
      for (const [column, value] of Object.entries(row)) {
        if (hidden.has(column)) continue
        const reference = references.find(({ columns }) => columns.at(-1) === column)
        named[column] = sorted.has(column) ? sortedList(value) : nameOf(value, { row, reference, names })
      }
      return withoutNumbers(`${catalog} ${JSON.stringify(named)}${definition === null ? '' : ` ${definition}`}`)
    })
}

/** Columns that were dropped are invisible, and the catalogs of long values follow from the table. */
const isCompared = (catalog: string, row: Row) =>
  !(catalog === 'pg_attribute' && (row.attisdropped === true || Number(row.attnum) < 0))

const sortedList = (value: unknown) => (Array.isArray(value) ? value.map(String).sort() : value)

type Reading = { row: Row; reference: Reference | undefined; names: Names }

/** A number of another row as its name; a column of another table by the name that it has there. */
function nameOf(value: unknown, { row, reference, names }: Reading): unknown {
  if (!reference) return value
  const [relation] = reference.columns
  const one = (number: unknown) => {
    if (reference.targetColumns[0] === 'oid') return names.objects.get(`${reference.target} ${number}`) ?? number
    return names.columns.get(`${row[relation as string]} ${number}`) ?? number
  }
  if (!reference.isArray) return one(value)
  const list = typeof value === 'string' ? value.split(' ').filter(Boolean) : value // int2vector and oidvector are texts
  return Array.isArray(list) ? list.map(one) : value
}

async function rowsOfTables(client: pg.ClientBase): Promise<string[]> {
  const { rows: relations } = await client.query<{ name: string; kind: string; columns: string }>(`
    select c.oid::regclass::text as name, c.relkind as kind, (
      select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and coalesce(pg_get_expr(d.adbin, d.adrelid), '') <> 'now()') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'S') and n.nspname !~ '^(pg_|information_schema)'`)
  const lines: string[] = []
  for (const { name, kind, columns } of relations) {
    const { rows } = await client.query<{ row: string }>(
      kind === 'S'
        ? `select format('%s %s', last_value, is_called) as row from ${name}`
        : `select row(${columns})::text as row from ${name}`,
    )
    lines.push(...rows.map(({ row }) => `row of ${name}: ${row}`))
  }
  return lines
}
