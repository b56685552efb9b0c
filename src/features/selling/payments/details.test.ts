import { expect, test, vi } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { printedText } from '../../../test/readers/pdf-text.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

const day = { paidAt: '2026-01-31' }
const cheque = { bank: '12', branch: '600', account: '123456', number: '5001', dueDate: '2026-03-31' }
const card = { last4: '4242', brand: 'Visa', instalments: 3 }
const transfer = { bank: '10', branch: '800', account: '99999999', reference: 'TRX-118' }

const accountOf = async (amy: Someone) =>
  (await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })).id

test('every operation that records a payment stores its details, and payments show them', async () => {
  const amy = await member('CONTRIBUTOR')
  const bankAccountId = await accountOf(amy)
  const details = { cheque, card, transfer }
  const given = { reference: 'REF-7', details, withheldAmount: 5.5, bankAccountId }
  const one = await sell(amy, { status: 'SENT' })
  expect(await amy.call('invoices_payments', { id: one.id, amount: 50, ...day, ...given })).toMatchObject(given)
  const created = await amy.call('invoices_payments_create', { amount: 50, currency: 'SGD', ...day, ...given })
  expect(created).toMatchObject(given)
  const two = await sell(amy)
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CHEQUE', sendReceiptEmail: false }
  expect((await amy.call('invoices_mark_paid', { id: two.id, ...paid, ...given })).payment).toMatchObject(given)
  const three = await sell(amy, { status: 'SENT' })
  expect((await amy.call('invoices_mark_paid', { id: three.id, ...paid, ...given })).payment).toMatchObject(given)
  const { payments } = await amy.call('invoices_payments_list', {})
  expect(payments).toHaveLength(4)
  for (const payment of payments) expect(payment).toMatchObject(given)
})

test('a payment without details has none', async () => {
  const amy = await member('CONTRIBUTOR')
  expect(await amy.call('invoices_payments_create', { amount: 5, currency: 'SGD', ...day })).toMatchObject({
    reference: null,
    details: null,
    withheldAmount: 0,
    bankAccountId: null,
    refundOf: null,
    refundedTotal: 0,
  })
})

test.each([
  ['a whole card number', { details: { card: { last4: '4580458045804580' } } }, 'details.card.last4'],
  ['an unknown field', { details: { card: { cvv: '123' } } }, 'details.card.cvv'],
  ['an unknown means of payment', { details: { barter: {} } }, 'details.barter'],
  ['an invalid due date', { details: { cheque: { dueDate: '2026-02-30' } } }, 'details.cheque.dueDate'],
  ['more withheld than its amount', { withheldAmount: 50.01 }, 'withheldAmount'],
  ['a negative withheld amount', { withheldAmount: -1 }, 'withheldAmount'],
  ['a fraction of a cent withheld', { withheldAmount: 0.001 }, 'withheldAmount'],
  ['an unknown bank account', { bankAccountId: newId() }, 'bankAccountId'],
])('a payment with %s is refused', async (_, wrong, path) => {
  const amy = await member('CONTRIBUTOR')
  const money = { amount: 50, currency: 'SGD', ...day }
  expect(await amy.call('invoices_payments_create', { ...money, withheldAmount: 50 })).toMatchObject({ amount: 50 })
  await expect(amy.call('invoices_payments_create', { ...money, ...wrong } as never)).rejects.toMatchObject({
    status: 400,
    details: [{ path }],
  })
  const { id } = await sell(amy, { status: 'SENT' })
  const input = { id, amount: 50, ...day, ...wrong }
  await expect(amy.call('invoices_payments', input as never)).rejects.toMatchObject({ status: 400 })
})

test('mark-paid refuses more withheld tax than is open', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const paid = { id, paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }
  await expect(amy.call('invoices_mark_paid', { ...paid, withheldAmount: 109.01 })).rejects.toMatchObject({
    status: 400,
    details: [{ code: 'WITHHELD_OVER_AMOUNT' }],
  })
  expect((await amy.call('invoices_mark_paid', { ...paid, withheldAmount: 109 })).payment?.withheldAmount).toBe(109)
})

