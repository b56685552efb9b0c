import '../../../test/own-world.ts'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { csvRow } from '../../../core/files/csv.ts'
import { addDays, today } from '../../../core/values/day.ts'
import { asSuperuser } from '../../../test/database.ts'
import { friday, monday, storeTestRates } from '../../../test/exchange-rates.ts'
import { sell } from '../../../test/sales-documents.ts'
import { within } from '../../../test/secrets.ts'
import { member, type Someone, send, theApp, theDatabase } from '../../../test/world.ts'
import { verify } from '../../../verify/verify.ts'
import { storeRates } from '../exchange-rates/store.ts'
import { type Journal, toLine } from './journal.ts'
import { readPage } from './read-journal.ts'

beforeAll(storeTestRates)

const israeli = () => member('MANAGER', { country: 'IL' })
const period = (amy: Someone, more: Record<string, unknown> = {}) =>
  amy.call('reports_journal', {
    organizationId: String(amy.organizationId),
    from: '2023-01-01',
    to: '2029-12-31',
    ...more,
  })

/** `day event code debit or -credit (original currency amount)`, in the order of the journal. */
const lines = ({ entries }: Journal) =>
  entries.map(
    ({ date, event, accountCode, debit, credit, currency, originalDebit, originalCredit }) =>
      `${date} ${event} ${accountCode} ${money(debit - credit)} ${currency} ${money(originalDebit - originalCredit)}`,
  )
const money = (amount: number) => (Math.round(amount * 100) / 100).toFixed(2)

/** The balances of accounts by code. */
const balances = ({ entries }: Journal) => {
  const sums: Record<string, number> = {}
  for (const { accountCode, debit, credit } of entries)
    sums[String(accountCode)] = Math.round(((sums[String(accountCode)] ?? 0) + debit - credit) * 100) / 100
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

test('a document and its payment in the home currency are booked to the chart', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
  const payment = await amy.call('invoices_payments', { id, amount: 109, paidAt: '2026-04-01' })
  const journal = await period(amy)
  expect(lines(journal)).toEqual([
    '2026-03-05 ISSUED 610 109.00 SGD 109.00',
    '2026-03-05 ISSUED 200 -100.00 SGD -100.00',
    '2026-03-05 ISSUED 820 -9.00 SGD -9.00',
    '2026-04-01 PAID 600 109.00 SGD 109.00',
    '2026-04-01 PAID 805 -109.00 SGD -109.00',
    '2026-04-01 ALLOCATED 805 109.00 SGD 109.00',
    '2026-04-01 ALLOCATED 610 -109.00 SGD -109.00',
  ])
  expect(journal).toMatchObject({ currency: 'SGD', totals: { debit: 327, credit: 327 }, pagination: { total: 7 } })
  expect(journal.warnings).toBeUndefined()
  expect(journal.entries[0]).toMatchObject({
    documentId: id,
    paymentId: null,
    entryId: null,
    number: '1',
    description: 'Invoice 1, Globex',
    accountName: 'Accounts receivable',
    accountNameHe: 'לקוחות',
    exchangeRate: 1,
    homeCurrency: 'SGD',
  })
  expect(journal.entries[3]).toMatchObject({
    documentId: null,
    paymentId: payment.id,
    number: null,
    description: 'Payment, Globex',
  })
  expect(journal.entries[5]).toMatchObject({
    documentId: id,
    paymentId: payment.id,
    description: 'Payment of Invoice 1, Globex',
  })
})

test('a payment at another rate than its document books the exchange difference', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
  await amy.call('invoices_payments', { id, amount: 109, paidAt: monday })
  const journal = await period(amy)
  expect(lines(journal)).toEqual([
    `${friday} ISSUED 1100 404.38 USD 109.00`, // 109 × 3.70993783057
    `${friday} ISSUED 4000 -370.99 USD -100.00`,
    `${friday} ISSUED 2200 -33.39 USD -9.00`,
    `${monday} PAID 1000 405.25 USD 109.00`, // 109 × 3.71785813889
    `${monday} PAID 2100 -405.25 USD -109.00`,
    `${monday} ALLOCATED 2100 405.25 USD 109.00`,
    `${monday} ALLOCATED 1100 -404.38 USD -109.00`,
    `${monday} ALLOCATED 7100 -0.87 USD 0.00`,
  ])
  expect(balances(journal)).toEqual({ 1000: 405.25, 2200: -33.39, 4000: -370.99, 7100: -0.87 })
  expect(journal.totals.debit).toBe(journal.totals.credit)
  expect(journal.entries.map(({ exchangeRate }) => exchangeRate)).toEqual([
    3.70993783057, 3.70993783057, 3.70993783057, 3.71785813889, 3.71785813889, 3.71785813889, 3.71785813889,
    3.71785813889,
  ])
})

