import { beforeAll, expect, test } from 'vitest'
import { friday, monday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spendApproved } from '../../../../test/expenses.ts'
import { differingSums, storeAll, storedSums } from '../../../../test/journal-sums.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { asProduct, within } from '../../../../test/secrets.ts'
import { member, type Someone } from '../../../../test/world.ts'

beforeAll(storeTestRates)

const organization = (someone: Someone) => String(someone.organizationId)

/** Does something after all sums were stored, and compares what reports read with the journal, before and after storing again. */
async function stays(someone: Someone, work: () => Promise<unknown>) {
  await storeAll(organization(someone))
  expect((await storedSums(organization(someone))).marked).toBe(0)
  await work()
  const { marked } = await storedSums(organization(someone))
  expect(await differingSums(organization(someone))).toEqual([])
  await storeAll(organization(someone))
  expect(await differingSums(organization(someone))).toEqual([])
  return marked
}

test('sums that were never stored are computed', async () => {
  const amy = await member('MANAGER')
  await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
  expect(await storedSums(organization(amy))).toMatchObject({ sums: 0 })
  expect(await differingSums(organization(amy))).toEqual([])
  await storeAll(organization(amy))
  expect(await storedSums(organization(amy))).toEqual({ sums: 3, marked: 0 })
})

test('documents, payments, voids and refunds change the sums of their days', async () => {
  const amy = await member('MANAGER', { country: 'IL' })
  const usd = { currency: 'USD', status: 'SENT', issueDate: friday }
  const first = await sell(amy, { ...usd })
  expect(await stays(amy, () => sell(amy, { ...usd, customerId: first.customerId }))).toBe(1)
  const draft = await sell(amy, { ...usd, status: 'DRAFT', customerId: first.customerId })
  expect(await stays(amy, async () => sell(amy, { ...usd, status: 'DRAFT' }))).toBe(0)
  await stays(amy, () => amy.call('invoices_update', { id: draft.id, status: 'SENT' }))
  for (const [amount, paidAt] of [
    [33.37, monday],
    [0.13, friday],
    [12.5, monday],
  ] as const)
    await stays(amy, () => amy.call('invoices_payments', { id: first.id, amount, paidAt }))
  const { payments } = await amy.call('invoices_payments_list', { organizationId: organization(amy) })
  await stays(amy, () => amy.call('invoices_payments_void', { id: String(payments[0]?.id) }))
  await stays(amy, () => amy.call('invoices_payments', { id: draft.id, amount: 109, paidAt: monday }))
  await stays(amy, () => amy.call('invoices_memos', { id: draft.id, kind: 'CREDIT' }))
  const memo = (await amy.call('invoices_payments_list', { organizationId: organization(amy) })).payments.find(
    ({ source }) => source === 'CREDIT_MEMO',
  )
  if (memo) await stays(amy, () => amy.call('invoices_payments_refund', { id: memo.id, amount: 50, paidAt: monday }))
  expect(memo).toBeDefined()
})

test('requests that are paid, converted and cancelled change the sums of their days', async () => {
  const amy = await member('MANAGER')
  const request = { documentType: 'PAYMENT_REQUEST', status: 'SENT', issueDate: '2026-03-05' }
  const [one, other] = [await sell(amy, request), await sell(amy, request)]
  await stays(amy, () => amy.call('invoices_payments', { id: one.id, amount: 50, paidAt: '2026-03-06' }))
  await stays(amy, () => amy.call('invoices_convert', { id: one.id, documentType: 'INVOICE' }))
  await stays(amy, () => amy.call('invoices_cancel', { id: other.id }))
})

test('expenses, their categories and splits change the sums of their days', async () => {
  const amy = await member('MANAGER')
  const { categories } = await amy.call('expense_categories_list', { organizationId: organization(amy) })
  const [first, second] = categories.map(({ id }) => id)
  const { id } = await spendApproved(amy, { categoryId: first })
  await stays(amy, () => spendApproved(amy, { categoryId: first, date: '2026-02-01' }))
  await stays(amy, () => amy.call('expenses_payments', { id, amount: 40, paidAt: '2026-02-03' }))
  const moved = await stays(amy, () => asProduct('update expenses set category_id = $2 where id = $1', [id, second]))
  expect(moved).toBe(2) // its day and that of its payment
})

