import { beforeAll, expect, test } from 'vitest'
import { addDays } from '../../../core/values/day.ts'
import { storeTestRates } from '../../../test/exchange-rates.ts'
import { spendApproved } from '../../../test/expenses.ts'
import { differingSums, storeAll } from '../../../test/journal-sums.ts'
import { sell } from '../../../test/sales-documents.ts'
import { asProduct, within } from '../../../test/secrets.ts'
import { member, type Someone } from '../../../test/world.ts'
import { readStoredTax } from './tax/read-stored-tax.ts'
import { readTax } from './tax/read-tax.ts'

beforeAll(storeTestRates)

const period = { from: '2020-01-01', to: '2030-12-31' }
const organization = (amy: Someone) => String(amy.organizationId)

type Line = {
  documentId: string
  kind: string
  type: string
  /** The customer, or the vendor of the expense. */
  party: string
  day: string
  event: string
  account: string
  accountId: string
  minor: number
}

/** The lines of documents in the journal on income, expenses and tax, with the sign of the report. */
const linesOf = (amy: Someone) =>
  within(organization(amy), async (_, connection) => {
    const { rows } = await connection.query(`
      select p.document_id as "documentId", d.kind, d.document_type as type,
        case d.kind when 'SALES' then d.counterparty_id::text else coalesce(x.supplier_id::text, lower(x.vendor)) end as party, p.day::text as day, p.event, p.account, p.account_id as "accountId",
        (case d.kind when 'SALES' then -1 else 1 end * p.home_minor)::float8 as minor
      from placed_lines('-infinity', '00000000-0000-0000-0000-000000000000', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff') p
      join documents d on d.id = p.document_id and d.kind in ('SALES', 'EXPENSE')
      left join expenses x on x.id = coalesce(d.source_document_id, d.id)
      where p.account in ('REVENUE', 'EXPENSES', 'TAX') and p.event <> 'STOCK'`)
    return rows as Line[]
  })

/** `key net tax count ids` of each group of the journal's lines. */
function groupsOf(lines: readonly Line[], keyOf: (line: Line) => string) {
  const keys = [...new Set(lines.map(keyOf))].toSorted()
  return keys.map((key) => {
    const own = lines.filter((line) => keyOf(line) === key)
    const sum = (isTax: boolean) =>
      own.filter(({ account }) => (account === 'TAX') === isTax).reduce((all, { minor }) => all + minor, 0)
    const ids = [...new Set(own.map(({ documentId }) => documentId))].toSorted()
    return { key, net: sum(false), tax: sum(true), count: ids.length, documentIds: ids }
  })
}

type Row = { key: string | null; net: number; tax: number; count: number; documentIds: string[] }

const minor = (amount: number) => Math.round(amount * 100)
const shown = (rows: readonly Row[]) =>
  rows
    .map(({ key, net, tax, count, documentIds }) => ({
      key,
      net: minor(net),
      tax: minor(tax),
      count,
      documentIds,
    }))
    .toSorted((one, other) => String(one.key).localeCompare(String(other.key), 'en'))

/** Compares the reports with the journal. By account the tax is divided, so only the net amounts are compared. */
async function expectExact(amy: Someone) {
  const all = await linesOf(amy)
  for (const [name, kind] of [
    ['reports_income', 'SALES'],
    ['reports_expenses', 'EXPENSE'],
  ] as const) {
    const lines = all.filter((line) => line.kind === kind)
    const report = async (groupBy: 'month' | 'type' | 'account' | 'customer' | 'vendor') =>
      shown((await amy.call(name, { organizationId: organization(amy), ...period, groupBy, limit: 1_000 })).rows)
    expect(await report('month')).toEqual(groupsOf(lines, ({ day }) => day.slice(0, 7)))
    expect(await report('type')).toEqual(groupsOf(lines, ({ type }) => type))
    expect(await report(kind === 'SALES' ? 'customer' : 'vendor')).toEqual(groupsOf(lines, ({ party }) => party))
    const net = lines.filter(({ account }) => account !== 'TAX')
    expect((await report('account')).map(({ key, net: own, count }) => [key, own, count])).toEqual(
      groupsOf(net, ({ accountId }) => accountId).map(({ key, net: own, count }) => [key, own, count]),
    )
  }
  const tax = await within(organization(amy), async (db) => {
    const asked = { ...period, home: 'SGD', currency: 'SGD', rates: [9, 8, 7] }
    return { stored: await readStoredTax(db, asked), computed: (await readTax(db, asked)) ?? [] }
  })
  const order = (sums: typeof tax.computed) =>
    sums
      .map((sum) => ({ group: JSON.stringify([sum.month, sum.side, sum.rate, sum.category]), ...sum }))
      .toSorted((one, other) => one.group.localeCompare(other.group))
  expect(order(tax.stored)).toEqual(order(tax.computed))
  expect(await differingSums(organization(amy))).toEqual([])
}

