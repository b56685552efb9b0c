import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { base62, newId } from '../core/id.ts'
import { newKeySecret } from '../features/api-keys/api-key.ts'
import { hashPassword } from '../features/people/password.ts'
import { operations } from '../operations.ts'
import { companies } from './companies.ts'

/** How to get in; kept in the data folder and printed at every start. */
export type DemoAccess = { email: string; password: string; apiKey: string }

const email = 'demo@kontor.test'

/** The demo's way in, seeding it first on an empty database; undefined where there is no demo. */
export async function demoAccess(
  config: Config,
  app: App,
  say: (line: string) => void,
): Promise<DemoAccess | undefined> {
  if (config.mode !== 'local' || !config.demo) return undefined
  const userId = await demoUser(app)
  if (userId === undefined && !(await isEmpty(app))) return undefined
  const file = join(config.dataDir, 'demo.json')
  if (userId !== undefined && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoAccess
  const access = userId === undefined ? await seed(app, say) : await newAccess(app, userId)
  writeFileSync(file, `${JSON.stringify(access, null, 2)}\n`)
  chmodSync(file, 0o600)
  return access
}

const demoUser = (app: App) =>
  app.system.use(
    async (db) => (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id,
  )

const isEmpty = (app: App) =>
  app.system.use(async (db) => (await db.selectFrom('users').select('id').limit(1).execute()).length === 0)

async function seed(app: App, say: (line: string) => void): Promise<DemoAccess> {
  say('Filling the empty database with three demo companies.')
  const userId = newId()
  await app.system.use((db) =>
    db
      .insertInto('users')
      .values({ id: userId, name: 'Dana Demo', email, passwordHash: null, disabledAt: null })
      .execute(),
  )
  for (const company of companies) await found(app, userId, company)
  return newAccess(app, userId)
}

/** Everything goes through the operations, as the person would do it. */
async function found(app: App, userId: string, { organization, bankAccounts, customers }: (typeof companies)[number]) {
  const { id: organizationId } = await call(app, userId, 'organizations_create', organization)
  for (const account of bankAccounts) await call(app, userId, 'bank_accounts_create', { organizationId, ...account })
  for (const { recipients, ...customer } of customers as readonly Customer[]) {
    const { id } = await call(app, userId, 'customers_create', { organizationId, ...customer })
    for (const address of recipients ?? []) await call(app, userId, 'customers_recipients_post', { id, email: address })
  }
}
type Customer = { name: string; recipients?: readonly string[] }

async function call(app: App, userId: string, name: string, input: object): Promise<{ id: string }> {
  const operation = operations.find((each) => each.name === name)
  if (!operation) throw new Error(`The demo asks for ${name}, which there is not.`)
  const caller = { source: 'COMPANION', credential: null, userId, requestId: 'demo' } as const
  const { body } = await app.runner.run(operation, {
    caller,
    input: structuredClone(input) as Record<string, unknown>,
    trace: {},
  })
  return JSON.parse(body) as { id: string }
}

/** A password and a key of the demo user's; made again when demo.json was lost. */
async function newAccess(app: App, userId: string): Promise<DemoAccess> {
  const password = base62(12)
  const passwordHash = await hashPassword(password)
  const { secret, ...stored } = newKeySecret()
  await app.system.use(async (db) => {
    await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()
    await db
      .updateTable('apiKeys')
      .set({ revokedAt: sql`now()` })
      .where('userId', '=', userId)
      .where('name', '=', 'Demo key')
      .where('revokedAt', 'is', null)
      .execute()
    const key = {
      id: newId(),
      userId,
      name: 'Demo key',
      scopes: ['*:*'],
      allOrgs: true,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      ...stored,
    }
    await db.insertInto('apiKeys').values(key).execute()
  })
  return { email, password, apiKey: secret }
}
