import type { Pool } from './pool.ts'
import { StartFailure } from './start-failure.ts'

/** Settings of the server, read on the connections that requests use. */
export type ServerFacts = {
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  standbys: string
  encoding: string
  database: string
  timezone: string
  /** The role of requests, and whether it bypasses row security. */
  role: string
  bypasses: boolean
  /** The login of requests, and whether it is a superuser or bypasses row security. */
  login: string
  loginBypasses: boolean
  /** Statements that take rights from the roles of requests which they should not have. */
  repairs: string[]
  /** Owners of other databases that use the same roles and may connect to this one. */
  strangers: string[]
  /** The number of connections that the server, the database and the role allow. */
  connectionsMax: number
}

/**
 * `unfit`: Kontor cannot run on the server safely at all. `not-durable`: it may lose acknowledged commits (INV-22).
 * `exposed`: a protection is missing that matters where others can reach the installation.
 */
type Finding = { kind: 'unfit' | 'not-durable' | 'exposed' | 'note'; says: string }

/** The problems of a server, in sentences that name the setting. */
export function judge(facts: ServerFacts, { connections, durableStorage }: Expected): Finding[] {
  const off = (name: string) =>
    `PostgreSQL runs with ${name} = off: a crash or power cut may destroy the database. Turn it on, or set DATABASE_STORAGE_DURABLE=1 if the storage of a managed service takes care of that.`
  const findings: (Finding | false)[] = [
    facts.role !== 'kontor_confined' && {
      kind: 'unfit',
      says: `Requests would run as ${facts.role} and not as kontor_confined, so nothing would keep organizations apart: DATABASE_URL leads through something that drops connection options (a pooler). Connect to PostgreSQL directly.`,
    },
    facts.bypasses && {
      kind: 'unfit',
      says: 'kontor_confined or kontor_across is a superuser or has BYPASSRLS, so nothing would keep organizations apart. Let a superuser run: alter role kontor_confined nosuperuser nobypassrls; alter role kontor_across nosuperuser nobypassrls;',
    },
    facts.repairs.length > 0 && {
      kind: 'exposed',
      says: `The roles of requests have rights that Kontor does not need. Let a superuser run: ${facts.repairs.join(' ')}`,
    },
    facts.strangers.length > 0 && {
      kind: 'exposed',
      says: `${facts.strangers.join(', ')} may connect to this database and could read it, because the roles of requests are those of the whole server. Let the owner run: revoke connect on database ${facts.database} from public;`,
    },
    facts.loginBypasses && {
      kind: 'exposed',
      says: `Kontor logs in as ${facts.login}, which is a superuser or has BYPASSRLS: a connection for requests could leave the role that keeps organizations apart. Use an owner of the database without these rights in DATABASE_URL.`,
    },
    facts.encoding !== 'UTF8' && {
      kind: 'unfit',
      says: `The encoding of the database is ${facts.encoding}; Kontor needs UTF8: create database … encoding 'UTF8' template template0.`,
    },
    facts.timezone !== 'UTC' && { kind: 'unfit', says: `The time zone of connections is ${facts.timezone}, not UTC.` },
    facts.synchronousCommit === 'off' && {
      kind: 'not-durable',
      says: 'PostgreSQL runs with synchronous_commit = off (for the server, the database or this role): a crash may lose writes that were acknowledged. Turn it on.',
    },
    facts.fsync !== 'on' && !durableStorage && { kind: 'not-durable', says: off('fsync') },
    facts.fullPageWrites !== 'on' && !durableStorage && { kind: 'not-durable', says: off('full_page_writes') },
    facts.synchronousCommit === 'local' &&
      facts.standbys !== '' && {
        kind: 'note',
        says: 'synchronous_commit = local does not wait for the standbys in synchronous_standby_names: a failover may lose the last writes.',
      },
    facts.connectionsMax < connections && {
      kind: 'note',
      says: `PostgreSQL allows ${facts.connectionsMax} connections and this process alone may use ${connections}: raise max_connections, or lower the settings DATABASE_POOL_… (docs/postgresql.md).`,
    },
  ]
  return findings.filter((finding) => finding !== false)
}

export type Expected = {
  /** How many connections this process may open. */
  connections: number
  durableStorage: boolean
}

type Connections = {
  /** How many this process may open, how many the server allows, and how many a process of each kind may open. */
  connections: number
  connectionsMax: number
  kinds: { api: number; worker: number }
}

/** What an operator needs to know before starting another process. */
export function connectionsSentence({ connections, connectionsMax, kinds }: Connections): string {
  const processes = (each: number) => Math.floor(connectionsMax / each)
  return `Connections: this process may open ${connections} of the ${connectionsMax} that PostgreSQL allows, which are enough for ${processes(kinds.api)} of kontor api (${kinds.api} each) or ${processes(kinds.worker)} of kontor worker or start (${kinds.worker} each).`
}

/** Refuses an unfit server, and in strict mode one that is not durable. Prints the other findings that matter in this mode. */
export async function checkServer(
  confined: Pool,
  { strict, say, ...expected }: Expected & { strict: boolean; say: (line: string) => void },
): Promise<ServerFacts> {
  const { rows } = await confined.use((_, connection) => connection.query(factsQuery))
  const facts = rows[0] as ServerFacts
  for (const { kind, says } of judge(facts, expected)) {
    if (kind === 'unfit' || (kind === 'not-durable' && strict)) throw new StartFailure(says)
    if (kind === 'exposed' && !strict) continue
    say(`Warning: ${says}`)
  }
  return facts
}

const factsQuery = `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as standbys, current_setting('server_encoding') as encoding,
    quote_ident(current_database()) as database, current_setting('timezone') as timezone, current_user::text as role,
    (select bool_or(r.rolsuper or r.rolbypassrls) from pg_roles r
     where r.rolname in ('kontor_confined', 'kontor_across')) as bypasses,
    session_user::text as login,
    (select r.rolsuper or r.rolbypassrls from pg_roles r where r.rolname = session_user) as login_bypasses,
    array(select format('alter role %I nologin nocreatedb nocreaterole noreplication;', r.rolname) from pg_roles r
      where r.rolname in ('kontor_confined', 'kontor_across')
        and (r.rolcanlogin or r.rolcreatedb or r.rolcreaterole or r.rolreplication)
      union all
      select format('revoke %s from %s;', m.roleid::regrole, m.member::regrole) from pg_auth_members m
      where m.member in (to_regrole('kontor_confined'), to_regrole('kontor_across')) order by 1) as repairs,
    array(select o.rolname::text from pg_roles o
      where o.rolname <> session_user and o.rolcanlogin and not o.rolsuper
        and pg_has_role(o.oid, 'kontor_confined', 'member')
        and has_database_privilege(o.oid, current_database(), 'connect')
        and exists (select from pg_database d where d.datdba = o.oid and d.datname <> current_database())
        and not exists (select from pg_database d where d.datdba = o.oid and d.datname = current_database())
      order by 1) as strangers,
    (select least(current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true)::integer, 0),
        nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1))
     from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = session_user) as connections_max`