test('what rounding leaves in the total of a document is booked to its own account, and not to sales', async () => {
  const amy = await israeli()
  const document = await sell(amy, { status: 'SENT', currency: 'ILS', issueDate: friday, total: 109.01 })
  await amy.call('invoices_memos', { id: document.id, kind: 'CREDIT' })
  const issued = async () => lines(await period(amy)).filter((line) => line.includes('ISSUED'))
  const expected = [
    `${friday} ISSUED 1100 109.01 ILS 109.01`,
    `${friday} ISSUED 4000 -100.00 ILS -100.00`,
    `${friday} ISSUED 2200 -9.00 ILS -9.00`,
    `${friday} ISSUED 7900 -0.01 ILS -0.01`,
  ]
  expect(await issued()).toEqual(expected)
  const abroad = {
    code: '4015',
    name: 'Abroad',
    type: 'INCOME' as const,
    taxCategories: ['ZR'],
    mappedFrom: '2020-01-01',
  }
  await amy.call('reports_account_create', abroad)
  expect(await issued()).toEqual(expected)
  const { 7900: rounding, 4000: sales } = balances(await period(amy, { to: '2999-01-01' }))
  expect([rounding, sales]).toEqual([undefined, undefined]) // the memo takes both back
})

test('partial payments leave nothing in the receivables when the document is settled', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
  for (const [amount, paidAt] of [
    [0.13, friday],
    [33.37, monday],
    [33.37, friday],
    [42.13, monday],
  ] as const)
    await amy.call('invoices_payments', { id, amount, paidAt })
  const { 1100: receivables, 2100: credits, ...rest } = balances(await period(amy))
  expect([receivables, credits]).toEqual([undefined, undefined])
  expect(rest[4000]).toBe(-370.99)
})

test('what is left of a payment after its last allocation is nothing, and a later one is booked on its own day', async () => {
  const amy = await israeli()
  const items = [{ id: '1', description: 'Part', quantity: 1, unitPrice: 0.07, amount: 0.07 }]
  const small = {
    items,
    subtotal: 0.07,
    taxRate: 0,
    taxAmount: 0,
    total: 0.07,
    currency: 'USD',
    status: 'SENT',
    issueDate: friday,
  }
  const first = await sell(amy, small)
  const same = { ...small, customerId: first.customerId }
  const documents = [first, await sell(amy, same), await sell(amy, same)]
  const organizationId = String(amy.organizationId)
  const payment = await amy.call('invoices_payments_create', {
    organizationId,
    amount: 0.21,
    currency: 'USD',
    paidAt: monday,
  })
  for (const { id } of documents)
    await amy.call('invoices_payments_allocate', { id: payment.id, allocations: [{ documentId: id }] })
  const { 1100: receivables, 2100: credits } = balances(await period(amy))
  expect([receivables, credits]).toEqual([undefined, undefined])
  const early = await period(amy, { to: monday })
  expect(early.entries.filter(({ event }) => event === 'ALLOCATED')).toEqual([])
})

test('a void reverses what was booked, to the minor unit', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
  const before = balances(await period(amy))
  const payment = await amy.call('invoices_payments', { id, amount: 33.37, paidAt: monday })
  await amy.call('invoices_payments_void', { id: payment.id })
  const journal = await period(amy)
  expect(balances(journal)).toEqual(before)
  expect(journal.entries.filter(({ event }) => event === 'PAID_VOIDED')).toHaveLength(2)
  expect(journal.entries.find(({ event }) => event === 'PAID_VOIDED')?.description).toBe('Payment, Globex (reversed)')
  await amy.call('invoices_payments', { id, amount: 109, paidAt: monday })
  expect(balances(await period(amy))[1100]).toBeUndefined()
})

