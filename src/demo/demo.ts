import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../catalog/operations.ts'
import type { Config } from '../config/config.ts'
import { Failure } from '../core/define/failure.ts'
import type { Pool } from '../core/define/operation.ts'
import type { Providers, Services } from '../core/define/services.ts'
import type { Runner } from '../core/run/run.ts'
import { today } from '../core/values/day.ts'
import { newId } from '../core/values/id.ts'
import { type Credentials, demoEmail, keptAccess, newAccess, readAccess, writeAccess } from './access.ts'
import { type CallOperation, everyPage, type Page } from './call-operation.ts'
import { companies } from './companies.ts'
import type { Company } from './company.ts'
import { recordExpenses } from './expenses/record-expenses.ts'
import type { Supplier } from './expenses/spending.ts'
import { spentBy } from './expenses/spent.ts'
import { historyOf } from './history.ts'
import { inParallel } from './in-parallel.ts'
import { connectMailbox } from './mailbox/connect-mailbox.ts'
import { recordPayroll } from './payroll/record-payroll.ts'
import { recordHistory } from './record.ts'
import { recordClearance } from './record-clearance.ts'
import { recordTrade } from './trade/record-trade.ts'

/** What the demo needs of the program: the runner, and connections outside any organization. */
type App = {
  runner: Runner
  system: Pool
  providers: Pick<Providers, 'taxAuthorities'>
  services: Pick<Services, 'secrets'>
}

/** The credentials of the demo user, and an organization to try them with. */
export type DemoAccess = Credentials & { organizationId: string | undefined }

/**
 * Returns the credentials of the demo, after seeding an empty database; undefined if there is no demo. The API key is created
 * last: if it is missing, the seed was interrupted, and the missing rows are created.
 */
export async function demoAccess(
  config: Config,
  app: App,
  say: (line: string) => void,
): Promise<DemoAccess | undefined> {
  if (config.mode !== 'local' || !config.demo) return undefined
  const existing = await demoUser(app)
  if (existing === undefined && !(await isEmpty(app))) return undefined
  const file = join(config.dataDir, 'demo.json')
  if (existing === undefined) say('Filling the empty database with three demo companies.')
  const userId = existing ?? (await newDemoUser(app))
  const access =
    (existing && (readAccess(file) ?? (await keptAccess(app, userId)))) || (await completeDemo(app, userId))
  if (!existsSync(file) || !existing) writeAccess(file, access)
  return { ...access, organizationId: await firstOrganization(app, userId) }
}

/** Creates what is missing of the companies, then new credentials. */
async function completeDemo(app: App, userId: string): Promise<Credentials> {
  await inParallel(companies, (company) => completeCompany(app, userId, company))
  return newAccess(app, userId)
}