test('entries, accounts, the time zone and the main currency change the sums', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
  const { accounts } = await amy.call('reports_accounts')
  const lines = [
    { accountId: String(accounts.find(({ code }) => code === '429')?.id), debit: 5 },
    { accountId: String(accounts.find(({ code }) => code === '260')?.id), credit: 5 },
  ]
  await stays(amy, () =>
    amy.call('reports_journal_entry_create', { date: '2026-01-02', description: 'Correction', lines }),
  )
  await stays(amy, () =>
    amy.call('reports_account_create', {
      code: '205',
      name: 'Services',
      type: 'INCOME',
      taxCategories: ['SR'],
      mappedFrom: '2026-01-01',
    }),
  )
  const payment = await amy.call('invoices_payments', { id, amount: 109, paidAt: '2026-03-06' })
  await amy.call('invoices_payments_void', { id: payment.id })
  await stays(amy, () => amy.call('organizations_update', { id: organization(amy), timezone: 'Pacific/Kiritimati' }))
  await stays(amy, () => amy.call('organizations_update', { id: organization(amy), currency: 'USD' }))
  await stays(amy, () => sell(amy, { status: 'SENT' }))
})

test('the sums of a long journal are stored in parts', async () => {
  const amy = await member('MANAGER')
  for (const day of ['2026-01-05', '2026-01-06', '2026-02-01', '2026-02-02'])
    await sell(amy, { status: 'PAID', issueDate: day })
  const part = () =>
    within(
      organization(amy),
      async (_, connection) => (await connection.query("select store_journal_sums('4') as state")).rows[0],
    )
  expect(await part()).toEqual({ state: 'MORE' })
  await spendApproved(amy, { date: '2026-01-06' })
  expect(await differingSums(organization(amy))).toEqual([])
  await part()
  expect(await differingSums(organization(amy))).toEqual([])
  await storeAll(organization(amy), 4)
  expect(await differingSums(organization(amy))).toEqual([])
  expect((await storedSums(organization(amy))).marked).toBe(0)
})

test('a new version of the functions of the journal computes all sums anew', async () => {
  const amy = await member('MANAGER')
  await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
  await storeAll(organization(amy))
  await asProduct("update journal_sums_state set version = 'before'; update journal_sums set debit_minor = 7")
  expect(await differingSums(organization(amy))).toEqual([])
  await storeAll(organization(amy))
  expect(await differingSums(organization(amy))).toEqual([])
})

test('readers see the journal of their moment while others write and store', async () => {
  const amy = await member('MANAGER')
  const first = await sell(amy, { status: 'SENT', issueDate: '2026-03-01' })
  let isWriting = true
  const write = async (worker: number) => {
    for (let n = 0; n < 8; n++) {
      const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-03-01', customerId: first.customerId })
      const paidAt = `2026-03-0${1 + ((n + worker) % 5)}`
      const { id: paid } = await amy.call('invoices_payments', { id, amount: 50 + n, paidAt })
      if (n % 3 === 0) await amy.call('invoices_payments_void', { id: paid })
    }
  }
  const store = async () => {
    while (isWriting) await storeAll(organization(amy))
  }
  const differences: string[] = []
  const check = async () => {
    while (isWriting) differences.push(...(await differingSums(organization(amy))))
  }
  const readers = [store(), store(), check(), check()]
  await Promise.all([write(0), write(1), write(2)]).finally(() => {
    isWriting = false
  })
  await Promise.all(readers)
  expect(differences).toEqual([])
  await storeAll(organization(amy))
  expect(await differingSums(organization(amy))).toEqual([])
})

test('a deleted organization leaves no sums', async () => {
  const amy = await member('OWNER')
  await storeAll(organization(amy))
  await asProduct('delete from organizations where id = $1', [organization(amy)])
  const left = await asProduct(
    `select 1 from journal_marks where organization_id = $1 union all select 1 from journal_sums_state where organization_id = $1
     union all select 1 from journal_sums where organization_id = $1 union all select 1 from journal_results where organization_id = $1
     union all select 1 from journal_results_by_day where organization_id = $1 union all select 1 from journal_taxes_by_day where organization_id = $1`,
    [organization(amy)],
  )
  expect(left).toEqual([])
})

test('movements of stock and expenses that are no longer approved change the sums of their days', async () => {
  const amy = await member('MANAGER')
  const { id } = await spendApproved(amy, { date: '2026-02-01' })
  await stays(amy, () => amy.call('expenses_status', { id, status: 'PENDING_REVIEW' }))
  await asProduct(
    `insert into items (organization_id, id, name, kind, sale_currency, purchase_currency, tracked) values ($1, $1, 'Bolt', 'GOODS', 'SGD', 'SGD', true)`,
    [organization(amy)],
  )
  const move = (quantity: number, date: string) =>
    within(organization(amy), (_, connection) =>
      connection.query(
        `insert into stock_movements (item_id, kind, quantity, date, given_cost, reason, source)
         values ('${organization(amy)}', '${quantity > 0 ? 'IN' : 'OUT'}', ${quantity}, '${date}', ${quantity > 0 ? 2 : 'null'}, 'Count', 'MANUAL')`,
      ),
    )
  expect(await stays(amy, () => move(10, '2026-02-02'))).toBe(1)
  expect(await stays(amy, () => move(-3, '2026-02-03'))).toBeGreaterThan(0)
})