test('a credit memo has the rate of its document and leaves nothing in the receivables', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
  await amy.call('invoices_payments', { id, amount: 50, paidAt: monday })
  const items = [{ id: '1', description: 'Part', quantity: 1, unitPrice: 54.13, amount: 54.13 }]
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items }) // 59.00 with tax
  const { 1100: receivables, 2100: credits, 7100: differences } = balances(await period(amy))
  expect([receivables, credits]).toEqual([undefined, undefined])
  expect(differences).toBe(-0.39) // 185.89 at the rate of the payment, 185.50 at that of the document
})

test('tax withheld by the customer is booked apart from the cash', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
  await amy.call('invoices_payments', { id, amount: 109, withheldAmount: 30.33, paidAt: monday })
  const journal = await period(amy, { from: monday })
  expect(lines(journal)).toEqual([
    `${monday} PAID 1000 292.48 USD 78.67`,
    `${monday} PAID 1320 112.76 USD 30.33`,
    `${monday} PAID 2100 -405.25 USD -109.00`,
    `${monday} PAID 7900 0.01 USD 0.00`, // what rounding leaves
    `${monday} ALLOCATED 2100 405.25 USD 109.00`,
    `${monday} ALLOCATED 1100 -404.38 USD -109.00`,
    `${monday} ALLOCATED 7100 -0.87 USD 0.00`,
  ])
  expect(journal.totals.debit).toBe(journal.totals.credit)
})

test('a refund takes the credit off at the rate of its payment, and the cash at its own', async () => {
  const amy = await israeli()
  const organizationId = String(amy.organizationId)
  const dana = await amy.call('customers_create', { organizationId, name: 'Dana', country: 'US' })
  const money = { organizationId, customerId: dana.id, amount: 100.01, currency: 'USD', paidAt: friday }
  const payment = await amy.call('invoices_payments_create', money)
  const first = await amy.call('invoices_payments_refund', { id: payment.id, amount: 33.37, paidAt: friday })
  await amy.call('invoices_payments_refund', { id: payment.id, paidAt: monday })
  const journal = await period(amy)
  expect(lines(journal)).toEqual([
    `${friday} PAID 1000 371.03 USD 100.01`,
    `${friday} PAID 2100 -371.03 USD -100.01`,
    `${friday} PAID 1000 -123.80 USD -33.37`,
    `${friday} PAID 2100 123.80 USD 33.37`,
    `${monday} PAID 1000 -247.76 USD -66.64`,
    `${monday} PAID 2100 247.23 USD 66.64`, // what is left of the payment
    `${monday} PAID 7100 0.53 USD 0.00`,
  ])
  expect(balances(journal)[2100]).toBeUndefined()
  await amy.call('invoices_payments_void', { id: first.id })
  expect(balances(await period(amy))[2100]).toBe(-123.8)
})

test('a cancelled payment request leaves nothing, in any currency', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, {
    documentType: 'PAYMENT_REQUEST',
    status: 'SENT',
    currency: 'USD',
    issueDate: friday,
  })
  expect(balances(await period(amy))).toEqual({ 1100: 404.38, 2300: -404.38 })
  await amy.call('invoices_cancel', { id })
  const journal = await period(amy)
  expect(balances(journal)).toEqual({})
  expect(journal.entries.at(-1)).toMatchObject({
    event: 'CANCELLED',
    description: 'Payment request 1, Globex (reversed)',
  })
})

test('the invoice for a payment request takes its place and its payments, so nothing is booked twice', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { documentType: 'PAYMENT_REQUEST', status: 'SENT', issueDate: '2026-03-05' })
  await amy.call('invoices_payments', { id, amount: 50, paidAt: '2026-03-06' })
  expect(balances(await period(amy))).toEqual({ 600: 50, 610: 59, 810: -109 })
  await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
  const journal = await period(amy)
  expect(balances(journal)).toEqual({ 200: -100, 600: 50, 610: 59, 820: -9 })
  expect(journal.totals.debit).toBe(journal.totals.credit)
  expect(new Set(journal.entries.map(({ event }) => event))).toContain('CONVERTED')
})

