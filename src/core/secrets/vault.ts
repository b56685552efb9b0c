import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { conflict, Failure } from '../define/failure.ts'
import { newId } from '../values/id.ts'
import { type Keyring, unwrap, type Wrapped, wrap } from './keyring.ts'
import { dataKeyOf, type SecretPlace, seal, unseal } from './sealed.ts'
import type { Secret } from './secret.ts'

/**
 * Seals secrets that must be read back, each for one place: a column made by `secret_column()`, a row, an organization. In an
 * operation both functions run in its transaction and access its organization only. Seal and store in the same transaction.
 */
export type Vault = {
  close(db: Database, place: SecretPlace, secret: Secret): Promise<Buffer>
  /**
   * Fails with `SECRET_LOST` if the key of the installation was lost since, and with `SECRET_UNREADABLE` if the value was
   * altered, moved or sealed with a key that no longer exists.
   */
  open(db: Database, place: SecretPlace, sealed: Buffer): Promise<Secret>
}

type VaultDependencies = { keyring: Keyring; alarm?: (message: string) => void }

const alarmUses = 2 ** 30

export function createVault({ keyring, alarm = () => {} }: VaultDependencies): Vault {
  const keys = createKeyCache({ max: 500, lifeMs: 60_000 })

  /** Unwraps a key and caches it for a minute; undefined when it cannot be unwrapped. */
  function toKey(organizationId: string, id: string, wrapped: Wrapped): KeyObject | undefined {
    const bytes = unwrap(keyring, wrapped, 'organization', organizationId, id)
    if (!bytes) return undefined
    const key = createSecretKey(bytes)
    bytes.fill(0)
    return keys.add(organizationId, id, key)
  }

  return {
    async close(db, place, secret) {
      const { organizationId } = place
      const row = await takeKey(db, keyring, place)
      if (row.uses >= alarmUses && !keys.find(organizationId, row.id)) {
        alarm(`The key of organization ${organizationId} was used ${row.uses} times: run kontor secrets rotate --data.`)
      }
      const key = keys.find(organizationId, row.id) ?? toKey(organizationId, row.id, row)
      if (!key) throw unreadable(`the key ${row.id} of organization ${organizationId} cannot be unwrapped`)
      return seal({ id: row.id, key }, place, secret)
    },

    async open(db, place, sealed) {
      const { organizationId, table, column, rowId } = place
      const id = dataKeyOf(sealed)
      if (!id) throw unreadable(`${table}.${column} of ${rowId} is no sealed value`)
      const key = keys.find(organizationId, id) ?? toKey(organizationId, id, await findKey(db, organizationId, id))
      const secret = key && unseal(key, place, sealed)
      if (!secret) throw unreadable(`${table}.${column} of ${rowId} does not open with key ${id}`)
      return secret
    },
  }
}

/** The cause is for the log and contains only names of columns and ids. */
function unreadable(cause: string) {
  const message = 'A stored secret cannot be read. Enter it again.'
  return new Failure('INTERNAL', message, {
    details: [{ path: '', message, code: 'SECRET_UNREADABLE' }],
    cause: new Error(cause),
  })
}

const lost = () =>
  conflict(
    'This password or key was lost together with the key of the installation that encrypted it. Enter it again.',
    'SECRET_LOST',
  )

/** Whether a value could not be opened because the key of the installation was lost: a person must enter it again. */
export const isLostSecret = (error: unknown): boolean =>
  error instanceof Failure && error.details[0]?.code === 'SECRET_LOST'

type CurrentKey = Wrapped & { id: string; uses: number }

/** The organization's current key. It is made if there is none: for the first secret, or just after a rotation retired it. */
async function takeKey(db: Database, keyring: Keyring, place: SecretPlace): Promise<CurrentKey> {
  for (let tries = 0; tries < 3; tries++) {
    const taken = await take(db, place)
    if (taken.id !== null) return taken as CurrentKey
    await addKey(db, keyring, place.organizationId)
  }
  throw new Error(`Keys of organization ${place.organizationId} cannot be reached from here.`)
}

async function take(db: Database, { organizationId, table, column }: SecretPlace) {
  const { rows } = await sql<CurrentKey | { id: null }>`
    select * from take_organization_key(${organizationId}, ${table}, ${column})`.execute(db)
  return rows[0] ?? { id: null }
}

async function addKey(db: Database, keyring: Keyring, organizationId: string) {
  const id = newId()
  const { wrapped, kekId } = wrap(keyring, randomBytes(32), 'organization', organizationId, id)
  await sql`select add_organization_key(${organizationId}, ${id}, ${wrapped}, ${kekId})`.execute(db)
}

async function findKey(db: Database, organizationId: string, id: string): Promise<Wrapped> {
  const { rows } = await sql<(Wrapped & { lost: boolean }) | { wrapped: null }>`
    select * from organization_key(${organizationId}, ${id})`.execute(db)
  const row = rows[0]
  if (!row?.wrapped) throw unreadable(`there is no key ${id} of organization ${organizationId}`)
  if (row.lost) throw lost()
  return row
}

/** A cache of unwrapped keys with a maximum size and lifetime; the oldest is removed when it is full. */
export function createKeyCache({ max, lifeMs }: { max: number; lifeMs: number }) {
  const cached = new Map<string, KeyObject>()
  const nameOf = (organizationId: string, id: string) => `${organizationId} ${id}`
  return {
    find: (organizationId: string, id: string) => cached.get(nameOf(organizationId, id)),
    add(organizationId: string, id: string, key: KeyObject): KeyObject {
      const name = nameOf(organizationId, id)
      const [oldest] = cached.keys()
      if (oldest !== undefined && cached.size >= max) cached.delete(oldest)
      cached.set(name, key)
      setTimeout(() => cached.get(name) === key && cached.delete(name), lifeMs).unref()
      return key
    },
  }
}
