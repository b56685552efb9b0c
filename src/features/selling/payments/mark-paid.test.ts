import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { whenAvailable } from '../../../test/when-available.ts'
import { member } from '../../../test/world.ts'

const day = { paidAt: '2026-01-31' }
const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }

test('mark-paid issues a draft, pays the open balance, and gives the same answer when repeated', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  const first = await amy.call('invoices_mark_paid', { id, ...paid })
  expect(first).toMatchObject({
    success: true,
    document: {
      id,
      status: 'PAID',
      invoiceNumber: '1',
      paidAmount: 109,
      paymentDate: '2026-01-31',
      paymentMethod: 'CASH',
    },
    payment: { amount: 109, source: 'MARK_PAID', allocations: [{ documentId: id, amount: 109 }] },
    receipt: null,
    email: null,
  })
  expect(await amy.call('invoices_mark_paid', { id, ...paid, paymentMethod: 'CHECK' })).toEqual(first)
})

test.each(['', 'tomorrow', '2026-02-30'])('mark-paid refuses the date %j in every status', async (paymentDate) => {
  const amy = await member('CONTRIBUTOR')
  for (const status of ['DRAFT', 'SENT', 'PAID']) {
    const { id } = await sell(amy, { status })
    await expect(amy.call('invoices_mark_paid', { id, ...paid, paymentDate })).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'paymentDate' }],
    })
    expect(await amy.call('invoices_get', { id })).toMatchObject({ status })
  }
})

test('INV-05: twenty concurrent mark-paid calls for one document create one payment and one receipt', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const all = await Promise.all(
    Array.from({ length: 20 }, () =>
      whenAvailable(() => amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })),
    ),
  )
  expect(new Set(all.map(({ payment }) => payment?.id)).size).toBe(1)
  expect(new Set(all.map(({ receipt }) => receipt?.id)).size).toBe(1)
  expect((await amy.call('invoices_payments_list')).pagination.total).toBe(1)
})

test('a receipt has the amounts of the payment, its own number and no open balance', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const { document, receipt } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(receipt).toMatchObject({
    documentType: 'RECEIPT',
    status: 'PAID',
    invoiceNumber: '1',
    subtotal: 100,
    taxAmount: 9,
    total: 109,
    paidAmount: 109,
    items: [{ description: 'Consulting', amount: 100 }],
    cancelledAt: null,
  })
  expect(document.receiptNumber).toBe('1')
})

test('a tax-free receipt has no tax, and a receipt for a part has its share of the tax', async () => {
  const amy = await member('CONTRIBUTOR')
  const free = await sell(amy, { status: 'SENT' })
  const { receipt } = await amy.call('invoices_mark_paid', { id: free.id, ...paid, generateTaxFreeReceipt: true })
  expect(receipt).toMatchObject({ subtotal: 109, taxAmount: 0, total: 109, taxRate: 0, items: [{ amount: 109 }] })
  const part = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_payments', { id: part.id, amount: 54.5, ...day })
  const second = await amy.call('invoices_mark_paid', { id: part.id, ...paid, generateReceipt: true })
  expect(second.receipt).toMatchObject({ invoiceNumber: '2', subtotal: 50, taxAmount: 4.5, total: 54.5 })
})

test('a receipt for a part has its share of a negative tax', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { taxRate: 0, taxAmount: -10, total: 90, status: 'SENT' })
  await amy.call('invoices_payments', { id, amount: 30, ...day })
  const { receipt } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(receipt).toMatchObject({ subtotal: 66.67, taxAmount: -6.67, total: 60 })
})

test('clearing the payment cancels its receipt and does not delete it', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  const { receipt } = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(await amy.call('invoices_update', { id, clearReceiptInfo: true })).toMatchObject({
    status: 'SENT',
    receiptNumber: null,
    paymentDate: null,
    paymentMethod: null,
  })
  const cancelled = await amy.call('invoices_get', { id: String(receipt?.id) })
  expect(cancelled).toMatchObject({ invoiceNumber: '1', cancelledAt: expect.any(String) })
  await expect(amy.call('invoices_delete', { id: cancelled.id })).rejects.toMatchObject({ status: 409 })
  const again = await amy.call('invoices_mark_paid', { id, ...paid, generateReceipt: true })
  expect(again.receipt?.invoiceNumber).toBe('2')
})