test('a document without a known rate is booked at its face value, with a warning', async () => {
  const amy = await israeli()
  await sell(amy, {
    status: 'SENT',
    currency: 'XAG',
    items: [{ id: '1', description: 'x', quantity: 1, unitPrice: 5, amount: 5 }],
    subtotal: 5,
    taxRate: 0,
    taxAmount: 0,
    total: 5,
    issueDate: friday,
  })
  const journal = await period(amy)
  expect(lines(journal)).toEqual([`${friday} ISSUED 1100 5.00 XAG 5.00`, `${friday} ISSUED 4000 -5.00 XAG -5.00`])
  expect(journal.entries[0]?.exchangeRate).toBeNull()
  expect(journal.warnings).toMatchObject([{ code: 'EXCHANGE_RATE_MISSING' }])
})

test('rates that are published later change nothing that is booked', async () => {
  const amy = await israeli()
  const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: '2024-02-05' })
  await amy.call('invoices_payments', { id, amount: 109, paidAt: '2024-02-06' })
  const before = await period(amy)
  const rate = { source: 'ECB' as const, base: 'EUR', date: '2024-02-06' }
  const later = [
    ['EUR', '1'],
    ['USD', '1.1'],
    ['ILS', '5'],
  ].map(([currency = '', value = '']) => ({ ...rate, currency, rate: value }))
  await theApp().system.use((db) => storeRates(db, later))
  expect(await period(amy)).toEqual(before)
})

test('an organization that changes its currency keeps what was booked before in the earlier one', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const { id } = await sell(amy, { status: 'SENT', currency: 'USD', issueDate: friday })
  await amy.call('organizations_update', { id: String(amy.organizationId), currency: 'EUR' })
  await amy.call('invoices_payments', { id, amount: 109, paidAt: monday })
  const journal = await period(amy)
  expect(journal.entries.map(({ homeCurrency }) => homeCurrency)).toEqual([
    'ILS',
    'ILS',
    'ILS',
    'EUR',
    'EUR',
    'EUR',
    'EUR',
  ])
  expect(journal.totals).toEqual({ debit: 202.66, credit: 202.66 }) // twice 109 / 1.0757
  expect(journal.warnings).toMatchObject([{ code: 'EARLIER_CURRENCY' }])
})

