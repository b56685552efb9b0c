import { sql } from 'kysely'
import { filterable } from '../../core/define/filterable.ts'

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
})

export const expenseCategoryObjects = { ExpenseCategory }
