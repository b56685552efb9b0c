import {
  Count,
  Id,
  identity,
  NonEmpty,
  nullable,
  optional,
  type Static,
  Text,
  Type,
} from '../../../core/define/schema.ts'

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