describe('mapping', () => {
  const accountOf = async (amy: Someone, more: Record<string, unknown>) =>
    amy.call('reports_account_create', { code: '9001', name: 'Mapped', type: 'ASSET', ...more })

  test('lines of a mapped tax category go to their accounts, the rest to the accounts of the purpose', async () => {
    const amy = await member('MANAGER')
    await accountOf(amy, { code: '9001', type: 'INCOME', taxCategories: ['ZR'], mappedFrom: '2026-03-05' })
    await accountOf(amy, { code: '9002', type: 'LIABILITY', taxCategories: ['SR'], mappedFrom: '2026-03-05' })
    const items = [
      { id: '1', description: 'At home', quantity: 1, unitPrice: 100, amount: 100, taxRate: 9, taxCategory: 'SR' },
      { id: '2', description: 'Exported', quantity: 1, unitPrice: 50, amount: 50, taxRate: 0, taxCategory: 'ZR' },
      { id: '3', description: 'Other', quantity: 1, unitPrice: 10, amount: 10, taxRate: 9 },
    ]
    await sell(amy, { status: 'SENT', issueDate: '2026-03-05', items, subtotal: 160, taxAmount: 9.9, total: 169.9 })
    expect(lines(await period(amy))).toEqual([
      '2026-03-05 ISSUED 610 169.90 SGD 169.90',
      '2026-03-05 ISSUED 200 -110.00 SGD -110.00',
      '2026-03-05 ISSUED 9001 -50.00 SGD -50.00',
      '2026-03-05 ISSUED 820 -0.90 SGD -0.90',
      '2026-03-05 ISSUED 9002 -9.00 SGD -9.00',
    ])
  })

  test('a payment goes to the account of its bank account, and others to cash', async () => {
    const amy = await member('MANAGER')
    const bank = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    const { id: accountId } = await accountOf(amy, { bankAccountIds: [bank.id], mappedFrom: '2026-03-01' })
    const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
    await amy.call('invoices_payments', { id, amount: 100, paidAt: '2026-03-06', bankAccountId: bank.id })
    await amy.call('invoices_payments', { id, amount: 9, paidAt: '2026-03-06' })
    const { 600: cash, 9001: mapped } = balances(await period(amy))
    expect([cash, mapped]).toEqual([9, 100])
    await amy.call('reports_account_update', { id: accountId, bankAccountIds: [], mappedFrom: '2026-03-01' })
    expect(balances(await period(amy))[600]).toBe(109)
  })

  const day = today(new Date(), 'Asia/Singapore')
  const yesterday = addDays(day, -1)

  test('a mapping counts from the day on which it is made, and what was booked before stays where it is', async () => {
    const amy = await member('MANAGER')
    const items = [
      { id: '1', description: 'Exported', quantity: 1, unitPrice: 50, amount: 50, taxRate: 0, taxCategory: 'zr' },
    ]
    const export_ = { status: 'SENT', items, subtotal: 50, taxRate: 0, taxAmount: 0, total: 50 }
    const { customerId } = await sell(amy, { ...export_, issueDate: yesterday })
    const before = await period(amy, { to: yesterday })
    expect(balances(before)).toEqual({ 610: 50, 210: -50 }) // the chart of the country
    const { id } = await accountOf(amy, { type: 'INCOME', taxCategories: ['ZR'] })
    await sell(amy, { ...export_, issueDate: day, customerId })
    expect(await period(amy, { to: yesterday })).toEqual(before)
    expect(balances(await period(amy))).toEqual({ 610: 100, 210: -50, 9001: -50 })
    await amy.call('reports_account_update', { id, taxCategories: [] })
    expect(await period(amy, { to: yesterday })).toEqual(before)
    expect(balances(await period(amy, { from: day }))).toEqual({ 610: 50, 200: -50 })
    await amy.call('reports_account_update', { id, taxCategories: ['ZR'], mappedFrom: yesterday })
    expect(balances(await period(amy))).toEqual({ 610: 100, 9001: -100 })
  })

  test('a purpose moves to another account from a day on', async () => {
    const amy = await member('MANAGER')
    const { customerId } = await sell(amy, { status: 'SENT', issueDate: yesterday })
    const { id } = await accountOf(amy, { name: 'Debtors' })
    expect(await amy.call('reports_account_update', { id, purpose: 'RECEIVABLES' })).toMatchObject({
      purpose: 'RECEIVABLES',
    })
    const { accounts } = await amy.call('reports_accounts')
    const earlier = accounts.find(({ code }) => code === '610')
    expect(earlier?.purpose).toBeNull()
    await sell(amy, { status: 'SENT', issueDate: day, customerId })
    expect(balances(await period(amy))).toEqual({ 200: -200, 820: -18, 610: 109, 9001: 109 })
    await amy.call('reports_account_update', { id: String(earlier?.id), active: false })
    expect(balances(await period(amy))).toMatchObject({ 610: 109, 9001: 109 })
    const found = await verify({ system: theApp().system })
    expect(found.filter(({ id: rule }) => ['ACCOUNTS', 'JOURNAL'].includes(rule))).toEqual([])
  })
})

describe('entries that people made', () => {
  const make = async (amy: Someone, more: Record<string, unknown> = {}) => {
    const { accounts } = await amy.call('reports_accounts')
    const id = (wanted: string) => String(accounts.find(({ code }) => code === wanted)?.id)
    const lines = [
      { accountId: id('600'), debit: 500, description: 'Bank' },
      { accountId: id('999'), credit: 500 },
    ]
    return amy.call('reports_journal_entry_create', {
      date: '2026-01-01',
      description: 'Opening',
      kind: 'OPENING',
      lines,
      ...more,
    })
  }

  test('are in the journal with their number, and so is their reversal', async () => {
    const amy = await member('MANAGER')
    const { id } = await make(amy)
    await amy.call('reports_journal_entry_reverse', { id, date: '2026-01-02', reason: 'Wrong' })
    const journal = await period(amy)
    expect(lines(journal)).toEqual([
      '2026-01-01 OPENING 600 500.00 SGD 500.00',
      '2026-01-01 OPENING 999 -500.00 SGD -500.00',
      '2026-01-02 REVERSAL 600 -500.00 SGD -500.00',
      '2026-01-02 REVERSAL 999 500.00 SGD 500.00',
    ])
    expect(journal.entries.map(({ entryId, number, description }) => [entryId === id, number, description])).toEqual([
      [true, '1', 'Bank'],
      [true, '1', 'Opening'],
      [false, '2', 'Bank'],
      [false, '2', 'Wrong'],
    ])
  })
})

