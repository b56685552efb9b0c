import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, today } from '../../../../core/values/day.ts'
import { friday, monday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { spend, spendApproved } from '../../../../test/expenses.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { violations } from '../../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import type { Aging } from './aging.ts'

beforeAll(storeTestRates)

const asked = (amy: Someone, asOf?: string) => ({ organizationId: String(amy.organizationId), ...(asOf && { asOf }) })
const receivables = (amy: Someone, asOf?: string) => amy.call('reports_receivables_aging', asked(amy, asOf))
const payables = (amy: Someone, asOf?: string) => amy.call('reports_payables_aging', asked(amy, asOf))

/** The amounts of the buckets, the total, the credits and the balance. */
const figures = ({ totals: { buckets, total, credits, balance } }: Aging) => [
  ...Object.values(buckets).map(({ amount }) => amount),
  ...[total, credits.amount, balance],
]

/** The balance of the journal on an account with this purpose at the end of a day, in the main currency. */
async function booked(amy: Someone, purpose: string, asOf: string): Promise<number> {
  const { accounts } = await amy.call('reports_accounts', { organizationId: String(amy.organizationId) })
  const account = String(accounts.find((each) => each.purpose === purpose)?.code)
  const period = { organizationId: String(amy.organizationId), from: '2000-01-01', to: asOf, account, limit: 1_000 }
  const { totals } = await amy.call('reports_journal', period)
  return Math.round((totals.debit - totals.credit) * 100) / 100
}

/** The report equals the journal on that day. */
async function expectReconciled(amy: Someone, asOf: string) {
  const [owed, owing] = [await receivables(amy, asOf), await payables(amy, asOf)]
  expect(owed.totals.total).toBe(await booked(amy, 'RECEIVABLES', asOf))
  expect(owed.totals.credits.amount + 0).toBe(0 - (await booked(amy, 'CUSTOMER_CREDITS', asOf)) + 0)
  expect(owing.totals.total + 0).toBe(0 - (await booked(amy, 'PAYABLES', asOf)) + 0)
  expect(owing.totals.credits.amount).toBe(await booked(amy, 'SUPPLIER_ADVANCES', asOf))
}

const reconciles = async () =>
  expect((await violations({ files: true })).filter(({ id }) => id === 'REPORTS')).toEqual([])

describe('receivables', () => {
  test('fall into buckets by due date, or issue date, with the documents behind each', async () => {
    const amy = await member('MANAGER')
    const day = '2026-06-30'
    const { id: current, customerId } = await sell(amy, { status: 'SENT', issueDate: '2026-01-01', dueDate: day })
    const due = (dueDate: string | undefined, issueDate = '2026-01-02') =>
      sell(amy, { customerId, status: 'SENT', issueDate, ...(dueDate && { dueDate }) })
    const late = [
      addDays(day, -1),
      addDays(day, -30),
      addDays(day, -31),
      addDays(day, -60),
      addDays(day, -61),
      addDays(day, -90),
      addDays(day, -91),
    ]
    const ids: string[] = []
    for (const dueDate of late) ids.push((await due(dueDate)).id)
    const undated = await due(undefined, '2026-06-29')
    await sell(amy, { customerId, status: 'DRAFT', issueDate: '2026-01-01', dueDate: day })
    const report = await receivables(amy, day)
    expect(figures(report)).toEqual([109, 327, 218, 218, 109, 981, 0, 981])
    expect(report.counterparties).toHaveLength(1)
    const [row] = report.counterparties
    expect(row).toMatchObject({ counterpartyId: customerId, name: 'Globex', total: 981 })
    expect(row?.buckets.current).toEqual({ amount: 109, count: 1, documentIds: [current] })
    expect(row?.buckets.days1To30.documentIds).toEqual([ids[1], ids[0], undated.id].toSorted(byDue(ids, undated.id)))
    expect(row?.buckets.over90).toEqual({ amount: 109, count: 1, documentIds: [ids[6]] })
    expect(report).toMatchObject({ asOf: day, currency: 'SGD', fxIncomplete: false, pagination: { total: 1 } })
    await expectReconciled(amy, day)
  })

  test('of a past day show what was issued, paid, credited and voided up to it', async () => {
    const amy = await member('MANAGER')
    const { id, customerId } = await sell(amy, { status: 'SENT', issueDate: '2026-01-10', dueDate: '2026-02-10' })
    await amy.call('invoices_payments', { id, amount: 50, paidAt: '2026-02-15' })
    const other = await sell(amy, { customerId, status: 'SENT', issueDate: '2026-03-01', dueDate: '2026-03-31' })
    await amy.call('invoices_payments', { id: other.id, amount: 109, paidAt: '2026-03-20' })
    for (const [day, total] of [
      ['2026-01-09', 0],
      ['2026-01-10', 109],
      ['2026-02-14', 109],
      ['2026-02-15', 59],
      ['2026-03-01', 168],
      ['2026-03-19', 168],
      ['2026-03-20', 59],
    ] as const) {
      expect([day, (await receivables(amy, day)).totals.total]).toEqual([day, total])
      await expectReconciled(amy, day)
    }
    const { totals } = await receivables(amy, '2026-03-19')
    expect(totals.buckets.days31To60).toMatchObject({ amount: 59, documentIds: [id] })
    expect(totals.buckets.current).toMatchObject({ amount: 109, documentIds: [other.id] })
  })

  test('a voided payment, a credit memo and a dispute', async () => {
    const amy = await member('MANAGER')
    const { id } = await sell(amy, { status: 'SENT' })
    const payment = await amy.call('invoices_payments', { id, amount: 40, paidAt: today(new Date(), 'UTC') })
    expect((await receivables(amy)).totals.total).toBe(69)
    await amy.call('invoices_payments_void', { id: payment.id })
    expect((await receivables(amy)).totals.total).toBe(109)
    const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: 50, amount: 50 }]
    await amy.call('invoices_memos', { id, kind: 'CREDIT', items })
    expect(figures(await receivables(amy)).slice(5)).toEqual([54.5, 0, 54.5])
    await amy.call('invoices_events_post', { id, type: 'DISPUTED' })
    expect((await receivables(amy)).totals).toMatchObject({ total: 54.5, disputed: 54.5 })
    await reconciles()
  })

  test('an unallocated payment and the credit of a memo are shown apart, and a refund takes them away', async () => {
    const amy = await member('MANAGER')
    const organizationId = String(amy.organizationId)
    const { id, customerId } = await sell(amy, { status: 'SENT', issueDate: '2026-01-10' })
    await amy.call('invoices_payments', { id, amount: 109, paidAt: '2026-01-20' })
    const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT' })
    const money = { organizationId, customerId: String(customerId), amount: 30, currency: 'SGD', paidAt: '2026-01-25' }
    const payment = await amy.call('invoices_payments_create', money)
    const report = await receivables(amy)
    expect(figures(report).slice(5)).toEqual([0, 139, -139])
    expect(report.counterparties[0]?.credits).toEqual({
      amount: 139,
      count: 2,
      paymentIds: [payment.id],
      creditMemoIds: [memo.id],
    })
    await amy.call('invoices_payments_refund', { id: payment.id, paidAt: '2026-01-26' })
    expect((await receivables(amy)).totals.credits.amount).toBe(109)
    expect((await receivables(amy, '2026-01-25')).totals.credits.amount).toBe(30)
    await expectReconciled(amy, '2026-01-25')
    await reconciles()
  })

  test('an opening balance and entries by hand are rows of their own, so that the total is that of the account', async () => {
    const amy = await member('MANAGER')
    const organizationId = String(amy.organizationId)
    const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-01-10', dueDate: '2026-01-10' })
    const { accounts } = await amy.call('reports_accounts', { organizationId })
    const idOf = (purpose: string) => String(accounts.find((each) => each.purpose === purpose)?.id)
    const entry = (kind: 'OPENING' | 'MANUAL', date: string, lines: [string, number][]) =>
      amy.call('reports_journal_entry_create', {
        organizationId,
        kind,
        date,
        description: 'Brought forward',
        lines: lines.map(([purpose, amount]) => ({
          accountId: idOf(purpose),
          ...(amount > 0 ? { debit: amount } : { credit: -amount }),
        })),
      })
    const opening = await entry('OPENING', '2025-12-31', [
      ['RECEIVABLES', 500],
      ['CUSTOMER_CREDITS', -20],
      ['PAYABLES', -70],
      ['OPENING_BALANCES', -410],
    ])
    const wrong = await entry('MANUAL', '2026-01-30', [
      ['RECEIVABLES', 9],
      ['OPENING_BALANCES', -9],
    ])
    const report = await receivables(amy, '2026-01-31')
    expect(figures(report)).toEqual([0, 118, 500, 0, 0, 618, 20, 598])
    expect(report.counterparties.map(({ counterpartyId, name, entries, total }) => [counterpartyId !== null, name, entries, total])).toEqual([
      [false, 'Opening balance', 'OPENING', 500],
      [true, 'Globex', undefined, 109],
      [false, 'Journal entries', 'MANUAL', 9],
    ]) // biome-ignore format: a table
    expect(report.counterparties[0]?.buckets.days31To60).toEqual({
      amount: 500,
      count: 1,
      documentIds: [],
      entryIds: [opening.id],
    })
    expect(report.totals.buckets.days1To30).toEqual({ amount: 118, count: 2, documentIds: [id], entryIds: [wrong.id] })
    expect(figures(await payables(amy, '2026-01-31'))).toEqual([0, 0, 70, 0, 0, 70, 0, 70])
    await expectReconciled(amy, '2026-01-31')
    await amy.call('reports_journal_entry_reverse', { id: opening.id })
    expect((await receivables(amy, '2026-01-31')).totals).toMatchObject({ total: 118, credits: { amount: 0 } })
    await reconciles()
  })

  test('a payment that is voided stays voided on that day when the time zone changes', async () => {
    const amy = await member('OWNER')
    const organizationId = String(amy.organizationId)
    const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-01-10' })
    const payment = await amy.call('invoices_payments', { id, amount: 40, paidAt: '2026-01-20' })
    await amy.call('invoices_payments_void', { id: payment.id })
    const { system } = theApp()
    const stored = await system.raw.query<{ day: string }>(
      'select voided_on::text as day from payments where id = $1',
      [payment.id],
    )
    const day = String(stored.rows[0]?.day)
    for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      await amy.call('organizations_update', { id: organizationId, timezone })
      for (const asOf of [addDays(day, -2), addDays(day, -1), day, addDays(day, 1)]) await expectReconciled(amy, asOf)
    }
    await reconciles()
  })

  test('in a foreign currency count at the fixed rate of the document', async () => {
    const amy = await member('MANAGER', { country: 'IL' })
    const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
    await amy.call('invoices_payments', { id, amount: 33.37, paidAt: monday })
    expect((await receivables(amy, friday)).totals.total).toBe(404.38) // 109 × 3.70993783057
    expect((await receivables(amy, monday)).totals.total).toBe(280.58) // 404.38 − 123.80 (33.37 × 3.70993783057)
    await expectReconciled(amy, monday)
  })

  test('without a known rate count at face value, with a warning', async () => {
    const amy = await member('MANAGER')
    await sell(amy, {
      status: 'SENT',
      currency: 'XAF',
      issueDate: '2026-01-10',
      items: [{ id: '1', description: 'x', quantity: 1, unitPrice: 100, amount: 100 }],
      subtotal: 100,
      taxRate: 0,
      taxAmount: 0,
      total: 100,
    })
    const report = await receivables(amy, '2026-01-31')
    expect(report).toMatchObject({ fxIncomplete: true, warnings: [{ code: 'EXCHANGE_RATE_MISSING' }] })
    await expectReconciled(amy, '2026-01-31')
  })

  test('of an empty organization are zero', async () => {
    const amy = await member('VIEWER')
    const report = await receivables(amy)
    expect(figures(report)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(report.counterparties).toEqual([])
  })

  test('come as a file too, from right to left in Hebrew', async () => {
    const amy = await member('MANAGER', { country: 'IL' })
    const { id } = await amy.call('customers_create', {
      organizationId: String(amy.organizationId),
      name: 'קפה "גן"',
      country: 'IL',
    })
    await sell(amy, { customerId: id, status: 'SENT', currency: 'ILS', issueDate: '2026-01-10', dueDate: '2026-01-10' })
    const asFile = (format: string) =>
      reportFileOf(amy, 'reports_receivables_aging', { ...asked(amy, '2026-01-31'), format })
    const csv = (await asFile('csv')).text
    expect(csv).toContain(`"${id}","קפה ""גן""","ILS",0,109,0,0,0,109,0,0,109`)
    const xlsx = (await asFile('xlsx')).text
    expect(xlsx.startsWith('PK')).toBe(true)
  })
})

