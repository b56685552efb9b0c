import { Failure } from '../../../../core/define/failure.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import { typeName } from '../../../selling/documents/sending/type-names.ts'
import type { Input } from './preview-types.ts'
import { type Reader, type Row, rowsOf } from './reader.ts'
import { clean, isGiven, money, quoted } from './values.ts'

/** How a record is read, and what it is called. `input` is that of the call, for records that belong to another one. */
type Kind = { read(reader: Reader, id: string, input: Input): Promise<Row>; name(row: Row): string }

const got =
  (tool: string): Kind['read'] =>
  (reader, id) =>
    reader.read(tool, { id })

const listed =
  (tool: string, list: string, noun: string, key = 'id'): Kind['read'] =>
  (reader, id) =>
    reader.pick(tool, inputOf(tool, reader), noun, (answer) => rowsOf(answer[list]).find((row) => row[key] === id))

/** Lists below an organization take its id as `id`. */
const inputOf = (tool: string, { organizationId }: Reader): Input =>
  tool.startsWith('users_') ? { id: organizationId } : { organizationId }

const paid =
  (tool: string): Kind['read'] =>
  (reader, id) =>
    reader.pick(tool, { organizationId: reader.organizationId, paymentId: id }, 'payment', ({ payments }) =>
      rowsOf(payments).find((row) => row.id === id),
    )

const joined = (...parts: unknown[]) => parts.filter(isGiven).map(clean).join(', ')
/** The name, with the address or number that tells records of the same name apart. */
const named = (row: Row) =>
  joined(
    quoted(row.displayName ?? row.name ?? row.email ?? row.id),
    row.email ?? row.registrationNumber ?? row.taxNumber,
  )
const paymentName = (row: Row) => joined(money(row.amount, row.currency), row.employeeName, row.paidAt, row.reference)

const documents: Kind = {
  read: got('invoices_get'),
  name: (row) =>
    joined(
      `${typeName('en', String(row.documentType))} ${row.invoiceNumber ?? ''}`,
      quoted((row.customer as Row | null)?.name),
      money(row.total, row.currency),
      row.status,
    ),
}

/** A customer, a supplier, or an employee: whichever this id names. */
const parties: Kind = {
  async read(reader, id) {
    for (const tool of ['customers_get', 'suppliers_get']) {
      const found = await reader.read(tool, { id }).catch(unlessMissing)
      if (found) return found
    }
    return reader.read('payroll_employees_get', { id })
  },
  name: named,
}

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof Failure && error.code === 'NOT_FOUND') return undefined
  throw error
}

const kinds = {
  accounts: { read: listed('reports_accounts', 'accounts', 'account'), name: (row) => joined(row.code, row.name) },
  automations: { read: got('automations_get'), name: (row) => joined(quoted(row.name), row.status) },
  automationRuns: {
    read: (reader, runId, { id }) => reader.read('automations_run', { id, runId }),
    name: (row) => joined(row.startedAt, row.status, row.error),
  },
  bankAccounts: {
    read: got('bank_accounts_get'),
    name: (row) => joined(row.iban ?? row.accountNumber, row.bankName, row.accountName),
  },
  customerRecipients: {
    read: (reader, recipientId, { id }) =>
      reader.pick('customers_recipients', { id }, 'recipient', (list) =>
        rowsOf(list).find((row) => row.id === recipientId),
      ),
    name: (row) => joined(row.name, row.email),
  },
  customers: { read: got('customers_get'), name: named },
  documents,
  employees: { read: got('payroll_employees_get'), name: named },
  expenseCategories: { read: listed('expense_categories_list', 'categories', 'expense category'), name: named },
  expenses: {
    read: got('expenses_get'),
    name: (row) =>
      joined(money(row.amount, row.currency), quoted(row.title ?? row.vendor ?? row.description), row.date, row.status),
  },
  ingestionRuns: {
    read: got('integrations_fetch_log_get'),
    name: (row) => joined(row.dateFrom, row.dateTo, row.status),
  },
  invitations: {
    read: listed('users_invitations', 'invitations', 'invitation'),
    name: (row) => joined(row.email, row.role),
  },
  items: { read: got('logistics_items_get'), name: (row) => joined(quoted(row.name), row.sku) },
  journalEntries: {
    read: got('reports_journal_entry'),
    name: (row) => joined(row.number, row.date, row.description, money(row.total, row.currency)),
  },
  mailConnections: {
    read: (reader, id) =>
      reader.pick('integrations_email_settings', { organizationId: reader.organizationId }, 'connection', (answer) =>
        rowsOf(answer.connections).find((row) => row.id === id),
      ),
    name: (row) => joined(row.name, row.username),
  },
  orders: {
    read: got('orders_get'),
    name: (row) =>
      joined(
        row.orderNumber,
        quoted(((row.supplier ?? row.customer) as Row | null)?.name),
        money(row.total, row.currency),
        row.status,
      ),
  },
  organizations: { read: got('organizations_get'), name: named },
  parties,
  payments: { read: paid('invoices_payments_list'), name: paymentName },
  paymentsOfExpenses: { read: paid('expenses_payments_list'), name: paymentName },
  paymentsOfPayroll: { read: paid('payroll_payments'), name: paymentName },
  payslips: {
    read: got('payroll_payslips_get'),
    name: (row) => joined(row.employeeName, row.month, money(row.net, row.currency), row.status),
  },
  suppliers: { read: got('suppliers_get'), name: named },
  users: {
    read: listed('users_members', 'members', 'member', 'userId'),
    name: (row) => joined(row.name, row.email, row.role),
  },
} satisfies Record<string, Kind>
export type RecordKind = keyof typeof kinds

/** The records that a field of an input names. Fields that name a part of another record, a file or an authority are none. */
const fields: Record<string, RecordKind> = {
  accountId: 'accounts',
  bankAccountId: 'bankAccounts',
  bankAccountIds: 'bankAccounts',
  categoryId: 'expenseCategories',
  categoryIds: 'expenseCategories',
  claimDocumentIds: 'expenses',
  claimantId: 'parties',
  connectionId: 'mailConnections',
  counterpartyId: 'parties',
  customerId: 'customers',
  customerIds: 'customers',
  defaultCategoryId: 'expenseCategories',
  documentId: 'documents',
  employeeId: 'employees',
  employeeIds: 'employees',
  expenseId: 'expenses',
  invitationId: 'invitations',
  itemId: 'items',
  orderId: 'orders',
  payslipId: 'payslips',
  payslipIds: 'payslips',
  recipientId: 'customerRecipients',
  runId: 'automationRuns',
  supplierId: 'suppliers',
  userId: 'users',
}

export const kindOfField = (field: string): RecordKind | undefined =>
  Object.hasOwn(fields, field) ? fields[field] : undefined

/** The kind of the record that an operation is about, which its field `id` or another one names. */
export function subjectOf({ within }: Operation): { kind: RecordKind; field: string } | undefined {
  const { table, by: field, kind: ledgerKind = '' } = typeof within === 'object' ? within : { table: within, by: 'id' }
  const kind = ({ EXPENSE: 'paymentsOfExpenses', PAYSLIP: 'paymentsOfPayroll' } as const)[ledgerKind] ?? table
  return kind in kinds ? { kind: kind as RecordKind, field } : undefined
}

export const readRecord = (reader: Reader, kind: RecordKind, id: string, input: Input): Promise<Row> =>
  kinds[kind].read(reader, id.toLowerCase(), input)

export const nameOf = (kind: RecordKind, row: Row): string => kinds[kind].name(row)
