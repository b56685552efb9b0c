import { sql } from 'kysely'
import { addDays, today } from '../../core/values/day.ts'
import { companies as all } from '../../demo/companies.ts'
import type { Company } from '../../demo/company.ts'
import { spentBy } from '../../demo/expenses/spent.ts'
import { historyOf } from '../../demo/history.ts'
import { billOf } from '../../demo/trade/record-trade.ts'
import type { TradeOrder } from '../../demo/trade/trade.ts'
import { theApp } from '../world.ts'

const countAll = sql<number>`count(*)`.as('count')

/** What there is, by name, in an order of its own. */
export const made = () =>
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
/** It owes government-paid leave in Singapore. */
const authorities = (of: readonly Company[]) =>
  of.some(({ organization }) => organization.country === 'SG') ? ['Ministry of Social and Family Development'] : []

/** What there should be, once the companies were founded. */
export async function everything(companies: readonly Company[] = all) {
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
    customers: [
      ...new Set([...companies.flatMap(partiesOf).map(({ name }) => name), ...authorities(companies)]),
    ].sort(),
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

export function statusOf({ isDraft, ends, deliveries = [] }: TradeOrder) {
  if (isDraft) return 'DRAFT'
  if (ends) return ends
  if (deliveries.length === 0) return 'OPEN'
  return deliveries.some(([share]) => share === 'rest') ? 'RECEIVED' : 'PARTIALLY_RECEIVED'
}
