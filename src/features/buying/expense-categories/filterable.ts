import { sql } from 'kysely'
import { filterable, toMany } from '../../../core/define/filterable.ts'

const ExpenseCategory = filterable({
  feature: 'expenses',
  from: sql`expense_categories`,
  fields: {
    id: 'id',
    organizationId: 'id',
    name: 'text',
    color: 'text',
    isDefault: 'boolean',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  relations: { expenses: toMany('Expense', 'id', 'categoryId') },
})

export const expenseCategoryObjects = { ExpenseCategory }
