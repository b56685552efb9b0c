import { expect, test } from 'vitest'
import { member, type Someone } from '../../../test/world.ts'

const spend = (someone: Someone, more: object = {}) =>
  someone.call('expenses_create', {
    ...{ amount: 100, currency: 'SGD', date: '2026-01-31', organizationId: String(someone.organizationId) },
    ...more,
  })

const paidAt = '2026-02-01'

test('an expense is paid in parts, and what a payment leaves is paid later from its remainder', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await spend(amy)
  const partly = await amy.call('expenses_payments', { id, amount: 40, paidAt, method: 'CASH' })
  expect(partly).toMatchObject({
    paidAmount: 40,
    openBalance: 60,
    payments: [{ amount: 40, allocated: 40, paidAt, method: 'CASH' }],
  })
  await expect(amy.call('expenses_payments', { id, amount: 61, paidAt })).rejects.toMatchObject({ status: 400 })
  const over = await amy.call('expenses_payments', { id, amount: 90, paidAt, allowUnallocated: true })
  expect(over).toMatchObject({ paidAmount: 100, openBalance: 0 })
  expect(over.payments.map(({ amount, allocated }) => [amount, allocated])).toEqual([
    [40, 40],
    [90, 60],
  ])
  const other = await spend(amy)
  const { payments } = await amy.call('expenses_payments_list', { open: 'true' })
  expect(payments).toMatchObject([{ amount: 90, openRemainder: 30 }])
  const paymentId = payments[0]?.id ?? ''
  await amy.call('expenses_payments_allocate', { id: paymentId, allocations: [{ expenseId: other.id }] })
  expect(await amy.call('expenses_get', { id: other.id })).toMatchObject({ paidAmount: 30, openBalance: 70 })
  await amy.call('expenses_payments_void', { id: paymentId, reason: 'bounced' })
  expect(await amy.call('expenses_get', { id: other.id })).toMatchObject({ paidAmount: 0, openBalance: 100 })
  expect(await amy.call('expenses_get', { id })).toMatchObject({ paidAmount: 40, openBalance: 60 })
})

test('payments of expenses and of sales are seen with their own scopes only', async () => {
  const amy = await member('OWNER')
  const { id } = await spend(amy)
  await amy.call('expenses_payments', { id, amount: 40, paidAt })
  const { payments } = await amy.call('expenses_payments_list', {})
  const paymentId = payments[0]?.id ?? ''
  expect((await amy.call('invoices_payments_list', {})).payments).toEqual([])
  for (const call of [
    () => amy.call('invoices_payments_void', { id: paymentId }),
    () => amy.call('invoices_payments_refund', { id: paymentId, paidAt }),
    () => amy.call('invoices_payments_allocate', { id: paymentId, allocations: [{ documentId: id }] }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
})

test('8 clients that pay the same expense at once never pay more than is open', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await spend(amy)
  const answers = await Promise.allSettled(
    Array.from({ length: 8 }, () => amy.call('expenses_payments', { id, amount: 30, paidAt })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await amy.call('expenses_get', { id })).toMatchObject({ paidAmount: 90, openBalance: 10 })
})
