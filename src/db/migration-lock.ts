import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { codeOf, StartFailure } from './start-failure.ts'

/**
 * An advisory lock. A migration holds it exclusively, a backup shares it. The job that removes deleted files from the
 * store takes it exclusively for a moment, so that no file named by a row in a running backup is removed.
 */
export const migrationLock = "hashtextextended('kontor migrations', 0)"

export type MigrationWait = {
  say?: (line: string) => void
  /** How long the lock is waited for; MIGRATION_WAIT. */
  waitS?: number | undefined
}

const defaultWaitS = 600

/** The holder is named after so long, while the lock is still waited for. */
const patienceS = 5

/** Takes the lock for a session: a migration exclusively, a backup shared. Fails with a sentence that names who has it. */
export async function takeMigrationLock(
  client: pg.ClientBase,
  as: 'migration' | 'backup',
  { say = () => {}, waitS = defaultWaitS }: MigrationWait = {},
): Promise<void> {
  const lock = `select pg_advisory_lock${as === 'backup' ? '_shared' : ''}(${migrationLock})`
  await client.query(`set application_name = 'kontor ${as}'`)
  const first = Math.min(patienceS, waitS)
  if (await takenWithin(client, lock, first)) return
  say(`Waiting for up to ${waitS} seconds, because ${await holders(client)}.`)
  if (waitS > first && (await takenWithin(client, lock, waitS - first))) return
  throw new StartFailure(
    `The ${as} did not begin within ${waitS} seconds, because ${await holders(client)}. Let it end, or end it there (select pg_terminate_backend(<process>);), and start again. MIGRATION_WAIT sets how many seconds are waited.`,
  )
}

/** Whether the lock was taken in time. `lock_timeout` counts for advisory locks too. */
async function takenWithin(client: pg.ClientBase, lock: string, seconds: number): Promise<boolean> {
  const { rows } = await client.query<{ before: string }>("select current_setting('lock_timeout') as before")
  try {
    await client.query(`set lock_timeout = ${Math.max(1, Math.round(seconds * 1000))}`)
    await client.query(lock)
    return true
  } catch (error) {
    if (codeOf(error) === '55P03') return false
    throw error
  } finally {
    await client.query(`set lock_timeout = '${rows[0]?.before ?? 0}'`).catch(() => {})
  }
}

type Holder = { what: string; name: string | null; address: string; pid: number; since: string; doing: string | null }

/** Who has the lock, in words. Somebody who gave it back since is not found. */
async function holders(client: pg.ClientBase): Promise<string> {
  for (let tries = 3; tries > 0; tries--) {
    const { rows } = await client.query<Holder>(holdersQuery)
    if (rows.length > 0) return rows.map(described).join(', and ')
    await sleep(20)
  }
  return 'others have taken the migration lock in turn'
}

function described({ what, name, address, pid, since, doing }: Holder): string {
  const called = name ? `, ${name}` : ''
  return `${what} is running (process ${pid} of PostgreSQL${called}, from ${address}, since ${since}${doing ? `, now: ${doing}` : ''})`
}

/** The query of another role is hidden from a login without the right to see it. */
const holdersQuery = `
  with lock as (select ${migrationLock} as key)
  select case when l.mode = 'ShareLock' then 'a backup' else 'a migration' end as what, nullif(a.application_name, '') as name,
    coalesce(host(a.client_addr), 'the machine of PostgreSQL') as address, l.pid,
    to_char(a.backend_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') as since,
    case when a.state = 'active' then left(regexp_replace(nullif(a.query, ''), '\\s+', ' ', 'g'), 60)
      when a.state is not null then a.state end as doing
  from pg_locks l join lock on l.locktype = 'advisory' and l.objsubid = 1 and l.granted
      and l.classid::bigint = ((lock.key >> 32) & 4294967295) and l.objid::bigint = (lock.key & 4294967295)
    left join pg_stat_activity a on a.pid = l.pid
  where l.database = (select d.oid from pg_database d where d.datname = current_database()) and l.pid <> pg_backend_pid()
  order by l.pid`
