import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { friday, monday, storeTestRates } from '../../../test/exchange-rates.ts'
import { sell } from '../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

beforeAll(storeTestRates)

const untaxed = { currency: 'ILS', taxRate: 0, taxAmount: 0, total: 100, issueDate: friday }

/** An Israeli company that is registered for tax, or an exempt dealer. */
async function issuer(kind: 'company' | 'exempt dealer') {
  const amy = await member('MANAGER', { country: 'IL' })
  const registrationNumber = kind === 'company' ? '514567891' : '123456782'
  await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber })
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'IL' })
  const issue = (documentType: string, more = {}) =>
    sell(amy, { ...untaxed, customerId, documentType, status: 'SENT', ...more })
  const pay = (id: string, amount = 100, paidAt = friday) => amy.call('invoices_payments', { id, amount, paidAt })
  return { amy, customerId, issue, pay }
}

/** The balances of the accounts that are not zero, by code: 1000 cash, 1100 receivables, 2100 customer credits, 4000 sales. */
async function balances(amy: Someone) {
  const all = { organizationId: String(amy.organizationId), from: '2020-01-01', to: '2029-12-31' }
  const { entries } = await amy.call('reports_journal', all)
  const sums: Record<string, number> = {}
  for (const { accountCode, debit, credit } of entries)
    sums[String(accountCode)] = Math.round(((sums[String(accountCode)] ?? 0) + debit - credit) * 100) / 100
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

/** What of all payments is neither used nor refunded. */
async function openRemainders(amy: Someone) {
  const { payments } = await amy.call('invoices_payments_list', {})
  return payments.reduce((sum, { openRemainder }) => sum + openRemainder, 0)
}

describe.each(['company', 'exempt dealer'] as const)('a receipt without an invoice of a %s', (kind) => {
  test('is booked when money comes, and not when it is issued', async () => {
    const { amy, issue, pay } = await issuer(kind)
    const { id } = await issue('RECEIPT')
    expect(await balances(amy)).toEqual({})
    await pay(id, 40)
    await pay(id, 60)
    const [code, open] = kind === 'company' ? [2100, 100] : [4000, 0]
    expect(await balances(amy)).toEqual({ 1000: 100, [code]: -100 })
    expect(await openRemainders(amy)).toBe(open)
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID', paidAmount: 100 })
    await expectSoundBooks()
  })

  test('has the status of its issuer when it was issued', async () => {
    const { amy, issue, pay } = await issuer(kind)
    const { id } = await issue('RECEIPT')
    const other = kind === 'company' ? null : '514567891'
    await amy.call('organizations_update', { id: String(amy.organizationId), registrationNumber: other })
    await pay(id)
    expect(await balances(amy)).toEqual({ 1000: 100, [kind === 'company' ? 2100 : 4000]: -100 })
    await expectSoundBooks()
  })

  test('leaves nothing when it is cancelled unpaid, or when its payment is voided', async () => {
    const { amy, issue, pay } = await issuer(kind)
    const unpaid = await issue('RECEIPT')
    await amy.call('invoices_cancel', { id: unpaid.id })
    expect(await balances(amy)).toEqual({})
    const { id } = await issue('RECEIPT', { currency: 'USD' })
    const payment = await pay(id, 100, monday)
    const home = 371.79 // 100 × 3.71785813889, the rate of the payment
    expect(await balances(amy)).toEqual({ 1000: home, [kind === 'company' ? 2100 : 4000]: -home })
    await amy.call('invoices_payments_void', { id: payment.id })
    expect(await balances(amy)).toEqual({})
    expect(await openRemainders(amy)).toBe(0)
    expect(await amy.call('invoices_get', { id })).toMatchObject({ cancelledAt: expect.any(String), paidAmount: 0 })
    await expectSoundBooks()
  })

  test('is cancelled when its allocation is taken back, and the money stays a credit of the customer', async () => {
    const { amy, issue, pay } = await issuer(kind)
    const { id } = await issue('RECEIPT')
    const payment = await pay(id)
    const allocationId = String(payment.allocations[0]?.id)
    const after = await amy.call('invoices_payments_unallocate', { id: payment.id, allocationId })
    expect(after).toMatchObject({ openRemainder: 100, allocations: [] })
    expect(await balances(amy)).toEqual({ 1000: 100, 2100: -100 })
    expect(await amy.call('invoices_get', { id })).toMatchObject({ cancelledAt: expect.any(String) })
    await expectSoundBooks()
  })
})

describe('the advance that a receipt of a registered issuer states', () => {
  test('pays a later invoice, and is no revenue before', async () => {
    const { amy, issue, pay } = await issuer('company')
    const receipt = await issue('RECEIPT')
    const payment = await pay(receipt.id)
    expect(payment).toMatchObject({ openRemainder: 100, allocatedTotal: 0, allocations: [{ documentId: receipt.id }] })
    const invoice = await issue('INVOICE')
    const used = await amy.call('invoices_payments_allocate', {
      id: payment.id,
      allocations: [{ documentId: invoice.id }],
    })
    expect(used).toMatchObject({ openRemainder: 0, allocatedTotal: 100 })
    expect(await balances(amy)).toEqual({ 1000: 100, 4000: -100 })
    for (const { id } of [receipt, invoice])
      expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID', cancelledAt: null })
    await expectSoundBooks()
    const { payments } = await amy.call('invoices_payments_list', { documentId: invoice.id })
    expect(payments).toMatchObject([{ id: payment.id }])
    await amy.call('invoices_payments_void', { id: payment.id })
    expect(await balances(amy)).toEqual({ 1100: 100, 4000: -100 })
    expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({ cancelledAt: expect.any(String) })
    await expectSoundBooks()
  })

  test('is at the rate of its payment, and its use books the difference', async () => {
    const { amy, issue, pay } = await issuer('company')
    const { id } = await issue('RECEIPT', { currency: 'USD' })
    const payment = await pay(id, 100, monday)
    const invoice = await issue('INVOICE', { currency: 'USD' })
    const allocate = (amount: number) =>
      amy.call('invoices_payments_allocate', { id: payment.id, allocations: [{ documentId: invoice.id, amount }] })
    await allocate(33.33)
    await allocate(66.67)
    expect(await balances(amy)).toEqual({ 1000: 371.79, 4000: -370.99, 7100: -0.8 })
    await expectSoundBooks()
  })

  test('can be refunded, once', async () => {
    const { amy, issue, pay } = await issuer('company')
    const { id } = await issue('RECEIPT')
    const payment = await pay(id)
    await amy.call('invoices_payments_refund', { id: payment.id, paidAt: friday })
    expect(await balances(amy)).toEqual({})
    expect(await openRemainders(amy)).toBe(0)
    const invoice = await issue('INVOICE')
    const allocations = [{ documentId: invoice.id, amount: 1 }]
    await expect(amy.call('invoices_payments_allocate', { id: payment.id, allocations })).rejects.toMatchObject({
      status: 400,
    })
    await expectSoundBooks()
  })

  test('is stated once: the payment pays no second receipt or invoice-receipt', async () => {
    const { amy, issue, pay } = await issuer('company')
    const { id } = await issue('RECEIPT')
    const payment = await pay(id)
    for (const documentType of ['RECEIPT', 'INVOICE_RECEIPT']) {
      const second = await issue(documentType)
      const allocations = [{ documentId: second.id }]
      await expect(amy.call('invoices_payments_allocate', { id: payment.id, allocations })).rejects.toMatchObject({
        status: 409,
        details: [{ code: 'PAYMENT_STATED_ONCE' }],
      })
      const insert = theApp().system.raw.query(
        'insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values ($1, $2, $3, $4, 100)',
        [amy.organizationId, newId(), payment.id, second.id],
      )
      await expect(insert).rejects.toMatchObject({ constraint: 'payment_stated_once' })
    }
    await expect(amy.call('invoices_payments_receipt', { id: payment.id })).rejects.toMatchObject({ status: 409 })
  })

  test('is within the open remainder, and the database says so', async () => {
    const { amy, customerId, issue } = await issuer('company')
    const invoice = await issue('INVOICE')
    const money = { amount: 100, currency: 'ILS', customerId, paidAt: friday }
    const used = await amy.call('invoices_payments_create', { ...money, allocations: [{ documentId: invoice.id }] })
    const open = await amy.call('invoices_payments_create', money)
    const { id } = await issue('RECEIPT')
    const insert = (paymentId: string) =>
      theApp().system.raw.query(
        'insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values ($1, $2, $3, $4, 10000)',
        [amy.organizationId, newId(), paymentId, id],
      )
    await expect(insert(used.id)).rejects.toMatchObject({ constraint: 'allocated_within_payment' })
    await insert(open.id)
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID' })
  })

  test('clearing the invoice or the receipt leaves the money and the other document', async () => {
    const { amy, issue, pay } = await issuer('company')
    const receipt = await issue('RECEIPT')
    const payment = await pay(receipt.id)
    const invoice = await issue('INVOICE')
    const use = () =>
      amy.call('invoices_payments_allocate', { id: payment.id, allocations: [{ documentId: invoice.id }] })
    await use()
    await amy.call('invoices_update', { id: invoice.id, clearReceiptInfo: true })
    expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({ status: 'PAID', cancelledAt: null })
    expect(await balances(amy)).toEqual({ 1000: 100, 1100: 100, 2100: -100, 4000: -100 })
    await use()
    await amy.call('invoices_update', { id: receipt.id, clearReceiptInfo: true })
    expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({ cancelledAt: expect.any(String) })
    expect(await amy.call('invoices_get', { id: invoice.id })).toMatchObject({ status: 'PAID' })
    expect(await balances(amy)).toEqual({ 1000: 100, 4000: -100 })
    await expectSoundBooks()
  })
})
