import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import type { Pool } from '../../db/pool.ts'
import { StartFailure } from '../../db/start-failure.ts'
import type { Connection } from '../../db/wire/connection.ts'
import { type Keyring, unwrap, type Wrapped, wrap } from './keyring.ts'
import { createVault, type Vault } from './vault.ts'

/** The purpose of a derived key; each purpose has its own key (SEC-5). */
export type Label =
  | 'signed-url'
  | 'document-link'
  | 'oauth-state'
  | 'csrf'
  | 'webhook-v1'
  | 'idempotency'
  | 'mail'
  | 'second-factor'
  | 'recovery-code'
  | 'oauth-cookie'
  | 'oauth-signing'
  | 'mail-simulator'
  | 'demo'

export type Secrets = {
  vault: Vault
  /** The same key for the same label in every process and after every rotation of wrapping keys. */
  derived(label: Label): KeyObject
}

/** Checks that the keys belong to this database. Fails with a message otherwise, and never replaces data silently (SEC-2). */
export async function openSecrets(
  pool: Pool,
  keyring: Keyring,
  { alarm }: { alarm?: (message: string) => void } = {},
): Promise<Secrets> {
  const root = await pool.use(async (_, connection) => {
    await checkCanary(connection, keyring)
    await checkWrappingKeys(connection, keyring)
    return openRoot(connection, keyring)
  })
  return { vault: createVault({ keyring, ...(alarm && { alarm }) }), derived: deriver(root) }
}

/** HKDF-SHA-256, once for each label. */
export function deriver(root: Buffer): Secrets['derived'] {
  const known = new Map<Label, KeyObject>()
  return (label) => {
    const key = known.get(label) ?? createSecretKey(Buffer.from(hkdfSync('sha256', root, '', `kontor ${label}`, 32)))
    known.set(label, key)
    return key
  }
}

const canaryText = Buffer.from('kontor canary')

/** The canary: a known text, encrypted with the current wrapping key. */
export const newCanary = (keyring: Keyring): Wrapped => wrap(keyring, canaryText, 'canary')

/** Writes the canary only if no sealed value exists: a missing one otherwise means that part of the database is lost. */
async function checkCanary(connection: Connection, keyring: Keyring) {
  const found = await findCanary(connection)
  if (found) return openCanary(keyring, found)
  const { wrapped, kekId } = newCanary(keyring)
  const insert = 'insert into secrets_canary (wrapped, kek_id) values ($1, $2) on conflict do nothing'
  await connection.query(insert, [wrapped, kekId])
  const written = (await connection.query('select wrapped, kek_id from secrets_canary')).rows[0] as Wrapped
  openCanary(keyring, written) // another process may have written it first
}

/** Undefined if no value was ever sealed in this database. */
async function findCanary(connection: Connection): Promise<Wrapped | undefined> {
  const { wrapped, kekId, used } = (await connection.query(canaryQuery)).rows[0] as FoundCanary
  if (wrapped) return { wrapped, kekId }
  if (!used) return undefined
  throw new StartFailure(
    `The database holds secrets, but the row of secrets_canary, which identifies their key, is missing. Restore the database from a complete backup. ${orWithout}`,
  )
}
type FoundCanary = { wrapped: Buffer | null; kekId: string; used: boolean }

/** The id of the key that the secrets of this database were sealed with; undefined if there are none, and any key fits. */
export const neededKey = (pool: Pool): Promise<string | undefined> =>
  pool.use(async (_, connection) => (await findCanary(connection))?.kekId)

/** Throws if the keys do not belong to this database. Changes nothing. */
export const checkKeys = (pool: Pool, keyring: Keyring | undefined): Promise<void> =>
  pool.use(async (_, connection) => {
    const canary = await findCanary(connection)
    if (!canary || !keyring) return
    openCanary(keyring, canary)
    await checkWrappingKeys(connection, keyring)
  })

/** The end of every message about a missing key. */
export const whereToLook =
  'Look for it in the settings and data folder that were used before, in their backups, and where it was stored apart from the backups of the database.'
export const orWithout =
  'If that key is lost for good, kontor start --without-secrets opens the books without what it encrypted.'

// One statement, so that it sees a consistent state while another process starts for the first time.
const canaryQuery = `select c.wrapped, c.kek_id,
    exists (select from organization_keys) or exists (select from secrets_root) as used
  from (select) as nothing left join secrets_canary c on true`

/** Whether the canary was written with these keys. */
export const opensCanary = (keyring: Keyring, canary: Wrapped): boolean =>
  unwrap(keyring, canary, 'canary')?.equals(canaryText) ?? false

function openCanary(keyring: Keyring, canary: Wrapped) {
  if (opensCanary(keyring, canary)) return
  throw new StartFailure(
    `The secrets in this database were sealed with the key ${canary.kekId}, and KONTOR_SECRETS_KEY (or secrets.key in the data folder) holds ${keyring.ids.join(', ')}. Give it that key: without it they can never be read. ${whereToLook} ${orWithout}`,
  )
}

/** Fails if a wrapping key was removed from the list while a row still needs it. */
async function checkWrappingKeys(connection: Connection, { ids }: Keyring) {
  const { rows } = await connection.query(
    `select kek_id from organization_keys where kek_id <> all ($1) and lost_at is null
     union all select kek_id from secrets_root where kek_id <> all ($1) limit 1`,
    [ids],
  )
  if (!rows[0]) return
  throw new StartFailure(
    `Some secrets still need the key ${rows[0].kekId}. Put it back at the end of KONTOR_SECRETS_KEY, run kontor secrets rotate, and remove it after that. ${orWithout}`,
  )
}

async function openRoot(connection: Connection, keyring: Keyring): Promise<Buffer> {
  const read = async () =>
    (await connection.query('select wrapped, kek_id from secrets_root')).rows[0] as Wrapped | undefined
  const made = wrap(keyring, randomBytes(32), 'root')
  const insert = 'insert into secrets_root (wrapped, kek_id) values ($1, $2) on conflict do nothing'
  const found = (await read()) ?? (await connection.query(insert, [made.wrapped, made.kekId]).then(read))
  const root = found && unwrap(keyring, found, 'root')
  if (!root) throw new StartFailure('The row of secrets_root was altered. Restore the database from a backup.')
  return root
}
