import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../catalog/operations.ts'
import { Failure } from '../core/define/failure.ts'
import type { Providers } from '../core/define/services.ts'
import { today } from '../core/values/day.ts'
import { type CallOperation, everyPage, type Page } from './call-operation.ts'
import type { Company } from './company.ts'
import { recordExpenses } from './expenses/record-expenses.ts'
import type { Supplier } from './expenses/spending.ts'
import { spentBy } from './expenses/spent.ts'
import { historyOf } from './history.ts'
import { atMost, inParallel } from './in-parallel.ts'
import { connectMailbox } from './mailbox/connect-mailbox.ts'
import { recordPayroll } from './payroll/record-payroll.ts'
import { recordHistory } from './record.ts'
import { recordClearance } from './record-clearance.ts'
import { recordTrade } from './trade/record-trade.ts'

/** Who fills a company, with what; after the signal no further operation begins. */
export type Filling = Pick<Providers, 'run' | 'taxAuthorities'> & { userId: string; signal?: AbortSignal }

/** They keep two processors busy. Each further connection takes PostgreSQL time to prepare (docs/performance.md). */
const operationsAtOnce = 3

/** Creates the missing rows of a company. Existing rows are recognized by their names. Everything goes through the operations. */
export async function fillCompany({ run, userId, signal, taxAuthorities }: Filling, company: Company): Promise<void> {
  const inTurn = atMost(operationsAtOnce)
  const call: CallOperation = (name, input) =>
    inTurn(() => {
      signal?.throwIfAborted()
      return runOperation(run, userId, name, input)
    })
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
  await recordYears(call, { organizationId, counterparties: customers, company, day }, accountFor)
  if (company.mailbox) await connectMailbox(call, organizationId, company.mailbox)
  const isSimulated = taxAuthorities.israel.isSimulated('sandbox')
  if (isSimulated) await recordClearance(call, { organizationId, company, day })
}

type Target = { organizationId: string; counterparties: ReadonlyMap<string, string>; company: Company; day: string }

/** What is sold and what is spent, at the same time. */
async function recordYears(call: CallOperation, target: Target, accountFor: (currency: string) => string | null) {
  const { company, day, ...at } = target
  const sold = async () => {
    await recordHistory(call, { ...at, customers: at.counterparties, accountFor }, historyOf(company, day))
    await recordTrade(call, target) // its invoices are numbered after the sales
  }
  const spent = async () => {
    await recordExpenses(call, { ...at, spending: company.spending }, spentBy(company, day))
    await recordPayroll(call, target) // pays what is still owed to employees for their expenses
  }
  await inParallel([sold, spent], (record) => record())
}

/** The customers and employees of a company, without what the demo does with them. */
const customersToCreate = ({ customers, spending: { employees } }: Company): Counterparty[] => [
  ...customers.map(({ buys: _, ...facts }) => facts),
  ...employees.map(({ name, country, email: address }) => ({ name, country, email: address, kind: 'INDIVIDUAL' })),
]
type Counterparty = { name: string; recipients?: readonly string[] } & Record<string, unknown>

export type Organization = { id: string; name: string; createdAt: string; timezone: string }
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
export async function runOperation<T>(run: Providers['run'], userId: string, name: string, input: object): Promise<T> {
  const operation = operations.find((each) => each.name === name)
  if (!operation) throw new Error(`The demo uses the operation ${name}, which does not exist.`)
  const caller = { source: 'COMPANION', credential: null, userId, requestId: 'demo' } as const
  const given = () => ({ caller, input: structuredClone(input) as Record<string, unknown>, trace: {} })
  for (;;) {
    try {
      const { body } = await run(operation, given())
      return JSON.parse(body) as T
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'RATE_LIMIT') throw error
      await sleep((error.retryAfterS ?? 1) * 1_000) // two years of documents exceed the rate limit of a person
    }
  }
}
