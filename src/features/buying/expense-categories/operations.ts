import { sql } from 'kysely'
import { operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, one } from '../../../core/define/query.ts'
import { ById, InOrganization, Success, success, Type } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import {
  ExpenseCategory,
  ExpenseCategoryChanges,
  ExpenseCategoryReplacement,
  NewExpenseCategory,
} from './expense-category.ts'

export const list = operation({
  name: 'expense_categories_list',
  http: 'GET /api/expense-categories',
  does: 'Lists the expense categories of an organization by name.',
  scope: 'expenses:read',
  within: 'organizationId',
  input: InOrganization,
  output: Type.Object({ categories: wholeList(ExpenseCategory) }),
  run: async ({ db }) => ({
    categories: await bounded(db.selectFrom('expenseCategories').selectAll().select(counts))
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .execute(),
  }),
})

export const create = operation({
  name: 'expense_categories_create',
  http: 'POST /api/expense-categories',
  does: 'Adds an expense category to an organization.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewExpenseCategory,
  output: ExpenseCategory,
  status: 201,
  run: ({ db }, { name, color }) =>
    db
      .insertInto('expenseCategories')
      .values({ id: newId(), name, color: color ?? null })
      .returningAll()
      .returning(counts)
      .executeTakeFirstOrThrow(),
})

export const replace = operation({
  name: 'expenses_update',
  http: 'PUT /api/expense-categories/{id}',
  does: 'Replaces the name and color of an expense category, not of an expense: that is expenses_update_put.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenseCategories',
  input: ExpenseCategoryReplacement,
  output: ExpenseCategory,
  run({ db }, { id, name, color = null }) {
    return one(
      db.updateTable('expenseCategories').set({ name, color }).where('id', '=', id).returningAll().returning(counts),
      'expense category',
    )
  },
})

export const update = operation({
  name: 'expenses_update_patch',
  http: 'PATCH /api/expense-categories/{id}',
  does: 'Changes the given fields of an expense category, not of an expense: that is expenses_update_patch_2.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenseCategories',
  input: ExpenseCategoryChanges,
  output: ExpenseCategory,
  run({ db }, changes) {
    return one(
      db.updateTable('expenseCategories').set(changes).where('id', '=', changes.id).returningAll().returning(counts),
      'expense category',
    )
  },
})

export const remove = operation({
  name: 'expenses_delete',
  http: 'DELETE /api/expense-categories/{id}',
  does: 'Deletes an expense category, not an expense (that is expenses_delete_delete); expenses in it are kept without one.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'expenseCategories',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    await one(db.deleteFrom('expenseCategories').where('id', '=', id).returning('id'), 'expense category')
    return success
  },
})

/** The expenses in the category, also those of which only a part is. */
const counts = sql<{ expenses: number }>`jsonb_build_object('expenses',
  (select count(*) from expenses e where e.organization_id = expense_categories.organization_id and e.category_id = expense_categories.id)
  + (select count(distinct s.expense_id) from expense_splits s
    join expenses e on e.organization_id = s.organization_id and e.id = s.expense_id
    where s.organization_id = expense_categories.organization_id and s.category_id = expense_categories.id
      and e.category_id is distinct from s.category_id))`.as('_count')
