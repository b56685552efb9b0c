import type { Filterable, Kind } from '../../../core/define/filterable.ts'
import { bankAccountObjects } from '../../bank-accounts/filterable.ts'
import { customerObjects } from '../../customers/filterable.ts'
import { documentObjects } from '../../documents/reading/filterable.ts'
import { expenseCategoryObjects } from '../../expense-categories/filterable.ts'
import { expenseObjects } from '../../expenses/reading/filterable.ts'
import { itemObjects } from '../../items/filterable.ts'
import { memberObjects } from '../../members/filterable.ts'
import { orderObjects } from '../../orders/filterable.ts'
import { organizationObjects } from '../../organizations/filterable.ts'
import { paymentObjects } from '../../payments/filterable.ts'
import { payrollObjects } from '../../payroll/filterable.ts'
import { supplierObjects } from '../../suppliers/filterable.ts'
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