describe('the report', () => {
  test('shows the lines of one account, by code or id', async () => {
    const amy = await member('MANAGER')
    await sell(amy, { status: 'PAID', issueDate: '2026-03-05' })
    const { accounts } = await amy.call('reports_accounts')
    const cash = accounts.find(({ code }) => code === '600')
    const byCode = await period(amy, { account: '600' })
    expect(byCode.entries.map(({ accountCode, debit }) => [accountCode, debit])).toEqual([['600', 109]])
    expect(byCode.totals).toEqual({ debit: 109, credit: 0 })
    expect(await period(amy, { account: String(cash?.id) })).toEqual(byCode)
    await expect(period(amy, { account: '601' })).rejects.toMatchObject({ status: 400, details: [{ path: 'account' }] })
  })

  test('has pages without gaps or repetitions, and the same totals on each', async () => {
    const amy = await member('MANAGER')
    for (let at = 0; at < 5; at++) await sell(amy, { status: 'PAID' })
    const whole = await period(amy)
    expect(whole.entries.length).toBe(35)
    const pages = [
      await period(amy, { limit: 12 }),
      await period(amy, { limit: 12, page: 2 }),
      await period(amy, { limit: 12, page: 3 }),
    ]
    expect(pages.flatMap(({ entries }) => entries)).toEqual(whole.entries)
    for (const { totals, pagination } of pages) {
      expect(totals).toEqual(whole.totals)
      expect(pagination).toMatchObject({ total: 35, totalPages: 3 })
    }
  })

  test('continues after a page with its cursor: every line once, and the sums of the pages are those of the whole', async () => {
    const amy = await member('MANAGER')
    const [sent] = [
      await sell(amy, { status: 'SENT', issueDate: '2026-03-05' }),
      await sell(amy, { status: 'PAID', issueDate: '2026-03-05' }),
    ]
    const request = { documentType: 'PAYMENT_REQUEST', status: 'SENT', issueDate: '2026-03-06' }
    for (let at = 0; at < 3; at++) {
      await amy.call('invoices_cancel', { id: (await sell(amy, request)).id })
      await amy.call('invoices_convert', { id: (await sell(amy, request)).id, documentType: 'INVOICE' })
    }
    const payment = await amy.call('invoices_payments', { id: sent.id, amount: 50, paidAt: '2026-03-06' })
    await amy.call('invoices_payments_void', { id: payment.id })
    for (const more of [{}, { account: '610' }, { account: '605' }]) {
      const whole = await period(amy, { limit: 1_000, ...more })
      expect(whole.nextCursor).toBeNull()
      for (const limit of [4, 7]) {
        const pages = [await period(amy, { limit, ...more })]
        for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
          pages.push(await period(amy, { limit, cursor, ...more }))
          expect(pages.length).toBeLessThan(100)
        }
        const entries = pages.flatMap((page) => page.entries)
        expect(entries).toEqual(whole.entries)
        expect(sumOf(entries)).toEqual(whole.totals)
        for (const { totals, pagination } of pages)
          expect([totals, pagination.total]).toEqual([whole.totals, whole.pagination.total])
      }
      const alone = [await period(amy, { limit: 9, totals: false, ...more })]
      for (let cursor = alone[0]?.nextCursor; cursor; cursor = alone.at(-1)?.nextCursor)
        alone.push(await period(amy, { limit: 9, cursor, ...more }))
      expect(alone.flatMap((page) => page.entries)).toEqual(whole.entries)
      for (const { entries, totals, pagination } of alone)
        expect([totals, pagination.total]).toEqual([sumOf(entries), entries.length])
    }
  })

  const sumOf = (entries: Journal['entries']) => {
    const sum = (side: 'debit' | 'credit') =>
      entries.reduce((all, entry) => all + Math.round(entry[side] * 100), 0) / 100
    return { debit: sum('debit'), credit: sum('credit') }
  }

  test('is read in parts, and reading ends after its time', async () => {
    const amy = await member('MANAGER')
    for (let at = 0; at < 3; at++) await sell(amy, { status: 'PAID' })
    const whole = await period(amy)
    const range = { from: whole.from, to: whole.to, home: 'SGD', accountId: undefined }
    const read = (withinMs: number) =>
      within(amy.organizationId, (db) => readPage(db, range, { offset: 2, limit: 5, withinMs, eventsPerPart: 2 }))
    const parts = await read(30_000)
    expect(parts.lines.map(toLine)).toEqual(whole.entries.slice(2, 7))
    expect([parts.isWhole, parts.sums.count]).toEqual([true, whole.pagination.total])
    expect(parts.sums.debitMinor / 100).toBe(whole.totals.debit)
    const ended = await read(-1)
    expect(ended.isWhole).toBe(false)
    expect(ended.sums.count).toBeLessThan(whole.pagination.total)
  })

  test('refuses what is not a cursor of its period', async () => {
    const amy = await member('MANAGER')
    await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
    const { nextCursor } = await period(amy, { limit: 1 })
    const cursor = String(nextCursor)
    expect((await period(amy, { limit: 1, cursor })).entries).toHaveLength(1)
    const refusal = { status: 400, details: [{ path: 'cursor' }] }
    const forged = { ...JSON.parse(Buffer.from(cursor, 'base64url').toString()) }
    const spelled = (after: object) =>
      Buffer.from(JSON.stringify({ ...forged, after: { ...forged.after, ...after } })).toString('base64url')
    expect((await period(amy, { limit: 1, cursor: spelled({}) })).entries).toHaveLength(1)
    for (const wrong of [
      'x',
      cursor.slice(2),
      spelled({ day: '2026-02-31' }),
      spelled({ id: 'x' }),
      spelled({ line: 'x' }),
    ])
      await expect(period(amy, { limit: 1, cursor: wrong })).rejects.toMatchObject(refusal)
    await expect(period(amy, { cursor, from: '2026-03-06' })).rejects.toMatchObject(refusal)
  })

  test('covers both days of the period and nothing else', async () => {
    const amy = await member('MANAGER')
    await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
    await sell(amy, { status: 'SENT', issueDate: '2026-03-31' })
    await sell(amy, { status: 'SENT', issueDate: '2026-04-01' })
    const days = async (from: string, to: string) => [
      ...new Set((await period(amy, { from, to })).entries.map(({ date }) => date)),
    ]
    expect(await days('2026-03-05', '2026-03-31')).toEqual(['2026-03-05', '2026-03-31'])
    expect(await days('2026-03-06', '2026-03-30')).toEqual([])
    await expect(period(amy, { from: '2026-03-06', to: '2026-03-05' })).rejects.toMatchObject({ status: 400 })
    await expect(period(amy, { from: 'March' })).rejects.toMatchObject({ status: 400, details: [{ path: 'from' }] })
  })

  test('as csv is a file in which no cell is a formula', async () => {
    const amy = await member('MANAGER')
    const customer = await amy.call('customers_create', { name: '=HYPERLINK("http://x.test")', country: 'SG' })
    await sell(amy, { status: 'SENT', issueDate: '2026-03-05', customerId: customer.id })
    const { accounts } = await amy.call('reports_accounts')
    const entry = {
      date: '2026-03-06',
      description: '=1+1',
      lines: [
        { accountId: String(accounts[0]?.id), debit: 5, description: '@SUM(A1)' },
        { accountId: String(accounts[1]?.id), credit: 5, description: 'a;=1+1' },
      ],
    }
    await amy.call('reports_journal_entry_create', entry)
    const url = `/api/reports/journal?organizationId=${amy.organizationId}&from=2026-03-01&to=2026-03-31&format=csv&limit=1`
    const { status, body, headers } = await send({ method: 'GET', url, headers: { ...amy.credentials } })
    expect([status, String(headers['content-type'])]).toEqual([200, expect.stringContaining('text/csv')])
    expect(headers['content-disposition']).toContain('journal-2026-03-01-2026-03-31.csv')
    const rows = String(body).trim().split('\r\n')
    expect(rows[0]).toContain('"date","event","number","description","accountCode","accountName","debit","credit"')
    expect(rows).toHaveLength(6)
    expect(rows[1]).toContain('"Invoice 1, =HYPERLINK(""http://x.test"")"')
    expect(rows[4]).toContain(`,"'@SUM(A1)",`)
    expect(rows[5]).toContain(',"a;=1+1",') // some spreadsheets separate cells at a semicolon
  })
})

