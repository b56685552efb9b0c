import type { Filterable, Kind } from '../../../../core/define/filterable.ts'
import { bankAccountObjects } from '../../../books/bank-accounts/filterable.ts'
import { expenseCategoryObjects } from '../../../buying/expense-categories/filterable.ts'
import { expenseObjects } from '../../../buying/expenses/reading/filterable.ts'
import { supplierObjects } from '../../../buying/suppliers/filterable.ts'
import { memberObjects } from '../../../company/members/filterable.ts'
import { organizationObjects } from '../../../company/organizations/filterable.ts'
import { orderObjects } from '../../../goods/orders/filterable.ts'
import { payrollObjects } from '../../../pay/payroll/filterable.ts'
import { customerObjects } from '../../../selling/customers/filterable.ts'
import { documentObjects } from '../../../selling/documents/reading/filterable.ts'
import { itemObjects } from '../../../selling/items/filterable.ts'
import { paymentObjects } from '../../../selling/payments/filterable.ts'
import { automationObjects } from '../filterable.ts'

export type FilterObjects = Readonly<Record<string, Filterable>>

/** All objects that a filter can read, by name. Each feature adds its own here. */
export const filterObjects: FilterObjects = {
  ...documentObjects,
  ...customerObjects,
  ...paymentObjects,
  ...bankAccountObjects,
  ...expenseObjects,
  ...expenseCategoryObjects,
  ...supplierObjects,
  ...itemObjects,
  ...orderObjects,
  ...payrollObjects,
  ...memberObjects,
  ...organizationObjects,
  ...automationObjects,
}

type FieldType = 'string' | 'number' | 'boolean' | 'date'

/** The objects as the API describes them: their fields and their relations to other objects. */
type FilterCatalog = Record<string, { fields: { name: string; type: FieldType }[]; morphisms: Record<string, string> }>

const typeOf: Record<Kind, FieldType> = {
  id: 'string',
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  day: 'date',
  instant: 'date',
}

export const filterCatalog: FilterCatalog = Object.fromEntries(
  Object.entries(filterObjects).map(([object, { fields, relations }]) => [
    object,
    {
      fields: Object.entries(fields).map(([name, { kind }]) => ({ name, type: typeOf[kind] })),
      morphisms: Object.fromEntries(Object.entries(relations).map(([name, { to }]) => [name, to])),
    },
  ]),
)
