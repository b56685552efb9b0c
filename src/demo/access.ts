import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database, Pool } from '../core/define/operation.ts'
import type { Services } from '../core/define/services.ts'
import { withConnection } from '../core/run/connection.ts'
import { base62From, newId } from '../core/values/id.ts'
import type { Connection } from '../db/wire/connection.ts'
import { newKeySecret } from '../features/company/api-keys/api-key.ts'
import { hashPassword, isPassword } from '../features/company/people/password.ts'

/** The credentials of the demo user, stored in the data folder and printed at every start. */
export type Credentials = { email: string; password: string; apiKey: string }

export const demoEmail = 'demo@kontor.test'

type App = { system: Pool; services: Pick<Services, 'secrets'> }

export const readAccess = (file: string): Credentials | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Credentials) : undefined

export function writeAccess(file: string, access: Credentials) {
  writeFileSync(file, `${JSON.stringify(access, null, 2)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
}

/**
 * The credentials of a database that was restored, which brings no demo.json. They are derived from the secrets of the database
 * and the number of the key, so they are the same as before; undefined if the last key is not one of those, or was revoked.
 */
export async function keptAccess(app: App, userId: string): Promise<Credentials | undefined> {
  const keys = await app.system.use((db) => demoKeys(db, userId).orderBy('createdAt').orderBy('id').execute())
  const last = keys.at(-1)
  const { access, stored } = credentialsOf(app, userId, keys.length)
  if (!last || last.revokedAt || !last.secretHash.equals(stored.secretHash)) return undefined
  await ensurePassword(app, userId, access.password)
  return access
}

const demoKeys = (db: Database, userId: string) =>
  db.selectFrom('apiKeys').select(['secretHash', 'revokedAt']).where('userId', '=', userId).where('name', '=', keyName)

const keyName = 'Demo key'

function credentialsOf({ services: { secrets } }: App, userId: string, number: number) {
  const derived = (purpose: string) => (length: number) =>
    base62From(secrets.derived('demo'), `${purpose} ${number} ${userId} ${length}`, length)
  const { secret, ...stored } = newKeySecret(derived('key'))
  const access: Credentials = { email: demoEmail, password: derived('password')(12), apiKey: secret }
  return { access, stored }
}

/** Another password than the derived one was chosen by a person, or is that of an earlier version. */
async function ensurePassword(app: App, userId: string, password: string) {
  const { passwordHash } = await app.system.use((db) =>
    db.selectFrom('users').select('passwordHash').where('id', '=', userId).executeTakeFirstOrThrow(),
  )
  if (!(await isPassword(password, passwordHash))) await storePassword(app, userId, password)
}

async function storePassword(app: App, userId: string, password: string) {
  const passwordHash = await hashPassword(password)
  await app.system.use((db) => db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute())
}

/** A new password and a new API key of the demo user. What comes with the key commits with it. */
export async function newAccess(
  app: App,
  userId: string,
  withKey: (connection: Connection) => Promise<unknown>,
): Promise<Credentials> {
  const earlier = await app.system.use((db) => demoKeys(db, userId).execute())
  const { access, stored } = credentialsOf(app, userId, earlier.length + 1)
  await storePassword(app, userId, access.password)
  await withConnection(app.system, true, async ({ db, connection }) => {
    await db
      .updateTable('apiKeys')
      .set({ revokedAt: sql`now()` })
      .where('userId', '=', userId)
      .where('name', '=', keyName)
      .where('revokedAt', 'is', null)
      .execute()
    const key = {
      id: newId(),
      userId,
      name: keyName,
      scopes: ['*:*'],
      allOrgs: true,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      ...stored,
    }
    await db.insertInto('apiKeys').values(key).execute()
    await withKey(connection)
  })
  return access
}
