import { describe, expect, test } from 'vitest'
import { member, type Someone } from '../../../test/world.ts'

const lunch = { amount: 117, currency: 'SGD', date: '2026-01-31' }

const spend = (someone: Someone, more: object = {}) =>
  someone.call('expenses_create', { ...lunch, organizationId: String(someone.organizationId), ...more })

test('a new expense has every documented field', async () => {
  const amy = await member('CONTRIBUTOR')
  const { categories } = await amy.call('expense_categories_list')
  const [category] = categories
  const customer = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const given = {
    title: 'Lunch', vendor: 'Cafe', categoryId: category?.id, notes: 'with Globex', taxAmount: 17, taxRate: 17,
    paymentMethod: 'CARD', customerIds: [customer.id],
  } // biome-ignore format: a list of words
  const created = await spend(amy, given)
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organizationId: amy.organizationId,
    description: 'Lunch',
    amount: 117,
    currency: 'SGD',
    date: '2026-01-31',
    category: { id: category?.id, name: category?.name },
    vendor: 'Cafe',
    paymentMethod: 'CARD',
    paidAmount: 0,
    creditedAmount: 0,
    openBalance: 117,
    payments: [],
    source: 'MANUAL',
    status: 'DRAFT',
    attachments: [],
    customers: [{ customerId: customer.id, customer: { id: customer.id, name: 'Globex' } }],
    createdBy: { id: amy.userId, name: expect.any(String), email: expect.stringContaining('@') },
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  const detail = await amy.call('expenses_get', { id: created.id })
  expect(detail).toMatchObject({
    ...created,
    category: { id: category?.id, name: category?.name, color: category?.color },
    title: 'Lunch',
    taxAmount: 17,
    taxRate: 17,
    notes: 'with Globex',
    emailMessageId: null,
    order: null,
    splits: [],
  })
  expect((await amy.call('expenses_list', { organizationId: String(amy.organizationId) })).expenses).toEqual([created])
})

describe('PATCH and PUT', () => {
  test('what was read can be written back and changes nothing', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await spend(amy, { title: 'Lunch', taxRate: 17, splits: null })
    const before = await amy.call('expenses_get', { id })
    expect(await amy.call('expenses_update_patch_2', before)).toEqual(before)
    expect(await amy.call('expenses_update_put', before)).toEqual(before)
  })

  test('PUT empties what it leaves out and keeps amount, currency and date', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await spend(amy, {
      title: 'Lunch',
      vendor: 'Cafe',
      taxAmount: 17,
      notes: 'x',
      paymentMethod: 'CARD',
    })
    const after = await amy.call('expenses_update_put', { id, title: 'Dinner' })
    expect(after).toMatchObject({
      ...lunch,
      title: 'Dinner',
      vendor: null,
      taxAmount: null,
      notes: null,
      paymentMethod: null,
    })
  })

  test('the tax follows the amount if a rate is given', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await spend(amy, { taxRate: 17 })
    expect((await amy.call('expenses_get', { id })).taxAmount).toBe(17)
    expect((await amy.call('expenses_update_patch_2', { id, amount: 234 })).taxAmount).toBe(34)
  })

  test('a tax amount that is emptied stays empty beside a rate, through later changes and the approval', async () => {
    const amy = await member('OWNER')
    const { id } = await spend(amy, { taxRate: 17 })
    const patch = (changes: object) => amy.call('expenses_update_patch_2', { id, ...changes })
    expect(await patch({ taxAmount: null })).toMatchObject({ taxAmount: null, taxRate: 17 })
    expect(await patch({ taxAmount: null, taxRate: 18 })).toMatchObject({ taxAmount: null, taxRate: 18 })
    const renamed = await patch({ title: 'Dinner', amount: 90 })
    expect(renamed).toMatchObject({ taxAmount: null, taxRate: 18, amount: 90 })
    expect(await amy.call('expenses_update_put', renamed)).toEqual(renamed)
    expect(await amy.call('expenses_status', { id, status: 'APPROVED' })).toMatchObject({
      taxAmount: null,
      taxRate: 18,
    })
    expect(await patch({ taxRate: 20 })).toMatchObject({ taxAmount: 15, taxRate: 20 })
  })
})

test('an approved expense keeps its amounts; a changed amount takes the approval back', async () => {
  const amy = await member('OWNER')
  const { id } = await spend(amy, { title: 'Lunch' })
  expect(await amy.call('expenses_status', { id, status: 'APPROVED' })).toMatchObject({ status: 'APPROVED' })
  expect(await amy.call('expenses_update_patch_2', { id, title: 'Dinner' })).toMatchObject({
    status: 'APPROVED',
    title: 'Dinner',
  })
  expect(await amy.call('expenses_update_patch_2', { id, amount: 90 })).toMatchObject({
    status: 'PENDING_REVIEW',
    amount: 90,
  })
})

test('several categories on one expense add up to its amount', async () => {
  const amy = await member('OWNER')
  const { categories } = await amy.call('expense_categories_list')
  const splits = [
    { categoryId: categories[0]?.id ?? null, amount: 100, description: 'Chairs' },
    { categoryId: categories[1]?.id ?? null, amount: 17 },
  ]
  const { id } = await spend(amy, { splits })
  const { splits: stored } = await amy.call('expenses_get', { id })
  expect(stored.map(({ categoryId, amount }) => ({ categoryId, amount }))).toEqual(
    splits.map(({ categoryId, amount }) => ({ categoryId, amount })),
  )
  const { expenses } = await amy.call('expenses_list', { categoryId: categories[1]?.id ?? '' })
  expect(expenses.map((each) => each.id)).toEqual([id])
  const wrong = spend(amy, { splits: [{ categoryId: null, amount: 1 }] })
  await expect(wrong).rejects.toMatchObject({ status: 400 })
})
