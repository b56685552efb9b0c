import '../../test/own-world.ts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../core/define/operation.ts'
import { withTransaction } from '../../core/run/transaction-context.ts'
import { addDays, today } from '../../core/values/day.ts'
import { storeRates } from '../../features/books/exchange-rates/store.ts'
import { sell } from '../../test/sales-documents.ts'
import { violations } from '../../test/violations.ts'
import { member, type Someone, theApp } from '../../test/world.ts'
import { balancesOn, journalOf } from './entries.ts'
import type { Entry } from './journal.ts'

const day = today(new Date(), 'Asia/Singapore')

/** The dollar has another rate on every day. */
beforeAll(() =>
  theApp().system.use((db) =>
    storeRates(
      db,
      Array.from({ length: 12 }, (_, ago) => ago).flatMap((ago) =>
        [
          ['EUR', '1'],
          ['USD', '1.0777'],
          ['SGD', `1.4${ago}71`],
        ].map(([currency = '', rate = '']) => ({
          source: 'ECB' as const,
          base: 'EUR',
          date: addDays(day, -ago),
          currency,
          rate,
        })),
      ),
    ),
  ),
)
const allTime = { from: '1900-01-01', to: '2999-12-31' }

/** Reads like a request of this person, under row security. */
const asRequest = <T>(someone: Someone, read: (db: Database) => Promise<T>) =>
  withTransaction(theApp().confined, { organizationId: someone.organizationId }, ({ db }) => read(db))

const journal = (someone: Someone, period = allTime) => asRequest(someone, (db) => journalOf(db, period))

/** `debit account amount` in the order of the journal. */
const lines = (entries: Entry[]) =>
  entries.map(({ day: on, account, debitMinor, creditMinor }) => `${on} ${account} ${debitMinor - creditMinor}`)

const balances = async (someone: Someone, on = '2999-12-31') => {
  const found = await asRequest(someone, (db) => balancesOn(db, on))
  return Object.fromEntries(
    found.filter(({ balanceMinor }) => balanceMinor !== 0).map((each) => [each.account, each.balanceMinor]),
  )
}

test('issuing an invoice books revenue and tax, and paying it books cash', async () => {
  const amy = await member('CONTRIBUTOR')
  await sell(amy)
  expect(await journal(amy)).toEqual([])
  const { id } = await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
  const payment = await amy.call('invoices_payments', { id, amount: 109, paidAt: '2026-04-01' })
  const entries = await journal(amy)
  expect(lines(entries)).toEqual([
    '2026-03-05 RECEIVABLES 10900',
    '2026-03-05 REVENUE -10000',
    '2026-03-05 TAX -900',
    ...lines(entries.filter(({ paymentId }) => paymentId === payment.id)),
  ])
  expect(lines(entries).slice(3).sort()).toEqual([
    '2026-04-01 CASH 10900',
    '2026-04-01 PREPAYMENTS -10900',
    '2026-04-01 PREPAYMENTS 10900',
    '2026-04-01 RECEIVABLES -10900',
  ])
  expect(await balances(amy, '2026-03-31')).toEqual({ RECEIVABLES: 10900, REVENUE: -10000, TAX: -900 })
  expect(await balances(amy)).toEqual({ CASH: 10900, REVENUE: -10000, TAX: -900 })
  expect(await journal(amy, { from: '2026-03-06', to: '2026-03-31' })).toEqual([])
})

test('the unallocated part of a payment is a prepayment', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, organizationId } = await sell(amy, { status: 'SENT', issueDate: '2026-03-05' })
  const money = {
    organizationId,
    amount: 150,
    currency: 'SGD',
    paidAt: '2026-02-01',
    allocations: [{ documentId: id }],
  }
  await amy.call('invoices_payments_create', money)
  expect(await balances(amy, '2026-02-28')).toEqual({ CASH: 15000, PREPAYMENTS: -15000 })
  expect(await balances(amy)).toEqual({ CASH: 15000, PREPAYMENTS: -4100, REVENUE: -10000, TAX: -900 })
})

test('voiding a payment books its reversal on the day of the void; a receipt is never booked', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT', issueDate: addDays(day, -9) })
  const paid = { id, paymentDate: addDays(day, -5), paymentMethod: 'CASH', sendReceiptEmail: false }
  const { payment } = await amy.call('invoices_mark_paid', { ...paid, generateReceipt: true })
  expect(await balances(amy)).toEqual({ CASH: 10900, REVENUE: -10000, TAX: -900 })
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  expect(await balances(amy, addDays(day, -1))).toEqual({ CASH: 10900, REVENUE: -10000, TAX: -900 })
  expect(await balances(amy)).toEqual({ RECEIVABLES: 10900, REVENUE: -10000, TAX: -900 })
})

test('a credit memo reverses revenue and tax, and its part beyond the open balance is a prepayment', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_payments', { id, amount: 59, paidAt: day })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(await balances(amy)).toEqual({ CASH: 5900, PREPAYMENTS: -5900 })
})

test('a payment request books no revenue, and its cancellation takes it back', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', documentType: 'PAYMENT_REQUEST' })
  expect(await balances(amy)).toEqual({ RECEIVABLES: 10900, UNBILLED: -10900 })
  await amy.call('invoices_cancel', { id })
  expect(await balances(amy)).toEqual({})
})

test('the journal shows no entries of another organization', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  await sell(amy, { status: 'PAID' })
  expect(await journal(amy)).not.toEqual([])
  expect(await journal(eve)).toEqual([])
})

const failedChecks = async () => (await violations()).filter(({ id }) => ['SUMS', 'JOURNAL', 'INV-04'].includes(id))

