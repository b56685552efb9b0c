import { Count, Id, identity, NonEmpty, nullable, optional, type Static, Text, Type } from '../../core/define/schema.ts'

const given = { name: NonEmpty, color: nullable(Text) }

export const ExpenseCategory = Type.Object({
  ...identity,
  ...given,
  isDefault: Type.Boolean({ description: 'Whether the organization was founded with it.' }),
  _count: Type.Object({ expenses: Count }),
})
export type ExpenseCategory = Static<typeof ExpenseCategory>

export const NewExpenseCategory = Type.Object({
  organizationId: Type.Optional(Id),
  name: NonEmpty,
  ...optional({ color: given.color }),
})
export const ExpenseCategoryReplacement = Type.Object({ id: Id, name: NonEmpty, ...optional({ color: given.color }) })
export const ExpenseCategoryChanges = Type.Object({ id: Id, ...optional(given) })

/** What an organization starts with. */
export const firstCategories = [
  { name: 'Office', color: '#4f7cac' },
  { name: 'Software', color: '#6b5ca5' },
  { name: 'Travel', color: '#2a9d8f' },
  { name: 'Meals', color: '#e9a23b' },
  { name: 'Marketing', color: '#d1495b' },
  { name: 'Professional services', color: '#3d5a80' },
  { name: 'Rent and utilities', color: '#8d6a9f' },
  { name: 'Equipment', color: '#5b8e7d' },
  { name: 'Other', color: '#8a8d91' },
]
