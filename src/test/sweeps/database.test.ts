import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import { migrate } from '../../db/migrate.ts'
import { toSnake } from '../../db/names.ts'
import { openPool, openQueuePool, resilientPool } from '../../db/pool.ts'
import { dropDatabase, emptyDatabase } from '../database.ts'
import { filled } from '../filled.ts'
import { storedIn, tableOf } from '../rows.ts'
import { type Someone, theApp, theDatabase } from '../world.ts'

/** Rules that PostgreSQL enforces for every writer: row security, keys that begin with the organization, roles without rights. */

/** Created before the functions for row security; only its owner has rights on it. */
const bare = ['migrations']

/** Tables with an organization_id that are not confined by it, and why. */
const notConfined: Record<string, string> = {
  audit_log: 'append-only, so it has policies of its own, tested below',
  api_key_calls: 'belongs to the person whose key it was',
  api_key_organizations: 'belongs to the person whose key it is',
  connected_app_organizations: 'belongs to the person whose app it is',
  idempotency_keys: 'belongs to the person who sent the key',
  notifications: 'belongs to the person who is notified',
  failed_jobs: 'for operators; requests have no rights on it',
  organization_keys: 'keys; requests have functions only',
  schedule_marks: 'what the clock has fired; requests have no rights on it',
  job_pressure: 'how busy each organization is; requests read it through enqueue() alone',
}

let amy: Someone
let eve: Someone
beforeAll(() => {
  amy = filled().owner
  eve = filled().other
})

const ask = <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows as T[])

const ours = `select c.oid, c.relname as name, c.relrowsecurity, c.relforcerowsecurity from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`

test('every table has row security, enabled and forced, with policies', async () => {
  const open = await ask<{ name: string }>(`select name from (${ours}) t
    where not (relrowsecurity and relforcerowsecurity and exists (select from pg_policy p where p.polrelid = t.oid))`)
  expect(open.map(({ name }) => name).sort()).toEqual(bare)
  const granted = await ask(
    `select relname from pg_class, aclexplode(relacl) g where relname = any ($1) and g.grantee <> relowner`,
    [bare],
  )
  expect(granted).toEqual([])
})

test('nothing in the schema escapes row security: no views, no grants to everybody', async () => {
  const views = await ask(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')`,
  )
  expect(views).toEqual([])
  const toAll = await ask(`select relname, g.privilege_type from pg_class, aclexplode(relacl) g
    where relnamespace = 'public'::regnamespace and g.grantee = 0`)
  expect(toAll).toEqual([])
})

test('every table of an organization was made one by organization_table()', async () => {
  const found = await ask<{ name: string; policies: string[] | null }>(`select t.name,
      (select array_agg(p.polname || ': ' || pg_get_expr(p.polqual, p.polrelid) order by p.polname)::text[]
       from pg_policy p where p.polrelid = t.oid and p.polpermissive) as policies
    from (${ours}) t join pg_attribute a on a.attrelid = t.oid and a.attname = 'organization_id' and not a.attisdropped`)
  for (const { name, policies } of found) {
    if (name in notConfined) continue
    expect(
      policies?.map((policy) => policy.replace(/\s+/g, ' ')),
      `${name}: select organization_table('${name}')`,
    ).toEqual([
      'across: (organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[]))',
      'confined: (organization_id = ( SELECT current_organization() AS current_organization))',
      'system: true',
    ])
  }
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(notConfined)))
})

test('every table of payroll was made one by payroll_table()', async () => {
  const found = await ask<{ name: string; policies: number }>(`select t.name,
      (select count(*)::integer from pg_policy p where p.polrelid = t.oid and not p.polpermissive and p.polname = 'payroll'
        and pg_get_expr(p.polqual, p.polrelid) like '%reads_payroll()%') as policies
    from (${ours}) t where t.name ~ '^(employee|payslip|leave_claim)' or t.name in ('files', 'outbox')`)
  expect(found.length).toBeGreaterThanOrEqual(8)
  for (const { name, policies } of found) expect({ name, policies }).toEqual({ name, policies: 1 })
})