test('the database refuses more withheld tax than the amount, and a bank account with payments stays', async () => {
  const amy = await member('CONTRIBUTOR')
  const bankAccountId = await accountOf(amy)
  const { id } = await amy.call('invoices_payments_create', { amount: 5, currency: 'SGD', ...day, bankAccountId })
  await expect(
    theApp().system.raw.query('update payments set withheld_minor = 501 where id = $1', [id]),
  ).rejects.toMatchObject({ constraint: 'withheld_within_payment' })
  await expect(amy.call('bank_accounts_delete', { id: bankAccountId })).rejects.toMatchObject({ status: 409 })
})

test('Israel, worked example: 11,800 settled with 500 withheld and 11,300 transferred', async () => {
  const noa = await member('OWNER', { country: 'IL' })
  const organizationId = String(noa.organizationId)
  await noa.call('organizations_update', {
    id: organizationId,
    registrationNumber: '514000009',
    taxNumber: '514000009',
  })
  const lines = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: 10_000, amount: 10_000 }]
  const sums = { items: lines, subtotal: 10_000, taxRate: 18, taxAmount: 1_800, total: 11_800 }
  const { id } = await sell(noa, { status: 'SENT', currency: 'ILS', ...sums })
  const payment = await noa.call('invoices_payments', {
    id,
    amount: 11_800,
    withheldAmount: 500,
    paidAt: '2026-03-02',
    method: 'BANK_TRANSFER',
    details: { transfer },
  })
  expect(payment).toMatchObject({ amount: 11_800, withheldAmount: 500, openRemainder: 0 })
  expect(await noa.call('invoices_get', { id })).toMatchObject({ status: 'PAID', paidAmount: 11_800 })
  const receipt = await noa.call('invoices_payments_receipt', { id: payment.id })
  expect(receipt).toMatchObject({ total: 11_800, paidAmount: 11_800 })
  const text = await printedText(noa, receipt.id, '?language=en')
  for (const part of [
    '11,800.00',
    '11,300.00',
    'Tax withheld at source',
    '500.00',
    'Bank transfer',
    '99999999',
    'TRX-118',
  ])
    expect(text).toContain(part)
  const { cashFlowByMonth } = await noa.call('dashboard_get', { organizationId, year: 2026 })
  expect(cashFlowByMonth.find(({ month }) => month === '2026-03')).toMatchObject({ inflow: 11_300, outflow: 0 })
})

test('a receipt prints the details of its payment, and a cancelled one says so', async () => {
  const amy = await member('MANAGER')
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const pay = (method: string, details: object) =>
    amy.call('invoices_payments_create', { amount: 50, currency: 'SGD', customerId, ...day, method, details })
  const printed = async (paymentId: string) =>
    printedText(amy, (await amy.call('invoices_payments_receipt', { id: paymentId })).id)
  const byCheque = await printed((await pay('CHEQUE', { cheque })).id)
  for (const part of ['Cheque', 'bank 12', 'branch 600', 'account 123456', 'no. 5001', 'due 31/03/2026'])
    expect(byCheque).toContain(part)
  const { id } = await pay('CARD', { card })
  const byCard = await printed(id)
  for (const part of ['Card', 'Visa', '**** 4242', '3 instalments', 'Payment on account'])
    expect(byCard).toContain(part)
  expect(byCard).not.toContain('CANCELLED')
  const receipt = await amy.call('invoices_payments_receipt', { id })
  await amy.call('invoices_payments_void', { id })
  expect(await printedText(amy, receipt.id)).toContain('CANCELLED')
})

test('an invoice-receipt prints only payments that are recorded', async () => {
  const amy = await member('CONTRIBUTOR')
  const documentType = 'INVOICE_RECEIPT'
  const paid = await sell(amy, { status: 'PAID', documentType, paymentMethod: 'CASH', paymentDate: '2026-01-31' })
  expect(await printedText(amy, paid.id)).toContain('Payment received')
  const unpaid = await sell(amy, { status: 'SENT', documentType })
  expect(await printedText(amy, unpaid.id)).not.toContain('Payment received')
})
