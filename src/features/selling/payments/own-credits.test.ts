import { expect, test } from 'vitest'
import { today } from '../../../core/values/day.ts'
import { sell } from '../../../test/sales-documents.ts'
import { expectSoundBooks } from '../../../test/violations.ts'
import { member, type Someone } from '../../../test/world.ts'

const day = today(new Date(), 'Asia/Singapore')
const paid = { status: 'PAID', paymentDate: day, paymentMethod: 'CASH' }
const rebate = (amount: number) => ({ id: 'r', description: 'Rebate', quantity: 1, unitPrice: amount, amount })
/** An invoice over 109 that was paid and then credited with 21.80, which is open for the customer. */
async function creditedAfterPayment(amy: Someone, more = {}) {
  const { id, customerId } = await sell(amy, { ...paid, ...more })
  const { payments } = await amy.call('invoices_payments_list', { documentId: id })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [rebate(20)] })
  const credits = (await amy.call('invoices_payments_list')).payments.filter(({ source }) => source === 'CREDIT_MEMO')
  return { id, customerId, memo, payment: String(payments[0]?.id), credit: String(credits[0]?.id) }
}
const shown = async (amy: Someone, id: string) => {
  const { status, paidAmount, creditedAmount, openBalance } = await amy.call('invoices_get', { id })
  return { status, paidAmount, creditedAmount, openBalance }
}
const fallenBack = { status: 'UNSENT', paidAmount: 0, creditedAmount: 21.8, openBalance: 87.2 }

test('the open credit of a memo falls back on the invoice it corrects when the payment of the invoice is voided', async () => {
  const amy = await member('MANAGER')
  const { id, payment, credit, memo } = await creditedAfterPayment(amy)
  expect(await shown(amy, id)).toEqual({ status: 'PAID', paidAmount: 109, creditedAmount: 0, openBalance: 0 })
  await amy.call('invoices_payments_void', { id: payment })
  expect(await shown(amy, id)).toEqual(fallenBack)
  const { payments } = await amy.call('invoices_payments_list')
  expect(payments.find((each) => each.id === credit)).toMatchObject({ openRemainder: 0, allocatedTotal: 21.8 })
  const { events } = await amy.call('invoices_events', { id })
  expect(events.find(({ type }) => type === 'CREDIT_APPLIED')).toMatchObject({
    payload: { memoId: memo.id, amount: 21.8, currency: 'SGD', userId: amy.userId },
  })
  await expectSoundBooks()
})

test('it falls back when the payment is cleared on the document, and when the allocation is taken back', async () => {
  const amy = await member('MANAGER')
  const cleared = await creditedAfterPayment(amy)
  await amy.call('invoices_update', { id: cleared.id, clearReceiptInfo: true })
  expect(await shown(amy, cleared.id)).toEqual(fallenBack)
  const bob = await member('MANAGER')
  const taken = await creditedAfterPayment(bob)
  const { payments } = await bob.call('invoices_payments_list', { documentId: taken.id })
  const allocationId = String(payments[0]?.allocations[0]?.id)
  await bob.call('invoices_payments_unallocate', { id: taken.payment, allocationId })
  expect(await shown(bob, taken.id)).toEqual(fallenBack)
  await expectSoundBooks()
})

test('several memos fall back, the oldest first, and no further than the invoice is open', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_payments', { id, amount: 89, paidAt: day })
  const second = await amy.call('invoices_payments', { id, amount: 20, paidAt: day })
  const memos = []
  for (const amount of [10, 20])
    memos.push(await amy.call('invoices_memos', { id, kind: 'CREDIT', items: [rebate(amount)] }))
  await amy.call('invoices_payments_void', { id: second.id })
  expect(await shown(amy, id)).toEqual({ status: 'PAID', paidAmount: 89, creditedAmount: 20, openBalance: 0 })
  const left = await Promise.all(memos.map(async (memo) => (await shown(amy, memo.id)).openBalance))
  expect(left).toEqual([0, 12.7])
  await expectSoundBooks()
})

test('a credit that was used for another document falls back once it is free again', async () => {
  const amy = await member('MANAGER')
  const { id, customerId, payment, credit } = await creditedAfterPayment(amy)
  const other = await sell(amy, { status: 'SENT', customerId })
  const allocations = [{ documentId: other.id }]
  const used = await amy.call('invoices_payments_allocate', { id: credit, allocations })
  await amy.call('invoices_payments_void', { id: payment })
  expect(await shown(amy, id)).toMatchObject({ creditedAmount: 0, openBalance: 109 })
  const allocationId = String(used.allocations[0]?.id)
  await amy.call('invoices_payments_unallocate', { id: credit, allocationId })
  expect(await shown(amy, id)).toEqual(fallenBack)
  expect(await shown(amy, other.id)).toMatchObject({ paidAmount: 0, openBalance: 109 })
  await expectSoundBooks()
})

test('a credit that was refunded falls back once the refund is voided', async () => {
  const amy = await member('MANAGER')
  const { id, payment, credit } = await creditedAfterPayment(amy)
  const refund = await amy.call('invoices_payments_refund', { id: credit, paidAt: day })
  await amy.call('invoices_payments_void', { id: payment })
  expect(await shown(amy, id)).toMatchObject({ creditedAmount: 0, openBalance: 109 })
  await amy.call('invoices_payments_void', { id: refund.id })
  expect(await shown(amy, id)).toEqual(fallenBack)
  await expectSoundBooks()
})

test('INV-03: a credit that is refunded or used while the payment is voided is never used twice', async () => {
  const amy = await member('MANAGER')
  for (const turn of [0, 1, 2, 3, 4, 5]) {
    const { id, customerId, payment, credit } = await creditedAfterPayment(amy)
    const other = await sell(amy, { status: 'SENT', customerId })
    const use = () =>
      turn % 2 === 0
        ? amy.call('invoices_payments_refund', { id: credit, paidAt: day })
        : amy.call('invoices_payments_allocate', { id: credit, allocations: [{ documentId: other.id }] })
    const [voided, used] = await Promise.allSettled([amy.call('invoices_payments_void', { id: payment }), use()])
    expect(voided.status).toBe('fulfilled')
    const { creditedAmount } = await shown(amy, id)
    expect(creditedAmount).toBe(used.status === 'fulfilled' ? 0 : 21.8)
    if (used.status === 'rejected') expect(used.reason).toMatchObject({ status: 409 })
  }
  await expectSoundBooks()
})

test('two credits that are freed at the same time both fall back on their documents', async () => {
  const amy = await member('MANAGER')
  const one = await creditedAfterPayment(amy)
  const two = await creditedAfterPayment(amy, { customerId: one.customerId })
  const third = await sell(amy, { status: 'SENT', customerId: one.customerId })
  const use = async (credit: string, documentId: string) => {
    const { allocations } = await amy.call('invoices_payments_allocate', { id: credit, allocations: [{ documentId }] })
    return { id: credit, allocationId: String(allocations[0]?.id) }
  }
  const first = await use(one.credit, third.id)
  await amy.call('invoices_payments_void', { id: one.payment })
  const second = await use(two.credit, one.id)
  await amy.call('invoices_payments_void', { id: two.payment })
  await Promise.all([first, second].map((each) => amy.call('invoices_payments_unallocate', each)))
  expect(await shown(amy, one.id)).toEqual(fallenBack)
  expect(await shown(amy, two.id)).toEqual(fallenBack)
  await expectSoundBooks()
})