test('text that begins like a formula is marked as text in CSV, also with full-width characters', () => {
  const written = [['＝1+1'], ['＋1'], ['－1'], ['＠A1'], ['=1'], ['1'], ['say "a"']].map(csvRow)
  const cells = ["'＝1+1", "'＋1", "'－1", "'＠A1", "'=1", '1', 'say ""a""']
  expect(written).toEqual(cells.map((cell) => `"${cell}"\r\n`))
})

type Plan = {
  'Relation Name'?: string
  'Actual Rows'?: number
  'Rows Removed by Filter'?: number
  'Actual Loops'?: number
  Plans?: Plan[]
}

/** How many rows of the tables of the ledger a plan has read. */
const rowsRead = (node: Plan): number =>
  (['documents', 'payments', 'allocations'].includes(node['Relation Name'] ?? '')
    ? ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0)
    : 0) + (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0)

test('a day of the journal reads the rows of that day, not all of them', async () => {
  const amy = await member('MANAGER')
  const { customerId } = await sell(amy, { status: 'PAID' })
  await asSystem(`
    insert into documents (organization_id, id, document_type, status, sequence, number, issued_at, counterparty_id, currency, minor_digits,
      exchange_rate, rate_currency, issue_date, subtotal_minor, tax_minor, total_minor, paid_minor, generator_version)
    select '${amy.organizationId}', gen_random_uuid(), 'INVOICE', 'PAID', n + 10, n::text, now(), '${customerId}', 'SGD', 2, 1, 'SGD',
      '2024-01-01'::date + (n % 300), 10000, 900, 10900, 10900, 'many' from generate_series(1, 3000) n;
    insert into payments (organization_id, id, amount_minor, allocated_minor, currency, minor_digits, paid_at, source)
    select organization_id, id, total_minor, total_minor, currency, 2, issue_date, 'PAYMENT' from documents where generator_version = 'many';
    insert into allocations (organization_id, id, payment_id, document_id, amount_minor, booked_on)
    select organization_id, id, id, id, total_minor, issue_date from documents where generator_version = 'many'`)
  const day = '2024-03-05'
  expect((await period(amy, { from: day, to: day })).pagination.total).toBe(70) // seven lines of ten documents
  const ofDay = await planOf(amy, `select * from journal_lines('${day}', '${day}')`)
  expect(rowsRead(ofDay)).toBeGreaterThanOrEqual(30)
  expect(rowsRead(ofDay)).toBeLessThan(300)
  const id = '00000000-0000-0000-0000-000000000000'
  const part = `select day::text, id from journal_part('${day}', '${id}', '2024-12-31', 20)`
  const { end } = await within(amy.organizationId, async (_, connection) => ({
    end: (await connection.query(part)).rows[0],
  }))
  expect(rowsRead(await planOf(amy, part))).toBeLessThan(100)
  const page = `select * from journal_lines('${day}', '${id}', '${end?.day}', '${end?.id}')`
  expect(rowsRead(await planOf(amy, page))).toBeLessThan(300)
})

async function planOf(amy: Someone, statement: string): Promise<Plan> {
  const [row] = await within(amy.organizationId, async (_, connection) => {
    return (await connection.query(`explain (analyze, format json) ${statement}`)).rows
  })
  const plan = Object.values(row as object)[0] as string | [{ Plan: Plan }]
  const [{ Plan: root }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Plan }]
  return root
}

/** Rows without their triggers, which would take long for so many; the statistics follow. */
async function asSystem(statements: string) {
  const client = new pg.Client(asSuperuser(theDatabase()))
  await client.connect()
  await client.query(`set session_replication_role = replica; ${statements}; analyze documents, payments, allocations`)
  await client.end()
}
