import { randomBytes } from 'node:crypto'
import type { Pool } from '../../db/pool.ts'
import type { Connection } from '../../db/wire/connection.ts'
import { insertAudit } from '../run/audit.ts'
import { withConnection } from '../run/connection.ts'
import { type Keyring, unwrap, type Wrapped, wrap } from './keyring.ts'
import { rotationLock } from './rotation-lock.ts'
import { newCanary, opensCanary } from './secrets.ts'

/** What a column made by `secret_column()` holds, in the words of the people who entered it. */
export type SecretKind = {
  table: string
  column: string
  /** `passwords of mailboxes` */
  called: string
  /** What to do when it is lost. */
  again: string
  /** SQL that notes the loss in the rows themselves, where people look for it. It may be executed again. */
  note?: string
}

/** Values of one kind that one organization lost and has not entered again. */
export type LostValues = { organizationId: string; organization: string; table: string; column: string; times: number }

/** What was lost with a key, besides the values that organizations entered. */
export type Loss = { values: LostValues[]; people: string[]; queuedMail: number }

/**
 * Marks everything as lost that was encrypted with a key that is not in the keyring, so that Kontor starts without it.
 * Undefined if nothing is lost. Nothing is deleted that the missing key could still open, except what is derived from the
 * root of keys: that gets a new one.
 */
export async function markLost(pool: Pool, keyring: Keyring, kinds: readonly SecretKind[]): Promise<Loss | undefined> {
  return withConnection(pool, true, async ({ connection }) => {
    await connection.query(`select pg_advisory_xact_lock(${rotationLock})`)
    const organizations = await loseDataKeys(connection, keyring)
    const isCanaryLost = await replaceCanary(connection, keyring)
    const root = await replaceRoot(connection, keyring)
    if (organizations.length === 0 && !isCanaryLost && !root) return undefined
    for (const { note } of kinds) if (note) await connection.query(note)
    const values = await lostValues(connection)
    for (const organizationId of organizations) await audit(connection, organizationId, values)
    return { values, people: root?.people ?? [], queuedMail: root?.queuedMail ?? 0 }
  })
}

async function loseDataKeys(connection: Connection, { ids }: Keyring): Promise<string[]> {
  const { rows } = await connection.query(
    `update organization_keys set lost_at = now(), retired_at = coalesce(retired_at, now())
     where lost_at is null and kek_id <> all ($1) returning organization_id`,
    [ids],
  )
  return [...new Set(rows.map(({ organizationId }) => String(organizationId)))]
}

/** Whether the canary was another key's. A missing one is written when Kontor starts, if nothing was ever sealed. */
async function replaceCanary(connection: Connection, keyring: Keyring): Promise<boolean> {
  const { rows } = await connection.query(
    `select c.wrapped, c.kek_id, exists (select from organization_keys) or exists (select from secrets_root) as used
     from (select) as nothing left join secrets_canary c on true`,
  )
  const found = rows[0] as (Wrapped | { wrapped: null; kekId: null }) & { used: boolean }
  if (found.wrapped ? opensCanary(keyring, found) : !found.used) return false
  const { wrapped, kekId } = newCanary(keyring)
  await connection.query('delete from secrets_canary')
  await connection.query('insert into secrets_canary (wrapped, kek_id) values ($1, $2)', [wrapped, kekId])
  return true
}

/** The people whose second factors and the mail whose text were lost with the root; undefined if it can be unwrapped. */
async function replaceRoot(connection: Connection, keyring: Keyring) {
  const found = (await connection.query('select wrapped, kek_id from secrets_root for update')).rows[0]
  if (!found || unwrap(keyring, found as Wrapped, 'root')) return undefined
  const { wrapped, kekId } = wrap(keyring, randomBytes(32), 'root')
  await connection.query('update secrets_root set wrapped = $1, kek_id = $2, created_at = now()', [wrapped, kekId])
  const people = await loseSecondFactors(connection)
  const { rows } = await connection.query("select count(*)::int as times from mail_deliveries where status = 'QUEUED'")
  return { people, queuedMail: Number(rows[0]?.times) }
}

/** They are not removed: the password alone must not become enough (docs/decisions/0084-a-lost-key.md). */
async function loseSecondFactors(connection: Connection): Promise<string[]> {
  await connection.query('delete from authenticators where confirmed_at is null')
  await connection.query('delete from recovery_codes')
  const { rows } = await connection.query(
    `update authenticators a set lost_at = now() from users u where u.id = a.user_id and a.lost_at is null
     returning u.id, u.email`,
  )
  const people = rows as { id: string; email: string }[]
  for (const { id } of people) {
    const operation = 'auth.authenticator_lost'
    await insertAudit(connection.query.bind(connection), { operation, source: 'SYSTEM', requestId: '', userId: id })
  }
  return people.map(({ email }) => email).sort()
}

export async function lostValues(connection: Connection): Promise<LostValues[]> {
  const { rows } = await connection.query(
    `select l.organization_id, o.name as organization, l.table_name as "table", l.column_name as "column", l.times::int
     from lost_values() l join organizations o on o.id = l.organization_id order by o.name, o.id, 3, 4`,
  )
  return rows as LostValues[]
}

async function audit(connection: Connection, organizationId: string, values: LostValues[]) {
  const own = values.filter((value) => value.organizationId === organizationId)
  if (own.length === 0) return
  const detail = { lost: Object.fromEntries(own.map(({ table, column, times }) => [`${table}.${column}`, times])) }
  const entry = { operation: 'secrets.lost', source: 'SYSTEM', requestId: '', organizationId, detail } as const
  await insertAudit(connection.query.bind(connection), entry)
}
