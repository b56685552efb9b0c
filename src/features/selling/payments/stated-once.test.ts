import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const day = { paidAt: '2026-01-31' }
const receipted = { status: 409, details: [{ code: 'RECEIPTED' }] }
const paidRequest = async (amy: Someone) => {
  const { id } = await sell(amy, { documentType: 'PAYMENT_REQUEST', status: 'SENT' })
  const payment = await amy.call('invoices_payments', { id, amount: 109, ...day })
  return { id, paymentId: payment.id }
}

test('a request whose payment has a receipt becomes an invoice, and an invoice-receipt only after the receipt is cancelled', async () => {
  const amy = await member('MANAGER')
  const { id, paymentId } = await paidRequest(amy)
  const receipt = await amy.call('invoices_payments_receipt', { id: paymentId })
  const convert = () => amy.call('invoices_convert', { id, documentType: 'INVOICE_RECEIPT' })
  await expect(convert()).rejects.toMatchObject(receipted)
  await expect(convert()).rejects.toThrow(/Convert the request to an INVOICE, or cancel the receipt first/)
  await amy.call('invoices_cancel', { id: receipt.id })
  expect(await convert()).toMatchObject({ documentType: 'INVOICE_RECEIPT', status: 'PAID' })
  await expect(amy.call('invoices_payments_receipt', { id: paymentId })).rejects.toMatchObject(receipted)
  const other = await paidRequest(amy)
  await amy.call('invoices_payments_receipt', { id: other.paymentId })
  expect(await amy.call('invoices_convert', { id: other.id, documentType: 'INVOICE' })).toMatchObject({
    status: 'PAID',
  })
  await expectSoundBooks()
})

test('a payment with a valid receipt is not allocated to an invoice-receipt or receipt', async () => {
  const amy = await member('MANAGER')
  const stated = await sell(amy, { status: 'PAID', documentType: 'INVOICE_RECEIPT' })
  const { customerId } = stated
  const { payments } = await amy.call('invoices_payments_list', { documentId: stated.id })
  const [payment] = payments
  const id = String(payment?.id)
  await amy.call('invoices_payments_unallocate', { id, allocationId: String(payment?.allocations[0]?.id) })
  const receipt = await amy.call('invoices_payments_receipt', { id })
  const written = await sell(amy, { status: 'SENT', documentType: 'RECEIPT', customerId })
  const invoice = await sell(amy, { status: 'SENT', customerId })
  for (const documentId of [stated.id, written.id]) {
    const allocations = [{ documentId }]
    await expect(amy.call('invoices_payments_allocate', { id, allocations })).rejects.toMatchObject(receipted)
    const insert = theApp().system.raw.query(
      'insert into allocations (organization_id, id, payment_id, document_id, amount_minor) values ($1, gen_random_uuid(), $2, $3, 100)',
      [amy.organizationId, id, documentId],
    )
    await expect(insert).rejects.toMatchObject({ constraint: 'payment_stated_once' })
  }
  await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId: invoice.id, amount: 9 }] })
  await amy.call('invoices_cancel', { id: receipt.id })
  await amy.call('invoices_payments_allocate', { id, allocations: [{ documentId: stated.id }] })
  await expect(amy.call('invoices_payments_receipt', { id })).rejects.toMatchObject(receipted)
  await expectSoundBooks()
})

test('the database refuses the receipt of a payment that an invoice-receipt states', async () => {
  const amy = await member('MANAGER')
  const { id, customerId } = await sell(amy, { status: 'PAID', documentType: 'INVOICE_RECEIPT' })
  const { payments } = await amy.call('invoices_payments_list', { documentId: id })
  const insert = theApp().system.raw.query(
    `insert into documents (organization_id, id, document_type, status, counterparty_id, currency, minor_digits, issue_date,
       subtotal_minor, tax_minor, total_minor, generator_version, payment_id)
     values ($1, gen_random_uuid(), 'RECEIPT', 'PAID', $2, 'SGD', 2, '2026-11-01', 0, 0, 0, '0', $3)`,
    [amy.organizationId, customerId, payments[0]?.id],
  )
  await expect(insert).rejects.toMatchObject({ constraint: 'payment_stated_once' })
})

test('an invoice-receipt that was issued before its money states it: the payment gets no receipt', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT', documentType: 'INVOICE_RECEIPT' })
  const payment = await amy.call('invoices_payments', { id, amount: 50, ...day })
  await expect(amy.call('invoices_payments_receipt', { id: payment.id })).rejects.toMatchObject(receipted)
})

test('marking a receipt or invoice-receipt as paid issues no other receipt, and says so', async () => {
  const amy = await member('MANAGER')
  for (const documentType of ['RECEIPT', 'INVOICE_RECEIPT']) {
    const { id } = await sell(amy, { status: 'SENT', documentType })
    const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
    const { payment, receipt, document } = await amy.call('invoices_mark_paid', { id, ...paid })
    expect([receipt, document.status]).toEqual([null, 'PAID'])
    expect(payment?.warnings?.map(({ code }) => code)).toContain('RECEIPT_ITSELF')
  }
  await expectSoundBooks()
})

test('of a receipt and an allocation to an invoice-receipt at the same time one is refused', async () => {
  const amy = await member('MANAGER')
  for (let round = 0; round < 5; round++) {
    const { id: documentId, customerId } = await sell(amy, { status: 'SENT', documentType: 'INVOICE_RECEIPT' })
    const money = { amount: 109, currency: 'SGD', customerId, ...day }
    const { id } = await amy.call('invoices_payments_create', money)
    const outcomes = await Promise.allSettled([
      amy.call('invoices_payments_receipt', { id }),
      amy.call('invoices_payments_allocate', { id, allocations: [{ documentId }] }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused).toMatchObject([{ status: 409 }])
  }
  await expectSoundBooks()
})