async function firstOrganization(app: App, userId: string): Promise<string | undefined> {
  const { organizations } = await runOperation<{ organizations: Organization[] }>(app, userId, 'organizations_list', {})
  return organizations[0]?.id
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

/** Creates the missing rows of a company. Existing rows are recognized by their names. Everything goes through the operations. */
async function completeCompany(app: App, userId: string, company: Company) {
  const call: CallOperation = (name, input) => runOperation(app, userId, name, input)
  const { organizations } = await call<{ organizations: Organization[] }>('organizations_list', {})
  const organization =
    organizations.find(({ name }) => name === company.organization.name) ??
    (await call<Organization>('organizations_create', company.organization))
  const organizationId = organization.id
  const accounts = await completeAccounts(call, organizationId, company)
  const accountFor = (currency: string) => accounts.find(({ currencies }) => currencies.includes(currency))?.id ?? null
  const customers = await customersOf(call, organizationId)
  await inParallel(company.spending.suppliers, (one) => completeSupplier(call, { organizationId, customers }, one))
  await inParallel(customersToCreate(company), (one) => completeCustomer(call, { organizationId, customers }, one))
  // The day the organization was created, so that a seed completed a day later continues the same history.
  const day = today(new Date(organization.createdAt), organization.timezone)
  await recordHistory(call, { organizationId, customers, accountFor }, historyOf(company, day))
  const { spending } = company
  await recordExpenses(call, { organizationId, counterparties: customers, spending }, spentBy(company, day))
  await recordTrade(call, { organizationId, counterparties: customers, company, day })
  await recordPayroll(call, { organizationId, counterparties: customers, company, day })
  if (company.mailbox) await connectMailbox(call, organizationId, company.mailbox)
  const isSimulated = app.providers.taxAuthorities.israel.isSimulated('sandbox')
  if (isSimulated) await recordClearance(call, { organizationId, company, day })
}

/** The customers and employees of a company, without what the demo does with them. */
const customersToCreate = ({ customers, spending: { employees } }: Company): Counterparty[] => [
  ...customers.map(({ buys: _, ...facts }) => facts),
  ...employees.map(({ name, country, email: address }) => ({ name, country, email: address, kind: 'INDIVIDUAL' })),
]
type Counterparty = { name: string; recipients?: readonly string[] } & Record<string, unknown>

type Organization = { id: string; name: string; createdAt: string; timezone: string }
type Account = { id: string; accountName: string; currencies: string[] }

async function completeAccounts(
  call: CallOperation,
  organizationId: string,
  { bankAccounts }: Company,
): Promise<Account[]> {
  const existing = await call<{ bankAccounts: Account[] }>('bank_accounts_list', { organizationId })
  const accounts = [...existing.bankAccounts]
  for (const account of bankAccounts)
    if (!accounts.some(({ accountName }) => accountName === account.accountName))
      accounts.push(await call<Account>('bank_accounts_create', { organizationId, ...account }))
  return accounts
}

/** The existing customers and suppliers, by name. */
async function customersOf(call: CallOperation, organizationId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const pages = everyPage((page) => call<Page & { customers: Named[] }>('customers_list', { organizationId, ...page }))
  for await (const { customers } of pages) for (const { name, id } of customers) found.set(name, id)
  const others = everyPage((page) => call<Page & { suppliers: Named[] }>('suppliers_list', { organizationId, ...page }))
  for await (const { suppliers } of others) for (const { name, id } of suppliers) found.set(name, id)
  return found
}

type CustomerContext = { organizationId: string; customers: Map<string, string> }

async function completeCustomer(
  call: CallOperation,
  { organizationId, customers }: CustomerContext,
  customer: Counterparty,
) {
  const { recipients = [], ...facts } = customer
  const id = customers.get(customer.name) ?? (await call<Named>('customers_create', { organizationId, ...facts })).id
  customers.set(customer.name, id)
  const existing = recipients.length > 0 ? await call<{ email: string }[]>('customers_recipients', { id }) : []
  for (const address of recipients)
    if (!existing.some((recipient) => recipient.email === address))
      await call('customers_recipients_post', { id, email: address })
}
type Named = { id: string; name: string }

async function completeSupplier(
  call: CallOperation,
  { organizationId, customers }: CustomerContext,
  supplier: Supplier,
) {
  const { supplies, defaultCurrencies: _, ...facts } = supplier
  if (customers.has(facts.name)) return
  const terms = { paymentTermsDays: supplies.dueDays, ...(supplies.currency && { defaultCurrency: supplies.currency }) }
  const { id } = await call<Named>('suppliers_create', { organizationId, ...facts, ...terms })
  customers.set(facts.name, id)
}

/** Runs an operation as the demo user. The source is COMPANION, the only one that acts for a person without a credential. */
async function runOperation<T>(app: App, userId: string, name: string, input: object): Promise<T> {
  const operation = operations.find((each) => each.name === name)
  if (!operation) throw new Error(`The demo uses the operation ${name}, which does not exist.`)
  const caller = { source: 'COMPANION', credential: null, userId, requestId: 'demo' } as const
  const given = () => ({ caller, input: structuredClone(input) as Record<string, unknown>, trace: {} })
  for (;;) {
    try {
      const { body } = await app.runner.run(operation, given())
      return JSON.parse(body) as T
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'RATE_LIMIT') throw error
      await sleep((error.retryAfterS ?? 1) * 1_000) // two years of documents exceed the rate limit of a person
    }
  }
}
