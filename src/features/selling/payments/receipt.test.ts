import { expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { sell } from '../../../test/sales-documents.ts'
import { whenAvailable } from '../../../test/when-available.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const day = { paidAt: '2026-01-31' }
const customerOf = async (amy: Someone) => (await amy.call('customers_create', { name: 'Globex', country: 'SG' })).id
const pay = (amy: Someone, more: Record<string, unknown>) =>
  amy.call('invoices_payments_create', { amount: 109, currency: 'SGD', ...day, ...more })

test('a part payment gets a receipt over its amount, also after a later payment', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, invoiceNumber } = await sell(amy, { status: 'SENT' })
  const first = await amy.call('invoices_payments', { id, amount: 54.5, method: 'CHECK', ...day })
  await amy.call('invoices_payments', { id, amount: 54.5, method: 'CASH', paidAt: '2026-02-28' })
  const receipt = await amy.call('invoices_payments_receipt', { id: first.id })
  expect(receipt).toMatchObject({
    documentType: 'RECEIPT',
    status: 'PAID',
    invoiceNumber: '1',
    subtotal: 50,
    taxAmount: 4.5,
    total: 54.5,
    paidAmount: 54.5,
    paymentMethod: 'CHECK',
    paymentDate: '2026-01-31',
    items: [{ description: `Payment of ${invoiceNumber}`, amount: 50 }],
  })
  const { events } = await amy.call('invoices_events', { id })
  expect(events.map(({ type }) => type)).toContain('RECEIPT_ISSUED')
})

test('a second request for the receipt of a payment answers the same receipt', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const payment = await amy.call('invoices_payments', { id, amount: 109, ...day })
  const first = await amy.call('invoices_payments_receipt', { id: payment.id })
  const again = await amy.call('invoices_payments_receipt', { id: payment.id })
  await expect(amy.call('invoices_payments_receipt', { id: payment.id, taxFree: true })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'RECEIPTED' }],
  })
  expect([again.id, again.invoiceNumber, again.taxAmount]).toEqual([first.id, '1', 9])
  expect(await amy.call('invoices_get', { id })).toMatchObject({ receiptNumber: '1' })
})

test('mark-paid and the receipt of its payment give one and the same receipt', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }
  const { payment, receipt } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect((await amy.call('invoices_payments_receipt', { id: String(payment?.id) })).id).toBe(receipt?.id)
})

test('twenty concurrent requests issue one receipt', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const payment = await amy.call('invoices_payments', { id, amount: 109, ...day })
  const all = await Promise.all(
    Array.from({ length: 20 }, () => whenAvailable(() => amy.call('invoices_payments_receipt', { id: payment.id }))),
  )
  expect(new Set(all.map((receipt) => receipt.id)).size).toBe(1)
  expect(all[0]?.invoiceNumber).toBe('1')
})

test('a payment over several documents with a rest gets one receipt with a line for each and one on account', async () => {
  const amy = await member('CONTRIBUTOR', { country: 'IL' })
  const customerId = await customerOf(amy)
  const [one, two] = [await sell(amy, { status: 'SENT', customerId }), await sell(amy, { status: 'SENT', customerId })]
  const allocations = [{ documentId: one.id }, { documentId: two.id, amount: 54.5 }]
  const payment = await pay(amy, { amount: 200, allocations, method: 'BANK_TRANSFER' })
  const receipt = await amy.call('invoices_payments_receipt', { id: payment.id })
  expect(receipt.items.map(({ description, amount }) => [description, amount])).toEqual([
    [`Payment of ${one.invoiceNumber}`, 109],
    [`Payment of ${two.invoiceNumber}`, 54.5],
    ['Payment on account', 36.5],
  ])
  expect(receipt).toMatchObject({ subtotal: 200, taxAmount: 0, total: 200, customerId })
  const [paid, open] = [await amy.call('invoices_get', { id: one.id }), await amy.call('invoices_get', { id: two.id })]
  expect([paid.receiptNumber, open.receiptNumber]).toEqual([receipt.invoiceNumber, null])
})

test('where receipts show tax, a receipt over several documents has their shares of it', async () => {
  const amy = await member('OWNER')
  await amy.call('organizations_update', { id: String(amy.organizationId), taxNumber: 'M90364879X' })
  const customerId = await customerOf(amy)
  const [one, two] = [await sell(amy, { status: 'SENT', customerId }), await sell(amy, { status: 'SENT', customerId })]
  const allocations = [{ documentId: one.id }, { documentId: two.id, amount: 54.5 }]
  const payment = await pay(amy, { amount: 163.5, allocations })
  expect(await amy.call('invoices_payments_receipt', { id: payment.id })).toMatchObject({
    subtotal: 150,
    taxAmount: 13.5,
    total: 163.5,
    items: [{ amount: 100 }, { amount: 50 }],
  })
})

