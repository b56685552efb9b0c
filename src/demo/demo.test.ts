import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { addDays, today } from '../core/values/day.ts'
import type { App } from '../program/app.ts'
import { testConfig, theApp } from '../test/world.ts'
import { verify } from '../verify/verify.ts'
import { companies } from './companies.ts'
import type { Company } from './company.ts'
import { demoAccess } from './demo.ts'
import { spentBy } from './expenses/spent.ts'
import { historyOf } from './history.ts'
import { billOf } from './trade/record-trade.ts'
import type { TradeOrder } from './trade/trade.ts'

/** The app, whose power is cut after so many writes, and stays off. */
function failingAfter(writes: number): App {
  let left = writes
  const { runner } = theApp()
  return {
    ...theApp(),
    runner: {
      ...runner,
      async run(operation, call) {
        if (!operation.reads && left-- <= 0) throw new Error('power cut')
        return runner.run(operation, call)
      },
    },
  }
}

const countAll = sql<number>`count(*)`.as('count')

/** What there is, by name, in an order of its own. */
const made = () =>
  theApp().system.use(async (db) => ({
    organizations: (await db.selectFrom('organizations').select('name').execute()).map(({ name }) => name).sort(),
    accounts: (await db.selectFrom('bankAccounts').select('accountName').execute())
      .map((one) => one.accountName)
      .sort(),
    customers: (await db.selectFrom('customers').select('name').execute()).map(({ name }) => name).sort(),
    recipients: (await db.selectFrom('customerRecipients').select('email').execute()).map((one) => one.email).sort(),
    documents: (
      await db
        .selectFrom('documents')
        .innerJoin('documentLines', (join) =>
          join
            .onRef('documentLines.documentId', '=', 'documents.id')
            .onRef('documentLines.organizationId', '=', 'documents.organizationId'),
        )
        .innerJoin('organizations', 'organizations.id', 'documents.organizationId')
        .select(['organizations.name', 'documents.documentType', 'documentLines.id as line'])
        .where('documents.kind', '=', 'SALES')
        .execute()
    )
      .map(({ name, documentType, line }) => `${name}: ${documentType} ${line}`)
      .sort(),
    payments: (
      await db
        .selectFrom('payments')
        .select(['paidAt', 'amountMinor', 'kind'])
        .where('source', '=', 'PAYMENT')
        .execute()
    )
      .map(({ paidAt, amountMinor, kind }) => `${kind} ${paidAt} ${amountMinor}`)
      .sort(),
    expenses: (
      await db
        .selectFrom('expenses as e')
        .innerJoin('documents as d', (join) =>
          join.onRef('d.organizationId', '=', 'e.organizationId').onRef('d.id', '=', 'e.id'),
        )
        .select(['e.vendor', 'e.source', 'd.issueDate', 'd.totalMinor', 'd.status'])
        .select(({ selectFrom }) => [
          selectFrom('documentAttachments as a').whereRef('a.documentId', '=', 'd.id').select(countAll).as('receipts'),
          selectFrom('documents as c').whereRef('c.sourceDocumentId', '=', 'd.id').select(countAll).as('credits'),
          selectFrom('expenseSplits as s').whereRef('s.expenseId', '=', 'd.id').select(countAll).as('splits'),
        ])
        .execute()
    )
      .map(
        (one) =>
          `${one.vendor} ${one.issueDate} ${one.totalMinor} ${one.status} ${one.source}: ${one.receipts}, ${one.credits}, ${one.splits}`,
      )
      .sort(),
    orders: (await db.selectFrom('orders').select(['reference', 'kind', 'status']).execute())
      .map(({ reference, kind, status }) => `${kind} ${reference} ${status}`)
      .sort(),
    items: (await db.selectFrom('items').select('sku').execute()).map(({ sku }) => sku).sort(),
    movements: (
      await db
        .selectFrom('stockMovements')
        .select(countAll)
        .where('source', 'in', ['MANUAL', 'OPENING'])
        .executeTakeFirst()
    )?.count,
    remarks: (await db.selectFrom('documentEvents').select('payload').where('actorUserId', 'is not', null).execute())
      .map(({ payload }) => JSON.stringify(payload))
      .sort(),
  }))

/** Customers, suppliers and employees; somebody who makes claims may be employed. */
const partiesOf = ({ spending, customers, staff }: Company) => [
  ...customers,
  ...spending.suppliers,
  ...spending.employees,
  ...staff,
]
/** It owes government-paid leave. */
const authority = 'Ministry of Social and Family Development'