describe('payables', () => {
  test('are by supplier or vendor, with advances apart; drafts are not owed', async () => {
    const amy = await member('OWNER')
    const { id: acme } = await amy.call('customers_create', {
      organizationId: String(amy.organizationId),
      name: 'Acme',
      country: 'SG',
    })
    const first = await spendApproved(amy, { vendor: 'Acme', amount: 80, date: '2026-01-10', dueDate: '2026-02-10' })
    await spendApproved(amy, { vendor: 'Corner Shop', amount: 20, date: '2026-01-15' })
    const draft = await spend(amy, { vendor: 'Acme', amount: 500, date: '2026-01-15' })
    await amy.call('expenses_payments', { id: first.id, amount: 30, paidAt: '2026-01-20' })
    await amy.call('expenses_payments', { id: draft.id, amount: 100, paidAt: '2026-01-20' })
    const report = await payables(amy, '2026-01-31')
    expect(figures(report)).toEqual([50, 20, 0, 0, 0, 70, 100, -30])
    expect(report.counterparties.map(({ counterpartyId, name, total }) => [counterpartyId, name, total])).toEqual([
      [acme, 'Acme', 50],
      [null, 'Corner Shop', 20],
    ])
    await expectReconciled(amy, '2026-01-31')
    await expectReconciled(amy, '2026-01-15')
    await reconciles()
  })
})