/** A number below `most` that is the same in every run. */
const chooser = (seed: number) => {
  let state = seed
  return (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * most)
  }
}

const item = (id: string, amount: number, more = {}) => ({
  id,
  description: 'Work',
  quantity: 1,
  unitPrice: amount,
  amount,
  ...more,
})

test('reports on income, expenses and tax show the journal, whatever changes after it was stored', async () => {
  const amy = await member('OWNER')
  const organizationId = organization(amy)
  await amy.call('organizations_update', { id: organizationId, taxNumber: 'M90000000X' })
  const { id: globex } = await amy.call('customers_create', { organizationId, name: 'Globex', country: 'SG' })
  const { id: initech } = await amy.call('customers_create', { organizationId, name: 'Initech', country: 'SG' })
  const { categories } = await amy.call('expense_categories_list', { organizationId })
  const choose = chooser(7)
  const categoryId = () => String(categories[choose(categories.length)]?.id)
  const day = () => `2026-0${1 + choose(4)}-${String(1 + choose(28)).padStart(2, '0')}`
  let issueDate = '2026-01-02' // numbers are in the order of days
  const issue = (more = {}) => {
    issueDate = addDays(issueDate, choose(4))
    return sell(amy, { customerId: choose(2) ? globex : initech, status: 'SENT', issueDate, ...more })
  }
  const mixed = () => ({
    items: [item('1', 30.33, { taxRate: 9 }), item('2', 69.67, { taxRate: 0, taxCategory: 'ZR' })],
    ...{ subtotal: 100, taxAmount: 2.73, total: 102.73 },
  })
  const splits = () => [
    { categoryId: categoryId(), amount: 43.6, taxAmount: 3.6 },
    { categoryId: categoryId(), amount: 65.4, taxAmount: 5.4 },
  ]
  const bill = (more = {}) =>
    spendApproved(amy, {
      amount: 109,
      taxAmount: 9,
      vendor: choose(2) ? 'Acme' : 'Bolt',
      date: day(),
      categoryId: categoryId(),
      ...more,
    })
  const steps: (() => Promise<unknown>)[] = [
    () => issue(),
    () => issue(mixed()),
    () => issue({ currency: 'USD' }),
    () => bill({ taxRate: 9 }),
    () => bill(), // its rate is found
    () => bill({ splits: splits(), taxAmount: undefined, categoryId: undefined }),
    async () => amy.call('expenses_credits', { id: (await bill()).id, amount: 54.5, date: day().replace(/^2026-0./, '2026-05') }),
    async () => amy.call('invoices_memos', { id: (await issue(mixed())).id, kind: 'CREDIT' }),
    async () => amy.call('invoices_cancel', { id: (await issue({ documentType: 'PAYMENT_REQUEST' })).id }),
    async () => {
      const { id } = await issue({ currency: 'USD' })
      const payment = await amy.call('invoices_payments', { id, amount: 50, paidAt: issueDate })
      return amy.call('invoices_payments_void', { id: payment.id })
    },
    async () => amy.call('expenses_status', { id: (await bill()).id, status: 'PENDING_REVIEW' }),
    async () => asProduct('update expenses set category_id = $2 where id = $1', [(await bill()).id, categoryId()]),
  ] // biome-ignore format: a list
  const inOrder = [...steps, ...Array.from({ length: 12 }, () => steps[choose(steps.length)])]
  for (const [index, step] of inOrder.entries()) {
    await step?.()
    if (index % 5 === 4) await expectExact(amy) // some days are stored, others only marked
  }
  const mapping = { code: '215', name: 'Abroad', type: 'INCOME', taxCategories: ['ZR'], mappedFrom: '2020-01-01' }
  await amy.call('reports_account_create', { organizationId, ...mapping } as never)
  await expectExact(amy)
  const { id } = await issue({ documentType: 'PAYMENT_REQUEST' })
  await amy.call('invoices_convert', { id, documentType: 'INVOICE' }) // dated today
  await expectExact(amy)
  await amy.call('settings_update', { id: organizationId, lockedUntil: '2026-02-28' } as never)
  await bill({ date: '2026-04-30' })
  expect(await differingSums(organizationId)).toEqual([]) // before anything is stored again
  await storeAll(organizationId, 4)
  await expectExact(amy)
}, 240_000)