/** What there should be, once the companies were founded. */
async function everything() {
  const founded = await theApp().system.use((db) =>
    db.selectFrom('organizations').select(['name', 'createdAt', 'timezone']).execute(),
  )
  const histories = founded.map(({ name, createdAt, timezone }) => {
    const company = companies.find(({ organization }) => organization.name === name)
    if (!company) throw new Error(`There is no company ${name}.`)
    const day = today(new Date(createdAt), timezone)
    const bills = company.trade.purchases
      .filter(({ bill }) => bill)
      .map((order) => ({ vendor: order.of, paid: order.bill?.paidDaysAgo, ...billOf(company, day, order) }))
    const { sales: ordered } = company.trade
    return { name, day, bills, ordered, ...historyOf(company, day), ...spentBy(company, day) }
  })
  const customers = companies.flatMap((company) => company.customers)
  return {
    organizations: companies.map(({ organization }) => organization.name).sort(),
    accounts: companies.flatMap(({ bankAccounts }) => bankAccounts.map(({ accountName }) => accountName)).sort(),
    customers: [...new Set([...companies.flatMap(partiesOf).map(({ name }) => name), authority])].sort(),
    recipients: customers.flatMap(({ recipients = [] }) => recipients).sort(),
    documents: histories
      .flatMap(({ name, sales, credits, receipts, ordered }) => [
        ...ordered
          .filter(({ invoice }) => invoice)
          .flatMap(({ lines }) => lines.map((_, at) => `${name}: INVOICE ${at + 1}`)),
        ...sales.flatMap(({ documentType, items }) => items.map(({ id }) => `${name}: ${documentType} ${id}`)),
        ...credits.flatMap(({ items }) => items.map(({ id }) => `${name}: CREDIT_MEMO ${id}`)),
        ...receipts.flatMap(({ of }) =>
          (sales.find(({ key }) => key === of)?.items ?? []).map(({ id }) => `${name}: RECEIPT ${id}`),
        ),
      ])
      .sort(),
    payments: histories
      .flatMap(({ payments, expenses, transfers, bills, day }) => [
        ...payments.map((payment) => ({ kind: 'SALES', ...payment })),
        ...bills.flatMap(({ amount, paid }) =>
          paid === undefined ? [] : [{ kind: 'EXPENSE', amount, paidAt: addDays(day, -paid) }],
        ),
        ...[...expenses.flatMap(({ payment }) => payment ?? []), ...transfers].map((one) => ({
          kind: 'EXPENSE',
          ...one,
        })),
      ])
      .map(({ kind, paidAt, amount }) => `${kind} ${paidAt} ${Math.round(amount * 100)}`)
      .sort(),
    expenses: histories
      .flatMap(({ expenses, bills }) => [
        ...bills.map(
          ({ vendor, date, amount }) => `${vendor} ${date} ${Math.round(amount * 100)} APPROVED MANUAL: 0, 0, 0`,
        ),
        ...expenses.map(({ vendor, date, amount, status, source, hasReceipt, credit, splits = [] }) => {
          const minor = Math.round(amount * 100)
          return `${vendor} ${date} ${minor} ${status} ${source}: ${hasReceipt ? 1 : 0}, ${credit ? 1 : 0}, ${splits.length}`
        }),
      ])
      .sort(),
    orders: companies
      .flatMap(({ trade }) => [
        ...trade.purchases.map((order) => `PURCHASE ${order.reference} ${statusOf(order)}`),
        ...trade.sales.map((order) => `SALES ${order.reference} ${statusOf(order)}`),
      ])
      .sort(),
    items: companies.flatMap(({ trade }) => trade.items.map(({ sku }) => sku)).sort(),
    movements: companies.flatMap(({ trade }) => [...trade.adjustments, ...trade.items.filter(({ opening }) => opening)])
      .length,
    remarks: histories
      .flatMap(({ threads }) => threads.flatMap(({ comments }) => comments))
      .map(({ message }) => JSON.stringify({ message }))
      .sort(),
  }
}

function statusOf({ isDraft, ends, deliveries = [] }: TradeOrder) {
  if (isDraft) return 'DRAFT'
  if (ends) return ends
  if (deliveries.length === 0) return 'OPEN'
  return deliveries.some(([share]) => share === 'rest') ? 'RECEIVED' : 'PARTIALLY_RECEIVED'
}

