import { expect, test } from 'vitest'
import { today } from '../../../../core/values/day.ts'
import { preview, take, where } from '../../../../test/automations/filters.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../../test/violations.ts'
import { member, type Someone, send, theApp } from '../../../../test/world.ts'

const day = today(new Date(), 'Asia/Singapore')
const year = Number(day.slice(0, 4))
const part = (amount: number) => ({ id: 'm', description: 'Rebate', quantity: 1, unitPrice: amount, amount })
const paidEvents = async ({ organizationId }: Someone) =>
  (
    await theApp().system.raw.query("select 1 from events where organization_id = $1 and type = 'invoice.paid'", [
      organizationId,
    ])
  ).rowCount
const historyOf = async (amy: Someone, id: string) =>
  (await amy.call('invoices_events', { id })).events.map(({ type }) => type).toReversed()
test('a fully credited, unpaid invoice is not PAID: nothing is open, and no money was received', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', dueDate: '2026-01-31' })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ creditedAmount: 0, openBalance: 109 })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const credited = { status: 'SENT', paidAmount: 0, creditedAmount: 109, openBalance: 0 }
  expect(await amy.call('invoices_get', { id })).toMatchObject({ ...credited, paymentDate: null, paymentMethod: null })
  const { invoices } = await amy.call('invoices_list', {
    organizationId: String(amy.organizationId),
    documentType: 'INVOICE',
  })
  expect(invoices).toMatchObject([{ ...credited, payments: [] }])
  expect(await paidEvents(amy)).toBe(0)
  expect(await historyOf(amy, id)).not.toContain('PAID')
})

test('a fully credited invoice cannot be paid, neither by a payment nor by a status nor by mark-paid', async () => {
  const amy = await member('CONTRIBUTOR')
  const open = await sell(amy, { status: 'SENT' })
  expect(await amy.call('invoices_payments', { id: open.id, amount: 1, paidAt: day })).toMatchObject({ amount: 1 })
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const refused = { status: 400, details: [{ code: 'AMOUNT_OVER_OPEN' }] }
  await expect(amy.call('invoices_payments', { id, amount: 1, paidAt: day })).rejects.toMatchObject(refused)
  await expect(amy.call('invoices_update', { id, status: 'PAID' })).rejects.toMatchObject(refused)
  const paid = { paymentDate: day, paymentMethod: 'CASH', sendReceiptEmail: false }
  await expect(amy.call('invoices_mark_paid', { id, ...paid })).rejects.toMatchObject(refused)
  await expect(theApp().system.raw.query("update documents set status = 'PAID' where id = $1", [id])).rejects.toThrow(
    'settled_when_paid',
  )
})

test('a partly credited invoice is PAID by the rest, and its paid amount is the money', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [part(20)] })
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    status: 'SENT',
    creditedAmount: 21.8,
    openBalance: 87.2,
  })
  const payment = await amy.call('invoices_payments', { id, amount: 87.2, paidAt: '2026-02-05', method: 'CASH' })
  const settled = { status: 'PAID', paidAmount: 87.2, creditedAmount: 21.8, openBalance: 0, paymentMethod: 'CASH' }
  expect(await amy.call('invoices_get', { id })).toMatchObject(settled)
  expect(await paidEvents(amy)).toBe(1)
  await amy.call('invoices_payments_void', { id: payment.id })
  expect(await amy.call('invoices_get', { id })).toMatchObject({ status: 'SENT', paidAmount: 0, openBalance: 87.2 })
})

test('a memo over what is open of a partly paid invoice makes it PAID, with the date and method of the payment', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_payments', { id, amount: 54.5, paidAt: '2026-02-05', method: 'CASH' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [part(50)] })
  const settled = { status: 'PAID', paidAmount: 54.5, creditedAmount: 54.5, openBalance: 0 }
  expect(await amy.call('invoices_get', { id })).toMatchObject({
    ...settled,
    paymentDate: '2026-02-05',
    paymentMethod: 'CASH',
  })
  expect(await paidEvents(amy)).toBe(1)
  expect((await historyOf(amy, id)).at(-1)).toBe('PAID')
})

test('a credit that is applied to another document counts as paid there, because money was received for it', async () => {
  const amy = await member('CONTRIBUTOR')
  const paid = await sell(amy, { status: 'PAID' })
  await amy.call('invoices_memos', { id: paid.id, kind: 'CREDIT' })
  const { payments } = await amy.call('invoices_payments_list')
  const credit = String(payments.find(({ source }) => source === 'CREDIT_MEMO')?.id)
  const other = await sell(amy, { status: 'SENT', customerId: paid.customerId })
  await amy.call('invoices_payments_allocate', { id: credit, allocations: [{ documentId: other.id }] })
  expect(await amy.call('invoices_get', { id: other.id })).toMatchObject({
    status: 'PAID',
    paidAmount: 109,
    creditedAmount: 0,
  })
})