type Step = {
  does:
    | 'create'
    | 'request'
    | 'issue'
    | 'pay'
    | 'overpay'
    | 'void'
    | 'credit'
    | 'debit'
    | 'convert'
    | 'cancel'
    | 'delete'
  share: number
  at: number
}

const walk = fc.array(
  fc.record<Step>({
    does: fc.constantFrom(
      'create',
      'create',
      'create',
      'request',
      'request',
      'issue',
      'pay',
      'pay',
      'overpay',
      'void',
      'credit',
      'debit',
      'convert',
      'cancel',
      'delete',
    ),
    share: fc.integer({ min: 1, max: 100 }),
    at: fc.nat(1_000),
  }),
  { minLength: 35, maxLength: 45 },
)

test('after random steps the journal is balanced, receivables equal the open balances, and the dashboard sums are right', async () => {
  for (const steps of fc.sample(walk, 3)) {
    const amy = await member('MANAGER')
    const refused: string[] = []
    for (const step of steps) await doStep(amy, step).catch((error) => refused.push(`${step.does}: ${error.message}`))
    const listed = await amy.call('invoices_list', { organizationId: String(amy.organizationId), limit: 100 })
    const owed = listed.invoices.filter(
      ({ status, documentType }) => status !== 'DRAFT' && documentType !== 'CREDIT_MEMO',
    )
    const entries = await journal(amy)
    const sums = new Map<string, number>()
    const receivables: Record<string, number> = {}
    for (const { eventId, event, currency, account, debitMinor, creditMinor } of entries) {
      const key = `${event} ${eventId} ${currency}`
      sums.set(key, (sums.get(key) ?? 0) + debitMinor - creditMinor)
      if (account === 'RECEIVABLES') receivables[currency] = (receivables[currency] ?? 0) + debitMinor - creditMinor
    }
    expect([...sums].filter(([, sum]) => sum !== 0)).toEqual([])
    const open: Record<string, number> = {}
    for (const { currency, openBalance } of owed) open[currency] = (open[currency] ?? 0) + Math.round(openBalance * 100)
    expect(receivables).toEqual(open)
    await expectHomeBalances(amy)
    expect(await failedChecks()).toEqual([])
    expect(refused.filter((each) => !/4\d\d /.test(each))).toEqual([])
    expect(entries.length).toBeGreaterThan(0)
  }
})

/** In the home currency debits equal credits, and receivables are those of open documents at their rates. */
async function expectHomeBalances(amy: Someone) {
  const period = { organizationId: String(amy.organizationId), from: '2000-01-01', to: '2099-12-31', limit: 1_000 }
  const { entries, totals, pagination } = await amy.call('reports_journal', period)
  expect(pagination.totalPages).toBe(1)
  expect(totals.debit).toBe(totals.credit)
  const { invoices } = await amy.call('invoices_list', { organizationId: period.organizationId, limit: 100 })
  const settled = invoices.filter(({ status, currency }) => status === 'PAID' && currency === 'USD')
  for (const { id } of settled) {
    const booked = entries.filter(({ documentId, accountCode }) => documentId === id && accountCode === '610')
    const left = booked.reduce((sum, { debit, credit }) => sum + Math.round(debit * 100) - Math.round(credit * 100), 0)
    expect([id, left]).toEqual([id, 0])
  }
}

/** Does one random step; a step that the rules forbid is refused. */
async function doStep(amy: Someone, { does, share, at }: Step) {
  const organizationId = String(amy.organizationId)
  const status = (['DRAFT', 'UNSENT', 'SENT', 'PAID'] as const)[at % 4]
  const currency = ['SGD', 'USD'][share % 2]
  if (does === 'create') return void (await sell(amy, { status, currency }))
  if (does === 'request') return void (await sell(amy, { status, currency, documentType: 'PAYMENT_REQUEST' }))
  const { invoices } = await amy.call('invoices_list', { organizationId, limit: 100 })
  const one = invoices[at % Math.max(invoices.length, 1)]
  if (!one) return
  const { id, openBalance } = one
  const part = Math.max(1, Math.round(openBalance * share)) / 100
  const items = [{ id: '1', description: 'Change', quantity: 1, unitPrice: share, amount: share }]
  switch (does) {
    case 'convert': {
      const documentType = share % 2 ? 'INVOICE' : 'INVOICE_RECEIPT'
      return void (await amy.call('invoices_convert', { id, documentType }))
    }
    case 'cancel':
      return void (await amy.call('invoices_cancel', { id }))
    case 'issue':
      return void (await amy.call('invoices_update', { id, status: 'SENT' }))
    case 'pay':
      return void (await amy.call('invoices_payments', { id, amount: part, paidAt: addDays(day, -(at % 3)) }))
    case 'overpay': {
      const money = {
        organizationId,
        amount: 200 + share,
        currency: one.currency,
        paidAt: day,
        allocations: [{ documentId: id }],
      }
      return void (await amy.call('invoices_payments_create', money))
    }
    case 'void': {
      const { payments } = await amy.call('invoices_payments_list', { organizationId, limit: 100 })
      const payment = payments[at % Math.max(payments.length, 1)]
      return payment && void (await amy.call('invoices_payments_void', { id: payment.id }))
    }
    case 'credit':
      return void (await amy.call('invoices_memos', { id, kind: 'CREDIT', items }))
    case 'debit':
      return void (await amy.call('invoices_memos', { id, kind: 'DEBIT', items }))
    case 'delete':
      return void (await amy.call('invoices_delete', { id }))
  }
}