test('every company has orders in every status, low stock, and a company that is both customer and supplier', () => {
  for (const { trade, customers } of companies) {
    const statuses = ['DRAFT', 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CLOSED', 'CANCELLED']
    expect(new Set(trade.purchases.map(statusOf))).toEqual(new Set(statuses))
    expect(trade.sales.some((order) => order.invoice === 'SENT' && statusOf(order) === 'PARTIALLY_RECEIVED')).toBe(true)
    expect(trade.purchases.some(({ of }) => customers.some(({ name }) => name === of))).toBe(true)
    const skus = trade.items.map(({ sku }) => sku)
    expect([...trade.purchases, ...trade.sales].flatMap(({ lines }) => lines.map(([sku]) => sku))).toEqual(
      expect.arrayContaining(skus),
    )
  }
})

test('KONTOR_DEMO=0 leaves an empty database empty', async () => {
  const config = testConfig({ KONTOR_DEMO: '0' })
  expect(await demoAccess(config, theApp(), () => {})).toBe(undefined)
  expect(await theApp().system.use((db) => db.selectFrom('users').select('id').execute())).toEqual([])
})

test('a seed that is interrupted repeatedly still ends with the complete demo and no duplicates', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const config = testConfig({ KONTOR_DATA: dataDir })
  const file = join(dataDir, 'demo.json')
  const start = (app: App) => demoAccess(config, app, () => {})

  let cuts = 0
  for (; cuts < 40; cuts++) {
    const access = await start(failingAfter(4 + 8 * cuts)).catch(() => undefined)
    if (access) break
    expect(existsSync(file)).toBe(false)
  }
  expect(cuts).toBeGreaterThan(9)
  expect(await made()).toEqual(await everything())

  const access = JSON.parse(readFileSync(file, 'utf8'))
  const complete = { ...access, organizationId: expect.any(String) }
  expect(await start(theApp())).toEqual(complete)
  rmSync(file) // as after a restore: the same password and key are found again
  expect(await start(theApp())).toEqual(complete)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(access)
  await theApp().system.use((db) => db.updateTable('apiKeys').set({ revokedAt: sql`now()` }).execute())
  rmSync(file) // a revoked key is not given out again
  expect((await start(theApp()))?.apiKey).not.toBe(access.apiKey)
  expect(await made()).toEqual(await everything())
}, 600_000)

test('the demo passes verify and sends no mail', async () => {
  const { system, providers } = theApp()
  const broken = await verify({ system, storage: providers.storage })
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // a server for tests keeps nothing over a power cut
  const low = await system.use((db) =>
    db
      .selectFrom('items as i')
      .innerJoin('stockLevels as l', (join) =>
        join.onRef('l.organizationId', '=', 'i.organizationId').onRef('l.itemId', '=', 'i.id'),
      )
      .select('i.organizationId')
      .distinct()
      .whereRef('l.quantity', '<=', 'i.lowStockThreshold')
      .where('l.quantity', '>=', '0')
      .execute(),
  )
  expect(low).toHaveLength(companies.length)
  const both = await system.use((db) =>
    db.selectFrom('customers').select('name').where('isCustomer', '=', true).where('isSupplier', '=', true).execute(),
  )
  expect(both.map(({ name }) => name).toSorted()).toEqual([
    'Badger Ridge Builders LLC',
    'Jurong Robotics Pte. Ltd.',
    'רשת מאפיות דגן',
  ])
  expect(await system.use((db) => db.selectFrom('mailDeliveries').select('id').execute())).toEqual([])
})

/** A server for tests fetches no rates, and a report in another currency needs one. */
const noRate = /exchange rate to SGD is not known/

test.each(['IL', 'SG'])(
  'the company of %s is connected with the simulator: its recent documents have their numbers, and later ones get theirs',
  async (country) => {
    const { rows } = await theApp().system.raw.query(
      `select c.status, c.number, c.environment, c.error, d.vat_allocation_number as "onDocument" from clearances c
     join documents d on d.id = c.document_id join organizations o on o.id = c.organization_id where o.country = $1`,
      [country],
    )
    const decided = rows.filter(({ error }) => !noRate.test(error ?? ''))
    expect(decided.length).toBeGreaterThan(0)
    for (const { status, number, environment, onDocument, error } of decided)
      expect([status, environment, onDocument, error]).toEqual(['APPROVED', 'sandbox', number, null])
    const { rows: settings } = await theApp().system.raw.query(
      `select o.country, s.clear_on_issue as "clearOnIssue" from organization_settings s join organizations o on o.id = s.organization_id order by 1`,
    )
    expect(settings.filter(({ clearOnIssue }) => clearOnIssue)).toContainEqual({ country, clearOnIssue: true })
    expect(settings.map(({ country: of }) => of)).not.toContain('US')
  },
)