test('the dashboard counts a credited invoice neither as revenue nor as outstanding, pending or due', async () => {
  const amy = await member('CONTRIBUTOR')
  const organizationId = String(amy.organizationId)
  const figures = async () => {
    const { totalRevenue, outstandingAmount, pendingAmount, pendingPaymentsList } = await amy.call('dashboard_get', {
      organizationId,
      year,
    })
    return [totalRevenue, outstandingAmount, pendingAmount, pendingPaymentsList.length]
  }
  const sent = await sell(amy, { status: 'SENT' })
  const unsent = await sell(amy, { status: 'UNSENT' })
  expect(await figures()).toEqual([0, 109, 109, 2])
  await amy.call('invoices_memos', { id: sent.id, kind: 'CREDIT' })
  await amy.call('invoices_memos', { id: unsent.id, kind: 'CREDIT', items: [part(20)] })
  expect(await figures()).toEqual([0, 0, 87.2, 1])
  await amy.call('invoices_update', { id: unsent.id, status: 'PAID' })
  expect(await figures()).toEqual([87.2, 0, 0, 0])
  await expectSoundBooks()
})

test('filters, customer page and print show the credited amount and the open balance', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [part(20)] })
  const extract = take('Document.creditedAmount', 'Document.openBalance')
  const found = await preview(amy, { root: 'Document', predicates: [where('Document', 'id', 'eq', id)], extract })
  expect(found.sample).toEqual([{ creditedAmount: 21.8, openBalance: 87.2 }])
  const { url } = await amy.call('invoices_link', { id })
  const page = await send({ method: 'GET', url: new URL(url).pathname })
  expect(page.body).toMatch(/Credited[\s\S]*21\.80[\s\S]*87\.20/)
  await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect((await send({ method: 'GET', url: new URL(url).pathname })).body).toContain('Credited in full')
})

test('a credit memo is open until its credit is used or refunded, and says how much is left', async () => {
  const amy = await member('MANAGER')
  const { id, customerId } = await sell(amy, { status: 'PAID' })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  expect(memo).toMatchObject({ status: 'UNSENT', total: 109, paidAmount: 0, openBalance: 109 })
  const { payments } = await amy.call('invoices_payments_list')
  const credit = String(payments.find(({ source }) => source === 'CREDIT_MEMO')?.id)
  const other = await sell(amy, { status: 'SENT', customerId })
  const used = await amy.call('invoices_payments_allocate', {
    id: credit,
    allocations: [{ documentId: other.id, amount: 9 }],
  })
  const part = { status: 'UNSENT', paidAmount: 9, openBalance: 100 }
  expect(await amy.call('invoices_get', { id: memo.id })).toMatchObject(part)
  const organizationId = String(amy.organizationId)
  const { invoices } = await amy.call('invoices_list', { organizationId, documentType: 'CREDIT_MEMO' })
  expect(invoices).toMatchObject([part])
  const extract = take('Document.paidAmount', 'Document.openBalance', 'Document.status')
  const predicates = [where('Document', 'id', 'eq', memo.id)]
  expect((await preview(amy, { root: 'Document', predicates, extract })).sample).toEqual([part])
  const refund = await amy.call('invoices_payments_refund', { id: credit, paidAt: day })
  const usedUp = { status: 'PAID', paidAmount: 109, openBalance: 0 }
  expect(await amy.call('invoices_get', { id: memo.id })).toMatchObject(usedUp)
  await amy.call('invoices_update', { id: memo.id, status: 'PAID' })
  await amy.call('invoices_payments_void', { id: refund.id })
  expect(await amy.call('invoices_get', { id: memo.id })).toMatchObject(part)
  expect(await amy.call('invoices_update', { id: memo.id, status: 'SENT' })).toMatchObject({ status: 'SENT' })
  await amy.call('invoices_payments_unallocate', { id: credit, allocationId: String(used.allocations[0]?.id) })
  const unused = { status: 'SENT', paidAmount: 0, openBalance: 109 }
  expect(await amy.call('invoices_get', { id: memo.id })).toMatchObject(unused)
  expect(await paidEvents(amy)).toBe(1)
  await expectSoundBooks()
})

test('a credit memo is not marked as paid: it becomes PAID when its credit is used up', async () => {
  const amy = await member('MANAGER')
  const open = await sell(amy, { status: 'SENT' })
  const settled = await amy.call('invoices_memos', { id: open.id, kind: 'CREDIT' })
  expect(settled).toMatchObject({ status: 'PAID', paidAmount: 109, openBalance: 0 })
  const { id } = await sell(amy, { status: 'PAID' })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT' })
  const refused = { status: 409, details: [{ code: 'NOT_OWED' }] }
  const payment = { paymentDate: day, paymentMethod: 'CASH', sendReceiptEmail: false }
  await expect(amy.call('invoices_mark_paid', { id: memo.id, ...payment })).rejects.toMatchObject(refused)
  await expect(amy.call('invoices_update', { id: memo.id, status: 'PAID' })).rejects.toMatchObject(refused)
  await expect(
    theApp().system.raw.query("update documents set status = 'PAID' where id = $1", [memo.id]),
  ).rejects.toThrow('credit is used up')
})

test('the history of a credited invoice names the memo, and no payment', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [part(20)] })
  expect(await historyOf(amy, id)).toEqual(['CREATED', 'ISSUED', 'MEMO_ISSUED'])
})
