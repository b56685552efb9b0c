import { expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const day = today(new Date(), 'Asia/Singapore')
const year = Number(day.slice(0, 4))
const request = (amy: Someone, more = {}) => sell(amy, { documentType: 'PAYMENT_REQUEST', status: 'SENT', ...more })
const balances = async ({ organizationId }: Someone) => {
  const { rows } = await theApp().system.raw.query(
    'select account, sum(debit_minor - credit_minor)::int as balance from journal() where organization_id = $1 group by 1',
    [organizationId],
  )
  return Object.fromEntries(rows.filter(({ balance }) => balance !== 0).map((row) => [row.account, row.balance]))
}
const typesOf = async (amy: Someone, id: string) =>
  (await amy.call('invoices_events', { id })).events.map(({ type }) => type).toReversed()

test('an unpaid payment request becomes an invoice, and only the invoice is owed', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id, customerId } = await request(amy, { dueDate: '2031-01-01', notes: 'Thank you' })
  const invoice = await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
  expect(invoice).toMatchObject({
    documentType: 'INVOICE', invoiceNumber: '1', status: 'UNSENT', customerId, total: 109, taxAmount: 9, openBalance: 109,
    paidAmount: 0, dueDate: '2031-01-01', notes: 'Thank you', convertedFromId: id, convertedToId: null,
    items: [{ id: '1', description: 'Consulting', amount: 100 }],
  }) // biome-ignore format: a list of words
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    status: 'SENT',
    openBalance: 0,
    convertedFromId: null,
    convertedToId: invoice.id,
  })
  const figures = await amy.call('dashboard_get', { organizationId: String(amy.organizationId), year })
  expect(figures).toMatchObject({ outstandingAmount: 0, pendingAmount: 109, totalRevenue: 0 })
  expect(figures.pendingPaymentsList).toMatchObject([{ id: invoice.id, openBalance: 109 }])
  expect(await balances(amy)).toEqual({ RECEIVABLES: 10900, REVENUE: -10000, TAX: -900 })
  expect(await typesOf(amy, id)).toEqual(['CREATED', 'ISSUED', 'CONVERTED'])
  expect(await typesOf(amy, invoice.id)).toEqual(['ISSUED'])
  await expectSoundBooks()
})

test('a paid payment request becomes a paid invoice-receipt: the payments move, and nothing is counted twice', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await request(amy)
  await amy.call('invoices_payments', { id, amount: 50, paidAt: day, method: 'CASH' })
  await amy.call('invoices_payments', { id, amount: 59, paidAt: day, method: 'CARD' })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID', paidAmount: 109 })
  const paid = await amy.call('invoices_convert', { id, documentType: 'INVOICE_RECEIPT' })
  expect(paid).toMatchObject({
    documentType: 'INVOICE_RECEIPT',
    status: 'PAID',
    paidAmount: 109,
    openBalance: 0,
    paymentMethod: 'CARD',
  })
  const moved = { status: 'PAID', paidAmount: 0, openBalance: 0, convertedToId: paid.id }
  expect(await amy.call('invoices_get', { id })).toMatchObject(moved)
  const { payments } = await amy.call('invoices_payments_list', { documentId: paid.id })
  expect(payments.map(({ amount, allocations }) => [amount, allocations.map(({ documentId }) => documentId)])).toEqual([
    [59, [paid.id]],
    [50, [paid.id]],
  ])
  const figures = await amy.call('dashboard_get', { organizationId: String(amy.organizationId), year })
  expect(figures).toMatchObject({ totalRevenue: 109, outstandingAmount: 0, paidInvoicesCount: 1 })
  expect(figures.cashFlowByMonth.reduce((sum, { inflow }) => sum + inflow, 0)).toBe(109)
  expect(await balances(amy)).toEqual({ CASH: 10900, REVENUE: -10000, TAX: -900 })
  expect(await typesOf(amy, paid.id)).toEqual(['ISSUED', 'PAYMENT_RECORDED', 'PAYMENT_RECORDED', 'PAID'])
  await expectSoundBooks()
})