describe('both', () => {
  test('show on any day, party by party, what is open of each document', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    for (const [at, currency] of ['ILS', 'USD', 'JPY', 'XAF', 'ILS'].entries()) {
      const terms = {
        currency,
        status: 'SENT',
        issueDate: addDays('2026-01-01', at * 25),
        dueDate: addDays('2026-02-01', at * 31),
      } as const
      const { id, customerId } = await sell(amy, terms)
      await sell(amy, { ...terms, customerId })
      if (at % 2 === 0) await amy.call('invoices_payments', { id, amount: 7 + at, paidAt: addDays('2026-03-01', at) })
      const { id: bill } = await spendApproved(amy, {
        vendor: `Vendor ${at % 3}`,
        currency,
        amount: 50 + at,
        date: terms.issueDate,
      })
      if (at % 2 === 1) await amy.call('expenses_payments', { id: bill, amount: 11, paidAt: addDays('2026-03-01', at) })
    }
    for (const [kind, read] of [
      ['SALES', receivables],
      ['EXPENSE', payables],
    ] as const)
      for (const day of ['2025-12-31', '2026-01-31', '2026-03-02', '2026-04-15', '2026-07-01']) {
        const report = await read(amy, day)
        const shown = report.counterparties.flatMap(({ buckets }) =>
          Object.entries(buckets).flatMap(([name, { amount, count, documentIds }]) =>
            count > 0 ? [`${name} ${amount} ${documentIds.join()}`] : [],
          ),
        )
        expect([kind, day, shown.toSorted()]).toEqual([kind, day, await openByParty(amy, kind, day)])
        const all = Object.values(report.totals.buckets).flatMap(({ documentIds }) => documentIds)
        expect(all.toSorted()).toEqual(
          report.counterparties
            .flatMap(({ buckets }) => Object.values(buckets).flatMap(({ documentIds }) => documentIds))
            .toSorted(),
        )
      }
    await reconciles()
  })
})

/** The open balances of each party and bucket, one by one as `open_balances()` has them: the bucket, the amount and the documents. */
async function openByParty(amy: Someone, kind: 'SALES' | 'EXPENSE', day: string): Promise<string[]> {
  const { rows } = await theApp().system.raw.query<{ shown: string }>(
    `select (array['current', 'days1To30', 'days31To60', 'days61To90', 'over90'])[bucket_of(b.due, $2) + 1] || ' ' || trim_scale(sum(b.home_minor) / 100.0)
       || ' ' || string_agg(b.document_id::text, ',' order by b.due, b.document_id) as shown
     from open_balances($1, $2) b left join expenses x on x.id = b.document_id
     where b.organization_id = $3 group by coalesce(b.counterparty_id::text, x.vendor), bucket_of(b.due, $2)`,
    [kind, day, amy.organizationId],
  )
  return rows.map(({ shown }) => shown).toSorted()
}

/** Sorts ids of documents by due date, and by id on the same day. */
const byDue = (ids: readonly string[], undated: string) => (one: string | undefined, other: string | undefined) => {
  const due = (id: string | undefined) => (id === undated || id === ids[0] ? 1 : 0)
  return due(one) - due(other) || String(one).localeCompare(String(other))
}
