import type { Operation } from './core/operation.ts'
import * as apiKeys from './features/api-keys/operations.ts'
import * as bankAccounts from './features/bank-accounts/operations.ts'
import * as connectedApps from './features/connected-apps/operations.ts'
import * as customers from './features/customers/operations.ts'
import * as recipients from './features/customers/recipients.ts'
import * as expenseCategories from './features/expense-categories/operations.ts'
import * as organizations from './features/organizations/operations.ts'
import * as outbox from './features/outbox/operations.ts'

/** Everything that can be done, by whoever asks: the only file that knows all features. */
const all = [
  ...Object.values(apiKeys),
  ...Object.values(bankAccounts),
  ...Object.values(connectedApps),
  ...Object.values(customers),
  ...Object.values(recipients),
  ...Object.values(expenseCategories),
  ...Object.values(organizations),
  ...Object.values(outbox),
]

/** An operation of the list, with its name and schemas known to the compiler. */
export type AnyOperation = (typeof all)[number]

export const operations: readonly Operation[] = all as readonly unknown[] as readonly Operation[]
