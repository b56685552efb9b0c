import { expect, test } from 'vitest'
import { spend } from '../../../../test/expenses.ts'
import { member } from '../../../../test/world.ts'

const codes = ({ warnings = [] }: { warnings?: { code: string; path?: string }[] }) =>
  warnings.map(({ code, path }) => [code, path])
const doubt = [['CATEGORY_NOT_IN_SPLITS', 'categoryId']]

test('a categoryId that is none of the categories of the splits is warned about, since the journal follows the splits', async () => {
  const amy = await member('OWNER')
  const { categories } = await amy.call('expense_categories_list')
  const [first = '', second = '', third = ''] = categories.map((each) => each.id)
  const splits = [first, second].map((categoryId) => ({ categoryId, amount: 50 }))
  expect(codes(await spend(amy, { splits, categoryId: second }))).toEqual([])
  expect(codes(await spend(amy, { splits, categoryId: second.toUpperCase() }))).toEqual([])
  const { id, category } = await spend(amy, { splits })
  expect(category?.id).toBe(first)
  expect(codes(await spend(amy, { splits, categoryId: third }))).toEqual(doubt)
  expect(codes(await amy.call('expenses_update_patch_2', { id, categoryId: third }))).toEqual(doubt)
  expect(codes(await amy.call('expenses_status', { id, status: 'APPROVED' }))).toEqual(doubt)
  expect(codes(await amy.call('expenses_update_patch_2', { id, categoryId: second }))).toEqual([])
})

test('without a categoryId the category follows the splits', async () => {
  const amy = await member('OWNER')
  const { categories } = await amy.call('expense_categories_list')
  const [first = '', second = '', third = ''] = categories.map((each) => each.id)
  const splits = (...ids: string[]) => ids.map((categoryId) => ({ categoryId, amount: 100 / ids.length }))
  const { id } = await spend(amy, { splits: splits(first, second) })
  const kept = await amy.call('expenses_update_patch_2', { id, splits: splits(second, first) })
  expect(kept).toMatchObject({ categoryId: first })
  const followed = await amy.call('expenses_update_patch_2', { id, splits: splits(second, third) })
  expect(followed).toMatchObject({ categoryId: second })
  expect(codes(followed)).toEqual([])
  const whole = await amy.call('expenses_update_patch_2', { id, splits: null })
  expect(whole).toMatchObject({ categoryId: second, splits: [] })
})
