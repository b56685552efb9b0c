import { openingBalanceImporter } from '../features/books/accounts/import-opening-balances.ts'
import { customerImporter, supplierImporter } from '../features/buying/suppliers/import-parties.ts'
import { employeeImporter } from '../features/pay/payroll/employees/import-employees.ts'
import type { Importers } from '../features/platform/imports/importer.ts'
import { itemImporter } from '../features/selling/items/import-items.ts'

/** What each kind of import reads and writes. */
export const importers: Importers = {
  CUSTOMERS: customerImporter,
  SUPPLIERS: supplierImporter,
  ITEMS: itemImporter,
  OPENING_BALANCES: openingBalanceImporter,
  EMPLOYEES: employeeImporter,
}