test('a policy for the product itself names its owner alone', async () => {
  const wrong = await ask(`select p.polname, t.name from (${ours}) t join pg_policy p on p.polrelid = t.oid
    where pg_get_expr(p.polqual, p.polrelid) = 'true' and p.polroles <> array[(select relowner from pg_class where oid = t.oid)]`)
  expect(wrong).toEqual([])
})

type ForeignKey = { name: string; from: string; to: string; columns: string[]; indexed: boolean; both: boolean }
const foreignKeys = () =>
  ask<ForeignKey>(`select k.conname as name, f.relname as "from", t.relname as "to",
      (select array_agg(a.attname order by n)::text[] from unnest(k.conkey) with ordinality c (attnum, n)
       join pg_attribute a on a.attrelid = f.oid and a.attnum = c.attnum) as columns,
      -- an index on the rows that refer to something is enough: the check of a reference always asks for a value
      exists (select from pg_index i where i.indrelid = f.oid
        and (i.indpred is null or pg_get_expr(i.indpred, f.oid) = (select format('(%I IS NOT NULL)', a.attname)
          from pg_attribute a where a.attrelid = f.oid and a.attnum = k.conkey[2]))
        and k.conkey @> (string_to_array(i.indkey::text, ' ')::smallint[])[1:least(2, cardinality(k.conkey))]) as indexed,
      (select count(*) = 2 from pg_attribute a where a.attrelid in (f.oid, t.oid) and a.attname = 'organization_id'
       and f.oid <> t.oid) or f.oid = t.oid as both
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and f.relnamespace = 'public'::regnamespace`)

test('a reference between rows of organizations leads with the organization', async () => {
  const keys = (await foreignKeys()).filter(({ both }) => both)
  expect(keys.map(({ from, to }) => `${from} -> ${to}`)).toContain('customer_recipients -> customers')
  for (const { name, columns } of keys) {
    expect({ name, columns: columns.slice(0, 2) }).toEqual({ name, columns: ['organization_id', expect.any(String)] })
  }
})

test('every reference has an index on the side that refers', async () => {
  const slow = (await foreignKeys()).filter(({ indexed }) => !indexed)
  expect(slow.map(({ name, columns }) => `${name} (${columns})`)).toEqual([])
})

test('every table in which a row is found by its id has an index that begins with the id', async () => {
  // An id that the client chose is found together with its person: one_session_per_id.
  const byOwnId = operations.filter(({ within }) => within !== 'caller' && !(typeof within === 'object' && within.idOf))
  const tables = byOwnId.flatMap((operation) => tableOf(operation) ?? [])
  const indexed = await ask<{ name: string }>(`select t.name from (${ours}) t join pg_index i on i.indrelid = t.oid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0] where a.attname = 'id' and i.indpred is null`)
  expect(indexed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...new Set(tables.map((table) => toSnake(storedIn(table))))]),
  )
})

