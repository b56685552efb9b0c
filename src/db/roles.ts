import type pg from 'pg'
import { codeOf, StartFailure } from './start-failure.ts'

/** The roles of requests, which row security applies to. They belong to the server, so all its databases share them. */
const requestRoles = ['kontor_confined', 'kontor_across'] as const

type Rights = {
  name: string
  /** The name, as it is written in statements. */
  login: string
  database: string
  schemaOwner: string | null
  /** Whether the login may create roles, and objects in the database. */
  createsRoles: boolean
  createsSchemas: boolean
  createsTables: boolean
  roles: { name: string; exists: boolean; isMember: boolean; becomes: boolean; grants: boolean }[]
}

/** The login, and whether it may grant the roles of requests, as the first migration does. */
export type RoleRights = { login: string; grantsRoles: boolean }

/**
 * Creates the roles of requests and lets the login become them, where it may do that itself. Else the operator is told
 * the statements that a superuser must run.
 */
export async function ensureRoles(database: Pick<pg.ClientBase, 'query'>): Promise<RoleRights> {
  const rights = await readRights(database)
  const needed = [...statementsForRoles(rights), ...statementsForOwner(rights)]
  if (needed.length > 0) throw new StartFailure(sentence(rights, needed))
  for (const { name, exists } of rights.roles) if (!exists) await createRole(database, name)
  const added = rights.roles.some(({ exists }) => !exists) ? await readRights(database) : rights
  for (const { name, becomes } of added.roles)
    if (!becomes) await database.query(`grant ${name} to current_user ${await withSet(database)}`)
  return { login: rights.name, grantsRoles: added.roles.every(({ grants }) => grants) }
}

/** Another process may create it at the same time. */
async function createRole(database: Pick<pg.ClientBase, 'query'>, name: string) {
  await database.query(`create role ${name} nologin`).catch((error: unknown) => {
    if (!['42710', '23505'].includes(codeOf(error) ?? '')) throw error
  })
}

/** Since PostgreSQL 16 a membership may lack the right to become the role. */
async function withSet(database: Pick<pg.ClientBase, 'query'>): Promise<string> {
  const { rows } = await database.query("select current_setting('server_version_num')::int >= 160000 as can")
  return rows[0].can ? 'with set true' : ''
}

function statementsForRoles({ roles, createsRoles, login }: Rights): string[] {
  const missing = createsRoles ? [] : roles.filter(({ exists }) => !exists)
  const others = roles.filter(({ exists, becomes, grants }) => exists && !becomes && !grants)
  const granted = [...missing, ...others].map(({ name }) => name)
  if (granted.length === 0) return []
  const become = others.some(({ isMember }) => isMember) ? ' with set true' : ''
  return [
    ...missing.map(({ name }) => `create role ${name} nologin;`),
    `grant ${granted.join(', ')} to ${login}${become};`,
  ]
}

function statementsForOwner({ createsSchemas, createsTables, database, login, schemaOwner }: Rights): string[] {
  if (createsSchemas && createsTables) return []
  const ofOwner = schemaOwner === 'pg_database_owner'
  return [
    `alter database ${database} owner to ${login};`,
    ...(createsTables || ofOwner ? [] : [`alter schema public owner to pg_database_owner; -- in ${database}`]),
  ]
}

const sentence = ({ login, database }: Rights, statements: string[]) =>
  `${login} lacks rights that Kontor needs in the database ${database}. Let a superuser of PostgreSQL run this once, then start again (docs/postgresql.md):\n\n${statements.map((each) => `  ${each}`).join('\n')}`

async function readRights(database: Pick<pg.ClientBase, 'query'>): Promise<Rights> {
  const { rows } = await database.query<Rights>(rightsQuery, [requestRoles])
  const [rights] = rows
  if (!rights) throw new Error('PostgreSQL does not know the login of this connection.')
  return rights
}

/**
 * Before PostgreSQL 16, CREATEROLE includes the right to grant every role that is no superuser, and every member may
 * become the role.
 */
const rightsQuery = `
  with me as (select r.oid, r.rolname, r.rolsuper, r.rolcreaterole,
      current_setting('server_version_num')::int >= 160000 as is_new
    from pg_roles r where r.rolname = current_user)
  select me.rolname as name, quote_ident(me.rolname) as login, quote_ident(current_database()) as database,
    (select n.nspowner::regrole::text from pg_namespace n where n.nspname = 'public') as "schemaOwner",
    me.rolsuper or me.rolcreaterole as "createsRoles",
    has_database_privilege(current_database(), 'create') as "createsSchemas",
    coalesce((select has_schema_privilege(n.oid, 'create') from pg_namespace n where n.nspname = 'public'), false) as "createsTables",
    (select json_agg(json_build_object('name', wanted.name, 'exists', r.oid is not null,
        'isMember', coalesce(pg_has_role(me.oid, r.oid, 'member'), false),
        'becomes', coalesce(pg_has_role(me.oid, r.oid, case when me.is_new then 'set' else 'member' end), false),
        'grants', coalesce(pg_has_role(me.oid, r.oid, 'member with admin option')
          or (not me.is_new and me.rolcreaterole and not r.rolsuper), false)) order by wanted.place)
     from unnest($1::text[]) with ordinality wanted (name, place) left join pg_roles r on r.rolname = wanted.name) as roles
  from me`

/** The statement of the first migration that a login without the right to grant cannot run, and need not. */
const grantOfFirstMigration = 'grant kontor_confined, kontor_across to current_user;'

/** The name of the owner as it stands in the baseline: policies compare it with that of the current role. */
export const ownerInBaseline = "'{owner}'"

/** The baseline for this login. */
export const baselineFor = (text: string, { login, ...rights }: RoleRights): string =>
  runnableText(text, { login, ...rights }).replaceAll(ownerInBaseline, () => `'${login.replaceAll("'", "''")}'`)

/** A login that may become the roles without being allowed to grant them leaves that statement out. */
export const runnableText = (text: string, { grantsRoles }: RoleRights): string =>
  grantsRoles ? text : text.replace(grantOfFirstMigration, '')
