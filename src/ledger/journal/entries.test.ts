import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Database } from '../../core/define/operation.ts'
import { withTransaction } from '../../core/run/transaction-context.ts'
import { addDays, today } from '../../core/values/day.ts'
import { sell } from '../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../test/world.ts'
import { verify } from '../../verify/verify.ts'
import { balancesOn, journalOf } from './entries.ts'
import type { Entry } from './journal.ts'

const day = today(new Date(), 'Asia/Singapore')
const ever = { from: '1900-01-01', to: '2999-12-31' }

/** Asks as a request of this person does: row security holds. */
const as = <T>(someone: Someone, ask: (db: Database) => Promise<T>) =>
  withTransaction(theApp().confined, { organizationId: someone.organizationId }, ({ db }) => ask(db))

const journal = (someone: Someone, period = ever) => as(someone, (db) => journalOf(db, period))

/** `debit account amount` in the order of the journal. */
const lines = (entries: Entry[]) =>
  entries.map(({ day: on, account, debitMinor, creditMinor }) => `${on} ${account} ${debitMinor - creditMinor}`)

const balances = async (someone: Someone, on = '2999-12-31') => {
  const found = await as(someone, (db) => balancesOn(db, on))
  return Object.fromEntries(
    found.filter(({ balanceMinor }) => balanceMinor !== 0).map((each) => [each.account, each.balanceMinor]),
  )
}

test('an invoice is revenue and tax when it is issued, and cash when it is paid', async () => {
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

test('money beyond what is owed is the customer’s, and pays nothing yet', async () => {
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

test('a voided payment is entered again the other way round on the day of the void; its receipt never was', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT', issueDate: addDays(day, -9) })
  const paid = { id, paymentDate: addDays(day, -5), paymentMethod: 'CASH', sendReceiptEmail: false }
  const { payment } = await amy.call('invoices_mark_paid', { ...paid, generateReceipt: true })
  expect(await balances(amy)).toEqual({ CASH: 10900, REVENUE: -10000, TAX: -900 })
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  expect(await balances(amy, addDays(day, -1))).toEqual({ CASH: 10900, REVENUE: -10000, TAX: -900 })
  expect(await balances(amy)).toEqual({ RECEIVABLES: 10900, REVENUE: -10000, TAX: -900 })
})

test('a credit memo takes back revenue and tax, and what it grants beyond the open balance is the customer’s', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_payments', { id, amount: 59, paidAt: day })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(await balances(amy)).toEqual({ CASH: 5900, PREPAYMENTS: -5900 })
})

test('a payment request is no revenue, paid or credited', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', documentType: 'PAYMENT_REQUEST' })
  expect(await balances(amy)).toEqual({ RECEIVABLES: 10900, UNBILLED: -10900 })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(await balances(amy)).toEqual({})
})

test('what others are owed is a payable, and paying it takes cash', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const { raw } = theApp().system
  await raw.query(
    `with owed as (insert into documents (organization_id, id, direction, document_type, status, counterparty_id, currency, minor_digits,
        issue_date, subtotal_minor, tax_minor, total_minor, generator_version)
      select organization_id, gen_random_uuid(), 'INCOMING', 'BILL', 'DRAFT', counterparty_id, 'SGD', 2, '2026-01-05', 100, 10, 110, '0' from documents where id = $1
      returning organization_id, id)
    insert into document_lines (organization_id, document_id, position, id, description, quantity, unit_price, amount_minor)
      select organization_id, id, 1, '1', 'Rent', 1, 1, 100 from owed`,
    [id],
  )
  await raw.query(`update documents set status = 'UNSENT' where organization_id = $1 and direction = 'INCOMING'`, [
    amy.organizationId,
  ])
  await raw.query(
    `with paid as (insert into payments (organization_id, id, direction, amount_minor, currency, minor_digits, paid_at, source)
        values ($1, gen_random_uuid(), 'INCOMING', 60, 'SGD', 2, '2026-01-09', 'PAYMENT') returning organization_id, id)
    insert into allocations (organization_id, id, payment_id, document_id, amount_minor)
      select p.organization_id, gen_random_uuid(), p.id, d.id, 60 from paid p, documents d where d.organization_id = $1 and d.direction = 'INCOMING'`,
    [amy.organizationId],
  )
  expect(await balances(amy)).toMatchObject({ PAYABLES: -50, EXPENSES: 100, CASH: -60, TAX: 10 - 900 })
  expect(await broken()).toEqual([])
})

test('nobody reads entries of another organization', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  await sell(amy, { status: 'PAID' })
  expect(await journal(amy)).not.toEqual([])
  expect(await journal(eve)).toEqual([])
})

const broken = async () =>
  (await verify({ system: theApp().system })).filter(({ id }) => ['SUMS', 'JOURNAL', 'INV-04'].includes(id))

type Step = {
  does: 'create' | 'issue' | 'pay' | 'overpay' | 'void' | 'credit' | 'debit' | 'delete'
  share: number
  at: number
}

const walk = fc.array(
  fc.record<Step>({
    does: fc.constantFrom(
      'create',
      'create',
      'create',
      'issue',
      'pay',
      'pay',
      'overpay',
      'void',
      'credit',
      'debit',
      'delete',
    ),
    share: fc.integer({ min: 1, max: 100 }),
    at: fc.nat(1_000),
  }),
  { minLength: 35, maxLength: 45 },
)

test('whatever happens, the journal is balanced, what it says is owed is what is open, and the sums of the dashboard hold', async () => {
  for (const steps of fc.sample(walk, 3)) {
    const amy = await member('MANAGER')
    const refused: string[] = []
    for (const step of steps) await take(amy, step).catch((error) => refused.push(`${step.does}: ${error.message}`))
    const listed = await amy.call('invoices_list', { organizationId: String(amy.organizationId), limit: 100 })
    const owing = listed.invoices.filter(
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
    for (const { currency, total, paidAmount } of owing)
      open[currency] = (open[currency] ?? 0) + Math.round(total * 100) - Math.round(paidAmount * 100)
    expect(receivables).toEqual(open)
    expect(await broken()).toEqual([])
    expect(refused.filter((each) => !/4\d\d /.test(each))).toEqual([])
    expect(entries.length).toBeGreaterThan(0)
  }
})

/** One thing that somebody does; what the rules forbid is refused and changes nothing. */
async function take(amy: Someone, { does, share, at }: Step) {
  const organizationId = String(amy.organizationId)
  const status = (['DRAFT', 'UNSENT', 'SENT', 'PAID'] as const)[at % 4]
  const currency = ['SGD', 'USD'][share % 2]
  if (does === 'create') return void (await sell(amy, { status, currency }))
  const { invoices } = await amy.call('invoices_list', { organizationId, limit: 100 })
  const one = invoices[at % Math.max(invoices.length, 1)]
  if (!one) return
  const { id, total, paidAmount } = one
  const part = Math.max(1, Math.round((total - paidAmount) * share)) / 100
  const items = [{ id: '1', description: 'Change', quantity: 1, unitPrice: share, amount: share }]
  switch (does) {
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
