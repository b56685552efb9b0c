import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Pool } from '../core/define/operation.ts'
import type { Providers, Runner, Services } from '../core/define/services.ts'
import { newId } from '../core/values/id.ts'
import { type Credentials, demoEmail, keptAccess, newAccess, readAccess, writeAccess } from './access.ts'
import { companies } from './companies.ts'
import { enqueueFilling, resumeGivenUp } from './fill-companies.ts'
import { fillCompany, type Organization, runOperation } from './fill-company.ts'
import { inParallel } from './in-parallel.ts'

/** What the demo needs of the program: the runner, and connections outside any organization. */
type App = {
  runner: Runner
  system: Pool
  providers: Pick<Providers, 'taxAuthorities'>
  services: Pick<Services, 'secrets'>
}

/** The credentials of the demo user, and an organization to try them with. */
export type DemoAccess = Credentials & { organizationId: string | undefined }

type DemoOptions = {
  /** Fills all companies before it returns, and leaves nothing to a worker. */
  whole?: boolean
}

/**
 * Returns the credentials of the demo, after seeding an empty database; undefined if there is no demo. One company is filled
 * first. The API key is created last: if it is missing, the seed was interrupted, and the missing rows are created. It commits
 * together with the job that fills the other companies.
 */
export async function demoAccess(
  config: Config,
  app: App,
  say: (line: string) => void,
  { whole = false }: DemoOptions = {},
): Promise<DemoAccess | undefined> {
  if (config.mode !== 'local' || !config.demo) return undefined
  const existing = await demoUser(app)
  if (existing === undefined && !(await isEmpty(app))) return undefined
  const file = join(config.dataDir, 'demo.json')
  if (existing === undefined) say(whole ? 'Filling the empty database with three demo companies.' : fillingFirst)
  const userId = existing ?? (await newDemoUser(app))
  const kept = existing && (readAccess(file) ?? (await keptAccess(app, userId)))
  if (kept) await resumeGivenUp(app.system)
  const access = kept || (await completeDemo(app, userId, whole))
  if (!existsSync(file) || !existing) writeAccess(file, access)
  return { ...access, organizationId: await firstOrganization(app, userId) }
}

const fillingFirst = 'Filling the empty database with the first of three demo companies.'

/** Creates what is missing of the first company, or of all, then new credentials. */
async function completeDemo(app: App, userId: string, whole: boolean): Promise<Credentials> {
  const [first, ...others] = companies
  const { runner, providers } = app
  const filling = { run: runner.run, taxAuthorities: providers.taxAuthorities, userId }
  await inParallel(whole ? companies : [first], (company) => fillCompany(filling, company))
  const names = whole ? [] : others.map(({ organization }) => organization.name)
  return newAccess(app, userId, (connection) => enqueueFilling(connection, userId, names))
}

/** The company that is filled first; if a person has renamed it, any. */
async function firstOrganization({ runner }: App, userId: string): Promise<string | undefined> {
  const { organizations } = await runOperation<{ organizations: Organization[] }>(
    runner.run,
    userId,
    'organizations_list',
    {},
  )
  const [first] = companies
  return (organizations.find(({ name }) => name === first.organization.name) ?? organizations[0])?.id
}

const demoUser = (app: App) =>
  app.system.use(
    async (db) => (await db.selectFrom('users').select('id').where('email', '=', demoEmail).executeTakeFirst())?.id,
  )

const isEmpty = (app: App) =>
  app.system.use(async (db) => (await db.selectFrom('users').select('id').limit(1).execute()).length === 0)

async function newDemoUser(app: App): Promise<string> {
  const id = newId()
  const user = { id, name: 'Dana Demo', email: demoEmail, passwordHash: null, disabledAt: null }
  await app.system.use((db) => db.insertInto('users').values(user).execute())
  return id
}
