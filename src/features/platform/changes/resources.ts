import { atLeast, type Feature, hasScope, type Role, type Scope } from '../../../core/define/access.ts'
import type { Operation } from '../../../core/define/operation.ts'
import { memoize } from '../../../core/values/memoize.ts'

/** What can change: who may read it, and whether only the person who changed it is told. */
type Resource = { scope: Scope; role: Role; own?: true }

const read = (scope: Scope, role: Role = 'VIEWER'): Resource => ({ scope, role })

export const resources = {
  documents: read('invoices:read'),
  payments: read('invoices:read'),
  customers: read('customers:read'),
  suppliers: read('suppliers:read'),
  orders: read('orders:read'),
  items: read('logistics:read'),
  stock: read('logistics:read'),
  expenses: read('expenses:read'),
  expense_payments: read('expenses:read'),
  expense_categories: read('expenses:read'),
  scan_batches: read('expenses:read'),
  mailboxes: read('integrations:read'),
  mailbox_runs: read('integrations:read'),
  tax_authorities: read('integrations:read'),
  bank_accounts: read('bank_accounts:read'),
  accounts: read('reports:read'),
  journal_entries: read('reports:read'),
  employees: read('payroll:read', 'CONTRIBUTOR'),
  payslips: read('payroll:read', 'CONTRIBUTOR'),
  payroll_payments: read('payroll:read', 'CONTRIBUTOR'),
  automations: read('automations:read'),
  automation_runs: read('automations:read'),
  automation_secrets: read('automations:read', 'MANAGER'),
  organization: read('organizations:read'),
  imports: read('organizations:read'),
  files: read('organizations:read'),
  mail: read('organizations:read', 'MANAGER'),
  settings: read('settings:read'),
  webhook_secret: read('settings:read', 'MANAGER'),
  members: read('users:read'),
  invitations: read('users:read', 'MANAGER'),
  views: { ...read('users:read', 'EMPLOYEE'), own: true },
  notifications: read('users:read'),
  companion_sessions: { ...read('companion:read'), own: true },
} satisfies Record<string, Resource>

export type ResourceName = keyof typeof resources
export const resourceNames = Object.keys(resources) as ResourceName[]

export const resourceNamed = (name: ResourceName): Resource & { feature: Feature } => ({
  ...resources[name],
  feature: resources[name].scope.split(':')[0] as Feature,
})

/** The resources that a caller may read. */
export function readableBy({ role, scopes }: { role: Role; scopes: readonly string[] | null }): Set<ResourceName> {
  const may = (name: ResourceName) => atLeast(role, resources[name].role) && hasScope(scopes, resources[name].scope)
  return new Set(resourceNames.filter(may))
}

/** What a call under an address changes: the first one is what its id names, of the others some may have changed too. */
const changedUnder: readonly (readonly [address: string, ResourceName, ...ResourceName[]])[] = [
  ['/api/documents', 'documents', 'stock'],
  ['/api/documents/{id}/mark-paid', 'documents', 'payments', 'documents'],
  ['/api/documents/{id}/payments', 'documents', 'payments'],
  ['/api/documents/{id}/convert', 'documents', 'documents', 'payments', 'stock'],
  ['/api/documents/{id}/memos', 'documents', 'documents', 'stock'],
  ['/api/documents/{id}/duplicate', 'documents', 'documents'],
  ['/api/payments', 'payments', 'documents'],
  ['/api/planned-payments', 'payments', 'documents'],
  ['/api/customers', 'customers', 'suppliers'],
  ['/api/suppliers', 'suppliers', 'customers'],
  ['/api/orders', 'orders', 'stock'],
  ['/api/orders/{id}/invoice', 'orders', 'documents', 'stock'],
  ['/api/orders/{id}/receive', 'orders', 'stock', 'expenses'],
  ['/api/items', 'items', 'stock'],
  ['/api/stock', 'stock', 'items'],
  ['/api/bank-accounts', 'bank_accounts'],
  ['/api/expense-categories', 'expense_categories'],
  ['/api/expenses', 'expenses', 'stock'],
  ['/api/expenses/{id}/payments', 'expenses', 'expense_payments'],
  ['/api/expenses/{id}/credits', 'expenses', 'expenses', 'stock'],
  ['/api/expenses/payments', 'expense_payments', 'expenses'],
  ['/api/expenses/scan/batches', 'scan_batches', 'expenses'],
  ['/api/expenses/email-connect', 'mailboxes'],
  ['/api/expenses/email-settings', 'mailboxes', 'automations'],
  ['/api/expenses/email-poll', 'mailbox_runs', 'mailboxes'],
  ['/api/expenses/fetch-logs', 'mailbox_runs'],
  ['/api/hr/employees', 'employees', 'payslips'],
  ['/api/hr/me/claims', 'expenses'],
  ['/api/payroll', 'payslips', 'payslips', 'payroll_payments'],
  ['/api/payroll/payments', 'payroll_payments', 'payslips'],
  ['/api/accounts', 'accounts'],
  ['/api/journal-entries', 'journal_entries'],
  ['/api/automations', 'automations', 'automation_runs'],
  ['/api/automation-secrets', 'automation_secrets'],
  ['/api/imports', 'imports', 'customers', 'suppliers', 'items', 'expenses', 'employees'],
  ['/api/files', 'files'],
  ['/api/organizations', 'organization'],
  ['/api/organizations/{id}/settings', 'settings'],
  ['/api/organizations/{id}/webhook-secret', 'webhook_secret'],
  ['/api/organizations/{id}/members', 'members'],
  ['/api/organizations/{id}/invitations', 'invitations'],
  ['/api/organizations/{id}/tax-authority', 'tax_authorities'],
  ['/api/invitations', 'invitations', 'members'],
  ['/api/notifications', 'notifications'],
  ['/api/views', 'views'],
  ['/api/companion', 'companion_sessions'],
]

export type ChangeKind = 'created' | 'updated' | 'deleted'
/** `hasId`: the object of the call is of the first resource, and not what it belongs to. */
type Effect = { main: ResourceName; also: readonly ResourceName[]; change: ChangeKind; hasId: boolean }

/** What an operation changes; undefined if nothing of an organization that anybody is shown. */
export const effectOf = memoize((operation: Operation): Effect | undefined => {
  const { path } = operation
  const fitting = changedUnder.filter(([address]) => path === address || path.startsWith(`${address}/`))
  const longest = fitting.toSorted(([a], [b]) => b.length - a.length)[0]
  if (!longest) return undefined
  const [, main, ...also] = longest
  const home = changedUnder.find(([, name]) => name === main)?.[0] ?? ''
  const hasId = !home.includes('{id}') && main !== 'organization'
  return { main, also, change: changeOf(operation, home), hasId }
})

/** What a sub-address deletes or creates is a part of something, which is updated. */
function changeOf({ method, path }: Operation, home: string): ChangeKind {
  const isHome = path === home
  if (method === 'DELETE' && (isHome || path === `${home}/{id}`)) return 'deleted'
  return method === 'POST' && isHome ? 'created' : 'updated'
}
