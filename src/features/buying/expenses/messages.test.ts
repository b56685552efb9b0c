import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { spend, spendApproved } from '../../../test/expenses.ts'
import { member, type Someone } from '../../../test/world.ts'

/** What a refusal says fits expenses: its path names the field that was sent, and its sentence a step that helps. */

const paidAt = '2026-02-01'
const money = { amount: 30, currency: 'SGD', paidAt }

let amy: Someone
beforeAll(async () => {
  amy = await member('OWNER')
})

const change = (id: string, changes: object) => amy.call('expenses_update_patch_2', { id, ...changes })
const pay = (id: string, amount: number) => amy.call('expenses_payments', { id, amount, paidAt })

test('an unknown expense in allocations', async () => {
  const { id } = await spend(amy)
  const refused = (expenseId: string) => ({
    status: 400,
    details: [
      { path: `allocations.1.${expenseId}`, message: 'The expense does not exist.', code: 'UNKNOWN_REFERENCE' },
    ],
  })
  const allocations = [{ expenseId: id, amount: 1 }, { expenseId: newId() }]
  const paying = amy.call('expenses_payments_create', { ...money, allocations })
  await expect(paying).rejects.toMatchObject(refused('expenseId'))
  const { id: paymentId } = await amy.call('expenses_payments_create', money)
  const later = amy.call('expenses_payments_allocate', { id: paymentId, allocations })
  await expect(later).rejects.toMatchObject(refused('expenseId'))
})

test('an unknown category of an expense and of a split', async () => {
  const { categories } = await amy.call('expense_categories_list')
  const known = { categoryId: categories[0]?.id ?? '', amount: 40 }
  const unknown = { categoryId: newId(), amount: 60 }
  const refused = (path: string) => ({ status: 400, details: [{ path, code: 'UNKNOWN_REFERENCE' }] })
  await expect(spend(amy, { splits: [known, unknown] })).rejects.toMatchObject(refused('splits.1.categoryId'))
  await expect(spend(amy, { categoryId: newId() })).rejects.toMatchObject(refused('categoryId'))
  const upper = { ...known, categoryId: known.categoryId.toUpperCase(), amount: 100 }
  const { id } = await spend(amy, { splits: [upper] })
  await expect(change(id, { splits: [unknown, known] })).rejects.toMatchObject(refused('splits.0.categoryId'))
})

test('a change of a paid draft', async () => {
  const supplier = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const claimant = await amy.call('customers_create', { name: 'Dana', country: 'SG', kind: 'INDIVIDUAL' })
  const { id } = await spend(amy)
  await pay(id, 40)
  const says = (message: string) => ({
    ...{ status: 409, message: expect.stringContaining(message), details: [{ code: 'HAS_PAYMENTS' }] },
  })
  const party = 'The expense has payments. Void them before you change its currency, supplier or claimant.'
  for (const changes of [{ currency: 'USD' }, { supplierId: supplier.id }, { claimantId: claimant.id }])
    await expect(change(id, changes)).rejects.toMatchObject(says(party))
  const lower = '40 SGD of the expense is paid. Void payments before you lower its amount below that.'
  await expect(change(id, { amount: 39.99 })).rejects.toMatchObject(says(lower))
  expect(await change(id, { amount: 40 })).toMatchObject({ openBalance: 0 })
})

test('a refund of a payment without a remainder', async () => {
  const { id } = await spend(amy)
  const { payments } = await pay(id, 100)
  const refund = amy.call('expenses_payments_refund', { id: payments[0]?.id ?? '', paidAt })
  const message = expect.stringContaining('DELETE /api/expenses/payments/{id}/allocations/{allocationId}')
  await expect(refund).rejects.toMatchObject({ status: 409, message, details: [{ code: 'NOTHING_OPEN' }] })
})

test('a payment of a rejected expense, and its deletion', async () => {
  const { id } = await spend(amy)
  const { payments } = await pay(id, 40)
  await amy.call('expenses_payments_void', { id: payments[0]?.id ?? '' })
  await amy.call('expenses_status', { id, status: 'REJECTED' })
  const message =
    'An expense that is REJECTED cannot be paid. Move it back to DRAFT first (PATCH /api/expenses/{id}/status).'
  await expect(pay(id, 40)).rejects.toMatchObject({ status: 409, message: expect.stringContaining(message) })
  const removing = amy.call('expenses_delete_delete', { id })
  await expect(removing).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('It is rejected, so nothing is owed.'),
  })
})

test('an expense with a credit alone', async () => {
  const { id } = await spendApproved(amy)
  await amy.call('expenses_credits', { id, amount: 40 })
  const refused = { status: 409, message: expect.stringContaining('The supplier has credited this approved expense') }
  await expect(amy.call('expenses_status', { id, status: 'PENDING_REVIEW' })).rejects.toMatchObject(refused)
  await expect(change(id, { amount: 90 })).rejects.toMatchObject(refused)
})
