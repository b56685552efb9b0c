import pg from 'pg'
import { migrationLock } from '../migration-lock.ts'
import { codeOf } from '../start-failure.ts'

/**
 * The roles of the embedded server. The superuser that `initdb` makes only creates the database and these roles. Kontor logs
 * in as the owner of the database, and for requests as a role whose only right is to become one of the two roles that row
 * security applies to: with `reset role` or `set role` such a connection gets no further right.
 */
export const superuser = 'kontor'
const owner = 'kontor_owner'
const requests = 'kontor_requests'

type Address = { host: string; port: number; database: string; password?: string }

/** How Kontor logs in at an address. */
export const loginsAt = ({ host, port, database, password }: Address) => ({
  ...{ host, port, database, user: owner, ...(password !== undefined && { password }) },
  requests: { user: requests },
})

/**
 * Creates the roles if they are missing and gives them everything that the superuser owns: a database of a version that
 * logged in as the superuser, which may be running (FLT-16). Nothing is locked if there is nothing to do.
 */
export async function ensureLogins(address: Address): Promise<void> {
  const client = new pg.Client({ ...address, user: superuser, ssl: false, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // the running statement gets the error
  await client.connect()
  try {
    const { rows } = await client.query<{ complete: boolean }>(`select ${isComplete} as complete`)
    if (!rows[0]?.complete) await changeRoles(client, address.password)
  } finally {
    await client.end().catch(() => {})
  }
}

const attemptsMax = 5

async function changeRoles(client: pg.Client, password: string | undefined) {
  const setPassword = (role: string) =>
    password === undefined ? '' : `alter role ${role} password ${client.escapeLiteral(password)};`
  await client.query(`select pg_advisory_lock(${migrationLock})`) // a backup may be running, and its locks are held for long
  for (let attempt = 1; ; attempt++) {
    try {
      // One message of several statements is one transaction.
      await client.query([createRoles, setPassword(owner), setPassword(requests), transferOwnership].join('\n'))
      return
    } catch (error) {
      if (attempt === attemptsMax || codeOf(error) !== '40P01') throw error // a deadlock with requests of a running version
    }
  }
}

const rights = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'

const createRoles = `
  do $$ begin
    if to_regrole('kontor_confined') is null then create role kontor_confined nologin; end if;
    if to_regrole('kontor_across') is null then create role kontor_across nologin; end if;
    if to_regrole('${owner}') is null then create role ${owner}; end if;
    if to_regrole('${requests}') is null then create role ${requests}; end if;
  end $$;
  alter role ${owner} ${rights};
  alter role ${requests} noinherit ${rights};
  alter role ${requests} reset all; -- a role may change its own defaults
  grant kontor_confined, kontor_across to ${owner} with admin option; -- the first migration grants them to the owner
  grant kontor_confined, kontor_across to ${requests} with inherit false, set true;`

const ours = `(select oid from pg_namespace where nspname in ('public', 'graphile_worker'))`

const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`

/** A statement for everything that belongs to the superuser. Sequences of columns follow their table. */
const transfers = `
  select format('alter database %I owner to ${owner}', d.datname) as statement
  from pg_database d where d.datname = current_database() and d.datdba <> to_regrole('${owner}')
  union all
  select format('alter schema %I owner to ${owner}', n.nspname)
  from pg_namespace n where n.nspname = 'graphile_worker' and n.nspowner = to_regrole('${superuser}')
  union all
  select format('alter table %s owner to ${owner}', c.oid::regclass)
  from pg_class c where c.relnamespace in ${ours} and c.relowner = to_regrole('${superuser}') and ${notOfExtension('pg_class', 'c.oid')}
    and (c.relkind in ('r', 'p', 'v', 'm', 'f') or c.relkind = 'S' and not exists (select from pg_depend d
      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')))
  union all
  select format('alter routine %s owner to ${owner}', p.oid::regprocedure)
  from pg_proc p where p.pronamespace in ${ours} and p.proowner = to_regrole('${superuser}') and ${notOfExtension('pg_proc', 'p.oid')}
  union all
  select format('alter type %s owner to ${owner}', t.oid::regtype)
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace in ${ours} and t.typowner = to_regrole('${superuser}') and ${notOfExtension('pg_type', 't.oid')}
    and (t.typtype in ('e', 'd', 'r') or t.typtype = 'c' and c.relkind = 'c')
  union all
  select format('alter policy %I on %s to %s', p.polname, p.polrelid::regclass,
    (select string_agg(case r.oid when to_regrole('${superuser}') then '${owner}' else r.oid::regrole::text end, ', ')
     from unnest(p.polroles) r (oid)))
  from pg_policy p where to_regrole('${superuser}') = any (p.polroles)`

const transferOwnership = `
  do $$ declare statement text;
  begin
    for statement in ${transfers} loop execute statement; end loop;
  end $$;`

/** Whether the roles are as createRoles makes them, and own everything. */
const isComplete = `
  (select count(*) = 2 from pg_roles r where r.rolname in ('${owner}', '${requests}') and r.rolcanlogin and not (r.rolsuper
    or r.rolcreatedb or r.rolcreaterole or r.rolreplication or r.rolbypassrls))
  and (select count(*) = 4 from pg_auth_members m
    where m.member in (to_regrole('${owner}'), to_regrole('${requests}'))
      and m.roleid in (to_regrole('kontor_confined'), to_regrole('kontor_across'))
      and m.inherit_option = (m.member = to_regrole('${owner}')))
  and not exists (select from pg_db_role_setting s where s.setrole = to_regrole('${requests}'))
  and not exists (${transfers})`
