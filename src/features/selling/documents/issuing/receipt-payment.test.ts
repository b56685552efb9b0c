import { expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member } from '../../../../test/world.ts'

const day = today(new Date(), 'Asia/Singapore')
const year = Number(day.slice(0, 4))
test.each(['RECEIPT', 'INVOICE_RECEIPT'])(
  'a new %s that says how it was paid records its payment',
  async (documentType) => {
    const amy = await member('CONTRIBUTOR')
    const receipt = await sell(amy, { documentType, status: 'SENT', paymentMethod: 'CASH', paymentDate: '2026-02-03' })
    expect(receipt).toMatchObject({
      status: 'PAID',
      paidAmount: 109,
      openBalance: 0,
      payments: [{ paidAt: '2026-02-03', method: 'CASH' }],
    })
    const draft = await sell(amy, { documentType, paymentMethod: 'CASH' })
    expect(draft).toMatchObject({ status: 'DRAFT', payments: [] })
    expect(await amy.call('invoices_update', { id: draft.id, status: 'UNSENT' })).toMatchObject({
      status: 'PAID',
      paidAmount: 109,
      paymentMethod: 'CASH',
    })
    const invoice = await sell(amy, { status: 'SENT', paymentMethod: 'CASH' })
    expect(invoice).toMatchObject({ status: 'SENT', paidAmount: 0 })
    await expectSoundBooks()
  },
)

test.each(['RECEIPT', 'INVOICE_RECEIPT'])(
  'a new %s without a payment is accepted with a warning',
  async (documentType) => {
    const amy = await member('CONTRIBUTOR')
    const receipt = await sell(amy, { documentType, status: 'SENT' })
    expect(receipt).toMatchObject({ status: 'SENT', paidAmount: 0 })
    const codes = (receipt.warnings ?? []).map(({ code }) => code)
    expect(codes).toContain('RECEIPT_WITHOUT_PAYMENT')
    const paid = await sell(amy, { documentType, status: 'PAID' })
    expect((paid.warnings ?? []).map(({ code }) => code)).not.toContain('RECEIPT_WITHOUT_PAYMENT')
  },
)

test('a receipt is cancelled when its payment is voided: nothing is paid, open or outstanding', async () => {
  const amy = await member('MANAGER')
  const { id, payments } = await sell(amy, { documentType: 'RECEIPT', status: 'PAID' })
  await amy.call('invoices_payments_void', { id: String(payments?.[0]?.id) })
  const nothing = { cancelledAt: expect.any(String), paidAmount: 0, openBalance: 0, invoiceNumber: '1' }
  expect(await amy.call('invoices_get', { id })).toMatchObject(nothing)
  const figures = await amy.call('dashboard_get', { organizationId: String(amy.organizationId), year })
  expect(figures).toMatchObject({ outstandingAmount: 0, pendingAmount: 0, pendingPaymentsList: [] })
  await expect(amy.call('invoices_payments', { id, amount: 1, paidAt: day })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'CANCELLED' }],
  })
  await expectSoundBooks()
})

test('a receipt that was issued for a payment shows nothing as paid once the payment is voided', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  const paid = { paymentDate: day, paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
  const { receipt, payment } = await amy.call('invoices_mark_paid', { id, ...paid })
  expect(receipt).toMatchObject({ paidAmount: 109, openBalance: 0 })
  await amy.call('invoices_payments_void', { id: String(payment?.id) })
  const nothing = { cancelledAt: expect.any(String), paidAmount: 0, openBalance: 0 }
  expect(await amy.call('invoices_get', { id: String(receipt?.id) })).toMatchObject(nothing)
})

test('a receipt without a payment can be paid, but is neither outstanding, pending nor overdue', async () => {
  const amy = await member('CONTRIBUTOR')
  const { openBalance } = await sell(amy, { documentType: 'RECEIPT', status: 'SENT', dueDate: day })
  await sell(amy, { documentType: 'RECEIPT', status: 'UNSENT' })
  expect(openBalance).toBe(109)
  const figures = await amy.call('dashboard_get', { organizationId: String(amy.organizationId), year })
  expect(figures).toMatchObject({ outstandingAmount: 0, pendingAmount: 0, pendingPaymentsList: [] })
  await expectSoundBooks()
})
