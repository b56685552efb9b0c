import { expect, test } from 'vitest'
import { member } from '../../../test/world.ts'
import { firstCategories } from '../../company/organizations/first-categories.ts'

test('a new organization starts with default categories, listed by name', async () => {
  const amy = await member('VIEWER')
  const { categories } = await amy.call('expense_categories_list')
  expect(categories.map(({ name, color, isDefault, _count }) => ({ name, color, isDefault, _count }))).toEqual(
    firstCategories
      .map((category) => ({ ...category, isDefault: true, _count: { expenses: 0 } }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
})

test('a category has every documented field and is no default', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('expense_categories_create', { name: 'Books', color: '#123456' })
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organizationId: amy.organizationId,
    name: 'Books',
    color: '#123456',
    isDefault: false,
    _count: { expenses: 0 },
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  })
  expect((await amy.call('expense_categories_create', { name: 'Tea' })).color).toBeNull()
  const { categories } = await amy.call('expense_categories_list', { organizationId: amy.organizationId ?? '' })
  expect(categories.find(({ id }) => id === created.id)).toEqual(created)
})

test.each([{}, { name: '' }, { name: null }, { name: 'Tea', color: 5 }, { name: 'Tea', icon: 'cup' }])(
  'a category %j is refused, new or in place of another',
  async (wrong) => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await amy.call('expense_categories_create', { name: 'Books' })
    await expect(amy.call('expense_categories_create', wrong as never)).rejects.toMatchObject({ status: 400 })
    await expect(amy.call('expenses_update', { id, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
  },
)

test('PUT needs the name and removes the color if it is left out', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('expense_categories_create', { name: 'Books', color: '#123456' })
  expect(await amy.call('expenses_update', { id, name: 'Reading', color: '#abc' })).toMatchObject({
    name: 'Reading',
    color: '#abc',
    _count: { expenses: 0 },
  })
  expect(await amy.call('expenses_update', { id, name: 'Reading' })).toMatchObject({ name: 'Reading', color: null })
})

test('PATCH changes what it names', async () => {
  const amy = await member('CONTRIBUTOR')
  const before = await amy.call('expense_categories_create', { name: 'Books', color: '#123456' })
  const { id } = before
  expect(await amy.call('expenses_update_patch', { id })).toEqual(before)
  expect(await amy.call('expenses_update_patch', { id, name: 'Reading' })).toMatchObject({
    name: 'Reading',
    color: '#123456',
  })
  expect(await amy.call('expenses_update_patch', { id, color: null })).toMatchObject({ name: 'Reading', color: null })
  await expect(amy.call('expenses_update_patch', { id, name: '' })).rejects.toMatchObject({ status: 400 })
})

test('callers cannot set whether a category is a default one', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('expense_categories_create', { name: 'Books', isDefault: true })
  expect(created.isDefault).toBe(false)
  expect((await amy.call('expenses_update_patch', { id: created.id, isDefault: true })).isDefault).toBe(false)
})

test('any category can be deleted, the default ones too', async () => {
  const amy = await member('CONTRIBUTOR')
  const { categories } = await amy.call('expense_categories_list')
  for (const { id } of categories) expect(await amy.call('expenses_delete', { id })).toEqual({ success: true })
  expect(await amy.call('expense_categories_list')).toEqual({ categories: [] })
  await expect(amy.call('expenses_delete', { id: categories[0]?.id ?? '' })).rejects.toMatchObject({ status: 404 })
})

test('an expense counts once in each of its categories, also with several lines of one category', async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  const counts = async () => {
    const { categories } = await amy.call('expense_categories_list', { organizationId })
    return categories.filter(({ _count }) => _count.expenses > 0).map(({ name, _count }) => [name, _count.expenses])
  }
  const { categories } = await amy.call('expense_categories_list', { organizationId })
  const idOf = (wanted: string) => categories.find(({ name }) => name === wanted)?.id ?? ''
  const spend = (more: object) =>
    amy.call('expenses_create', { organizationId, amount: 30, currency: 'SGD', date: '2026-01-31', ...more })
  await spend({ categoryId: idOf('Meals') })
  const split = ['Meals', 'Meals', 'Travel'].map((name) => ({ categoryId: idOf(name), amount: 10 }))
  const { id } = await spend({ splits: split })
  expect(await counts()).toEqual([['Meals', 2], ['Travel', 1]]) // biome-ignore format: a list of words
  await amy.call('expenses_update_patch_2', { id, categoryId: idOf('Office'), splits: null })
  expect(await counts()).toEqual([['Meals', 1], ['Office', 1]]) // biome-ignore format: a list of words
  await amy.call('expenses_delete_delete', { id })
  expect(await counts()).toEqual([['Meals', 1]])
})