test.each(['kontor_confined', 'kontor_across'])('%s owns nothing, bypasses nothing and makes nothing', async (role) => {
  const [powers] = await ask(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
      exists (select from pg_class where relowner = r.oid) or exists (select from pg_proc where proowner = r.oid) as owns,
      exists (select from pg_auth_members where member = r.oid) as member,
      has_schema_privilege(r.oid, 'public', 'create') as creates,
      exists (select from pg_class where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
        and relkind in ('r', 'p') and has_table_privilege(r.oid, oid, 'truncate, trigger, references')) as truncates,
      has_schema_privilege(r.oid, 'graphile_worker', 'usage') as queues
    from pg_roles r where rolname = $1`,
    [role],
  )
  expect(Object.entries(powers ?? { missing: true }).filter(([, has]) => has)).toEqual([])
})

describe('logins', () => {
  const powers = `select session_user as login, current_user as role, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
    rolreplication from pg_roles where rolname = session_user`
  const none = {
    rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false,
  } // biome-ignore format: a list of rights

  test('no pool logs in as a role with rights beyond its database', async () => {
    const [system] = await ask(powers)
    expect(system).toEqual({ login: 'kontor_owner', role: 'kontor_owner', ...none })
    const [request] = await onRequestConnection(powers)
    expect(request).toEqual({ login: 'kontor_requests', role: 'kontor_confined', ...none })
    const queue = openQueuePool(theDatabase())
    const { rows } = await queue.query(powers)
    await queue.end()
    expect(rows).toEqual([{ login: 'kontor_owner', role: 'kontor_owner', ...none }])
  })

  test.each([
    'reset role',
    'set role none',
    'reset session authorization',
    'set session authorization default',
    'reset all',
    'discard all',
  ])('a connection of requests has no further rights after %s', async (statement) => {
    expect(await ask('select count(*) > 0 as filled from users')).toEqual([{ filled: true }])
    expect(await onRequestConnection('select session_user::text as login')).toEqual([{ login: 'kontor_requests' }])
    const tried = onRequestConnection(statement, 'select password_hash from users')
    await expect(tried).rejects.toThrow('permission denied for table users')
    const [{ role } = { role: '' }] = await onRequestConnection<{ role: string }>(
      statement,
      'select current_user::text as role',
    )
    expect(['kontor_confined', 'kontor_requests']).toContain(role)
  })

  test.each(['set role kontor_owner', 'set role kontor', 'set session authorization kontor_owner'])(
    'a connection of requests cannot %s',
    async (statement) => {
      await onRequestConnection('set role kontor_across', 'set role kontor_confined')
      await expect(onRequestConnection(statement)).rejects.toThrow('permission denied')
    },
  )

  test('the login of requests has no rights of its own', async () => {
    const [found] = await ask(`select
      exists (select from pg_class where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
        and relkind in ('r', 'p', 'v') and has_table_privilege(r.oid, oid, 'select, insert, update, delete')) as tables,
      exists (select from pg_proc where pronamespace = 'public'::regnamespace and has_function_privilege(r.oid, oid, 'execute')) as functions,
      has_schema_privilege(r.oid, 'public', 'create') as creates,
      (select array_agg(roleid::regrole::text order by roleid::regrole::text) from pg_auth_members where member = r.oid) as member_of
    from pg_roles r where rolname = 'kontor_requests'`)
    const memberOf = ['kontor_across', 'kontor_confined']
    expect(found).toEqual({ tables: false, functions: false, creates: false, memberOf })
  })

  /** Runs statements on a new connection of requests and answers the rows of the last one. */
  async function onRequestConnection<T = Record<string, unknown>>(...statements: string[]): Promise<T[]> {
    const pool = openPool(theDatabase(), { confined: true, max: 1 })
    try {
      return await pool.use(async (_, connection) => {
        let last: unknown[] = []
        for (const statement of statements) last = (await connection.query(statement)).rows
        return last as T[]
      })
    } finally {
      await pool.close()
    }
  }
})

describe('functions', () => {
  const functions = `select p.oid::regprocedure::text as name, p.* from pg_proc p
    where p.pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`

  test('everybody can execute none of them', async () => {
    const all = await ask(functions)
    expect(all.length).toBeGreaterThan(100)
    const open = await ask<{ name: string }>(`select name from (${functions}) f
      where exists (select from aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) a where a.grantee = 0)`)
    expect(open.map(({ name }) => name)).toEqual([])
  })

  test('a function that a later migration creates is for its owner alone', async () => {
    const found = await theApp().system.use(async (_, connection) => {
      await connection.query('begin')
      await connection.query('create function later() returns integer language sql as $$ select 1 $$')
      const { rows } =
        await connection.query(`select has_function_privilege('kontor_owner', 'later()', 'execute') as owner,
        has_function_privilege('kontor_confined', 'later()', 'execute') as confined`)
      await connection.query('rollback')
      return rows
    })
    expect(found).toEqual([{ owner: true, confined: false }])
  })

  test('a new table of organizations can be found by its rows', async () => {
    const found = await theApp().system.use(async (_, connection) => {
      await connection.query('begin')
      await connection.query('create table later (organization_id uuid not null, id uuid not null)')
      await connection.query("select organization_table('later')")
      const { rows } = await connection.query(
        "select has_function_privilege('kontor_confined', 'owner_of_later(uuid)', 'execute') as confined",
      )
      await connection.query('rollback')
      return rows
    })
    expect(found).toEqual([{ confined: true }])
  })

  test('requests execute no trigger function, and none that the product calls itself', async () => {
    const executable = await ask<{ name: string; trigger: boolean }>(`select proname as name,
        prorettype = 'trigger'::regtype as trigger from (${functions}) f
      where has_function_privilege('kontor_confined', oid, 'execute')`)
    expect(executable.map(({ name }) => name)).toEqual(expect.arrayContaining(['authorize_request', 'enqueue']))
    expect(executable.filter(({ trigger }) => trigger)).toEqual([])
    const internal = ['requeue_abandoned_jobs', 'count_sign_in', 'fire_schedule', 'next_document_number', 'take_tokens']
    expect(executable.filter(({ name }) => internal.includes(name))).toEqual([])
  })

  test('kontor_across executes only the authorization, and functions that change nothing and have no rights of the owner', async () => {
    const executable = await ask<{ name: string; harmless: boolean }>(`select name,
        provolatile <> 'v' and not prosecdef or proname in ('authorize_request', 'enter', 'all_ledger_kinds', 'is_registered_organization', 'registered_organization', 'keeps_books_here') as harmless from (${functions}) f
      where has_function_privilege('kontor_across', oid, 'execute')`)
    expect(executable.map(({ name }) => name)).toContain('current_organizations()')
    expect(executable.filter(({ harmless }) => !harmless)).toEqual([])
  })
})

test('kontor_across reads and nothing else', async () => {
  const writable = await ask(
    `select name from (${ours}) t where has_table_privilege('kontor_across', t.oid, 'insert, update, delete')`,
  )
  expect(writable).toEqual([])
})

test('a connection that has entered no organization sees no row', async () => {
  const tables = await ask<{ name: string }>(`select name from (${ours}) t
    where has_table_privilege('kontor_confined', t.oid, 'select')`)
  expect(tables.length).toBeGreaterThan(8)
  const filled = await Promise.all(tables.map(async ({ name }) => (await countAll(name)) > 0))
  expect(filled.filter(Boolean).length).toBeGreaterThanOrEqual(18)
  for (const { name } of tables) {
    for (const role of ['kontor_confined', 'kontor_across']) {
      if (role === 'kontor_across' && !(await mayRead(role, name))) continue
      expect({ name, seen: await countAs(role, name) }).toEqual({ name, seen: 0 })
    }
  }
})

test('a connection that has entered an organization sees only its rows', async () => {
  for (const table of ['customers', 'events', 'audit_log', 'memberships', 'expense_categories']) {
    const [hers, all] = [await countAs('kontor_confined', table, amy.organizationId), await countAll(table)]
    expect(hers).toBeGreaterThan(0)
    expect(hers).toBeLessThan(all)
  }
})

test('no row can be put into or moved to another organization', async () => {
  const enter = `select set_config('app.organization', '${amy.organizationId}', true)`
  const insert = (organizationId = '') =>
    `insert into expense_categories (id, organization_id, name) values (gen_random_uuid(), '${organizationId}', 'X')`
  const move = (organizationId = '') => `update expense_categories set organization_id = '${organizationId}'`
  for (const statement of [insert, move]) await asRole('kontor_confined', enter, statement(amy.organizationId))
  for (const statement of [insert(eve.organizationId), move(eve.organizationId)]) {
    await expect(asRole('kontor_confined', enter, statement)).rejects.toThrow(/row-level security/)
  }
})

test('a function that acts as the owner looks nowhere but in public', async () => {
  const functions = await ask<{
    name: string
    body: string
    path: string | null
  }>(`select p.proname as name, p.prosrc as body,
      (select substring(c from 13) from unnest(p.proconfig) c where c like 'search_path=%') as path
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef`)
  expect(functions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['authorize_request', 'owner_of_customers', 'take_tokens']),
  )
  for (const { name, body, path } of functions) {
    // Temporary tables come before everything else unless the path says that they come last.
    if (path !== null) expect(`${name}: ${path}`).toMatch(/: public, pg_temp$/)
    else
      expect(`${name}: ${tablesIn(body).filter((table) => !/^(public|graphile_worker)\./.test(table))}`).toBe(
        `${name}: `,
      )
  }
})

test('a temporary table of the same name does not change what the functions of access decide', async () => {
  const person = `select set_config('app.person', '${amy.userId}', true)`
  const belongs = (organizationId = '') => `select belongs_to_all(array['${organizationId}']::uuid[]) as belongs`
  expect(await asRole('kontor_confined', person, belongs(amy.organizationId))).toEqual([{ belongs: true }])
  const answer = await asRole(
    'kontor_confined',
    person,
    'create temporary table memberships (organization_id uuid, user_id uuid)',
    `insert into memberships values ('${eve.organizationId}', '${amy.userId}')`,
    'grant select on memberships to public',
    belongs(eve.organizationId),
  )
  expect(answer).toEqual([{ belongs: false }])
})

test('requests can make no temporary type or function, which a function of the owner might use', async () => {
  const empty = await emptyDatabase()
  const pool = resilientPool({ ...empty, max: 3 })
  try {
    const may = async () => {
      const { rows } = await pool.query(
        "select has_database_privilege('kontor_requests', current_database(), 'TEMP') as may",
      )
      return rows[0].may
    }
    expect(await may()).toBe(true)
    await migrate(pool)
    expect(await may()).toBe(false)
  } finally {
    await pool.end()
    await dropDatabase(empty)
  }
})

describe.each(['audit_log', 'events'])('INV-19: %s is append-only', (table) => {
  test.each([`update ${table} set created_at = now()`, `delete from ${table}`])('%s', async (statement) => {
    expect(await countAll(table)).toBeGreaterThan(0)
    await expect(ask(statement)).rejects.toThrow(/append-only/)
    for (const role of ['kontor_confined', 'kontor_across'])
      await expect(asRole(role, statement)).rejects.toThrow(/permission denied/)
  })
})

/** The names after FROM, JOIN, INTO and UPDATE in a function's body that may be tables. */
const tablesIn = (body: string) =>
  [...body.matchAll(/\b(?:from|join|update|insert into)\s+([a-z_.]+)/gi)]
    .map(([, table = '']) => table)
    .filter((table) => !['unnest'].includes(table))

const mayRead = async (role: string, table: string) =>
  (await ask<{ may: boolean }>('select has_table_privilege($1, $2, $3) as may', [role, table, 'select']))[0]?.may

const countAll = async (table: string) => (await ask<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n ?? 0

async function countAs(role: string, table: string, organization = '') {
  const enter = `select set_config('app.organization', '${organization}', true)`
  return ((await asRole(role, enter, `select count(*) as n from ${table}`)) as { n: number }[])[0]?.n
}

/** Runs statements in one transaction as a role of requests and answers the rows of the last one. */
function asRole(role: string, ...statements: string[]) {
  return theApp().system.use(async (_, connection) => {
    await connection.query('begin')
    await connection.query(`set local role ${role}`)
    try {
      let last: unknown[] = []
      for (const statement of statements) last = (await connection.query(statement)).rows
      return last
    } finally {
      await connection.query('rollback')
    }
  })
}