test('a partly paid payment request becomes an invoice with the rest open, but no invoice-receipt', async () => {
  const amy = await member('MANAGER')
  const { id } = await request(amy)
  const payment = await amy.call('invoices_payments', { id, amount: 9, paidAt: day })
  await expect(amy.call('invoices_convert', { id, documentType: 'INVOICE_RECEIPT' })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('100 SGD is open'),
    details: [{ code: 'NOT_PAID' }],
  })
  const invoice = await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
  expect(invoice).toMatchObject({ status: 'UNSENT', paidAmount: 9, openBalance: 100 })
  await amy.call('invoices_payments_void', { id: payment.id })
  expect(await amy.call('invoices_get', { id: invoice.id })).toMatchObject({ paidAmount: 0, openBalance: 109 })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ paidAmount: 0, openBalance: 0 })
  expect(await balances(amy)).toEqual({ RECEIVABLES: 10900, REVENUE: -10000, TAX: -900 })
  await expectSoundBooks()
})

test('only an issued payment request is converted, and only once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await request(amy)
  await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
  const convert = (of: string) => amy.call('invoices_convert', { id: of, documentType: 'INVOICE' })
  await expect(convert(id)).rejects.toMatchObject({ status: 409, details: [{ code: 'CONVERTED' }] })
  const draft = await request(amy, { status: 'DRAFT' })
  await expect(convert(draft.id)).rejects.toMatchObject({ status: 409, details: [{ code: 'DRAFT' }] })
  for (const documentType of ['INVOICE', 'RECEIPT', 'INVOICE_RECEIPT']) {
    const other = await sell(amy, { documentType, status: 'SENT' })
    await expect(convert(other.id)).rejects.toMatchObject({ status: 409, details: [{ code: 'NOT_A_REQUEST' }] })
  }
  await expect(amy.call('invoices_payments', { id, amount: 1, paidAt: day })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'CONVERTED' }],
  })
  await expect(amy.call('invoices_cancel', { id })).rejects.toMatchObject({
    status: 409,
    details: [{ code: 'CONVERTED' }],
  })
})

test('two conversions at the same time issue one invoice', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await request(amy)
  const outcomes = await Promise.allSettled(
    [1, 2].map(() => amy.call('invoices_convert', { id, documentType: 'INVOICE' })),
  )
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { invoices } = await amy.call('invoices_list', {
    organizationId: String(amy.organizationId),
    documentType: 'INVOICE',
  })
  expect(invoices).toHaveLength(1)
})

test('a converted payment request that was paid stays PAID: its payments are changed on the invoice', async () => {
  const amy = await member('MANAGER')
  const { id } = await request(amy, { status: 'PAID', paymentDate: day, paymentMethod: 'CASH' })
  const invoice = await amy.call('invoices_convert', { id, documentType: 'INVOICE' })
  expect(invoice).toMatchObject({ status: 'PAID', paidAmount: 109, paymentMethod: 'CASH' })
  const refused = { status: 409, details: [{ code: 'CONVERTED' }] }
  await expect(amy.call('invoices_update', { id, clearReceiptInfo: true })).rejects.toMatchObject(refused)
  const payment = { paymentDate: day, paymentMethod: 'CASH', sendReceiptEmail: false }
  await expect(amy.call('invoices_mark_paid', { id, ...payment })).rejects.toMatchObject(refused)
  await expect(theApp().system.raw.query("update documents set status = 'UNSENT' where id = $1", [id])).rejects.toThrow(
    'converted document',
  )
  await amy.call('invoices_update', { id: invoice.id, clearReceiptInfo: true })
  expect(await amy.call('invoices_get', { id: invoice.id })).toMatchObject({ status: 'UNSENT', openBalance: 109 })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'PAID', convertedToId: invoice.id })
  await expectSoundBooks()
})