test('a deposit of a customer gets a receipt, and one without a customer does not', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customerOf(amy)
  const deposit = await pay(amy, { customerId, amount: 75 })
  expect(await amy.call('invoices_payments_receipt', { id: deposit.id })).toMatchObject({
    customerId,
    total: 75,
    taxAmount: 0,
    items: [{ description: 'Payment on account', amount: 75 }],
  })
  const nobody = await pay(amy, {})
  await expect(amy.call('invoices_payments_receipt', { id: nobody.id })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'NO_CUSTOMER' }],
  })
})

test('a voided payment, a refund, a credit and a payment that its document states get no receipt', async () => {
  const amy = await member('MANAGER')
  const customerId = await customerOf(amy)
  const refused = async (id: string, code: string) =>
    expect(amy.call('invoices_payments_receipt', { id })).rejects.toMatchObject({ status: 409, details: [{ code }] })
  const payment = await pay(amy, { customerId })
  const voided = await pay(amy, { customerId })
  await amy.call('invoices_payments_void', { id: voided.id })
  await refused(voided.id, 'VOIDED')
  const refund = await amy.call('invoices_payments_refund', { id: payment.id, amount: 9, ...day })
  await refused(refund.id, 'REFUND')
  const { id } = await sell(amy, { status: 'SENT', customerId })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const { payments } = await amy.call('invoices_payments_list', { source: 'CREDIT_MEMO' })
  await refused(String(payments[0]?.id), 'CREDITED')
  const stated = await sell(amy, { status: 'PAID', documentType: 'INVOICE_RECEIPT', customerId })
  const own = await amy.call('invoices_payments_list', { documentId: stated.id })
  await refused(String(own.payments[0]?.id), 'RECEIPTED')
  expect(await amy.call('invoices_payments_receipt', { id: payment.id })).toMatchObject({ total: 109 })
})

test('voiding a payment cancels its receipt, which keeps its number, and another payment gets the next one', async () => {
  const amy = await member('MANAGER')
  const customerId = await customerOf(amy)
  const payment = await pay(amy, { customerId })
  const receipt = await amy.call('invoices_payments_receipt', { id: payment.id })
  await amy.call('invoices_payments_void', { id: payment.id })
  expect(await amy.call('invoices_get', { id: receipt.id })).toMatchObject({
    invoiceNumber: '1',
    cancelledAt: expect.any(String),
  })
  await expect(amy.call('invoices_payments_receipt', { id: payment.id })).rejects.toMatchObject({ status: 409 })
  const next = await pay(amy, { customerId })
  expect(await amy.call('invoices_payments_receipt', { id: next.id })).toMatchObject({ invoiceNumber: '2' })
})

test('a receipt that was written as a document is cancelled when its payment is voided', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'PAID', documentType: 'RECEIPT' })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID', cancelledAt: null })
  const { payments } = await amy.call('invoices_payments_list', { documentId: id })
  await amy.call('invoices_payments_void', { id: String(payments[0]?.id) })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ invoiceNumber: '1', cancelledAt: expect.any(String) })
})

test('the database refuses a second valid receipt for a payment', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customerOf(amy)
  const { id: paymentId } = await pay(amy, { customerId })
  const insert = () =>
    theApp().system.raw.query(
      `insert into documents (organization_id, id, document_type, status, counterparty_id, currency, minor_digits, issue_date,
         subtotal_minor, tax_minor, total_minor, generator_version, payment_id)
       values ($1, $2, 'RECEIPT', 'PAID', $3, 'SGD', 2, '2026-11-01', 0, 0, 0, '0', $4)`,
      [amy.organizationId, newId(), customerId, paymentId],
    )
  await insert()
  await expect(insert()).rejects.toMatchObject({ constraint: 'one_receipt_per_payment' })
})

test('the notes and the withheld tax of a receipt that was issued for a payment are frozen', async () => {
  const amy = await member('CONTRIBUTOR')
  const payment = await pay(amy, { customerId: await customerOf(amy) })
  const { id } = await amy.call('invoices_payments_receipt', { id: payment.id })
  const frozen = { status: 409, details: [{ code: 'FROZEN' }] }
  for (const changed of [
    { notes: 'Paid by somebody else' },
    { countrySpecificData: { withholdingTax: 9 } },
    { countrySpecificData: { withheldAmount: 9 } },
  ])
    await expect(amy.call('invoices_update', { id, ...changed })).rejects.toMatchObject(frozen)
  expect(await amy.call('invoices_update', { id, notes: null })).toMatchObject({ notes: null })
  const write = theApp().system.raw.query("update documents set notes = 'x' where id = $1", [id])
  await expect(write).rejects.toMatchObject({ constraint: 'issued_document_is_frozen' })
})

test('a payment that was refunded in full gets no receipt', async () => {
  const amy = await member('CONTRIBUTOR')
  const customerId = await customerOf(amy)
  const refunded = await pay(amy, { customerId })
  await amy.call('invoices_payments_refund', { id: refunded.id, ...day })
  await expect(amy.call('invoices_payments_receipt', { id: refunded.id })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'REFUNDED' }],
  })
})
