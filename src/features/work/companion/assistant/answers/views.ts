import { counted, nouns } from '../words/nouns.ts'
import {
  automationRow,
  documentRow,
  employeeRow,
  expenseRow,
  itemRow,
  levelRow,
  movementRow,
  number,
  orderRow,
  part,
  partyRow,
  paymentRow,
  payslipRow,
  plainFields,
  runRow,
  statusText,
  text,
} from './record-rows.ts'
import type { ListView } from './rows.ts'

/** How the rows of each list are told. */
export const views: Record<string, ListView> = {
  customers_list: { field: 'customers', noun: nouns.customer, row: partyRow('customer') },
  suppliers_list: { field: 'suppliers', noun: nouns.supplier, row: partyRow('supplier') },
  invoices_list: { field: 'invoices', noun: nouns.document, row: documentRow },
  invoices_payments_list: { field: 'payments', noun: nouns.payment, row: paymentRow },
  expenses_list: { field: 'expenses', noun: nouns.expense, row: expenseRow },
  expenses_payments_list: { field: 'payments', noun: nouns.payment, row: paymentRow },
  payroll_my_claims: { field: 'claims', noun: nouns.claim, row: expenseRow },
  logistics_items_list: { field: 'items', noun: nouns.item, row: itemRow, isAddedUp: false },
  logistics_stock_levels: { field: 'levels', noun: nouns.item, row: levelRow },
  logistics_stock_movements: { field: 'movements', noun: nouns.movement, row: movementRow },
  orders_list: { field: 'orders', noun: nouns.order, row: orderRow },
  payroll_employees_list: { field: 'employees', noun: nouns.employee, row: employeeRow },
  payroll_payslips_list: { field: 'payslips', noun: nouns.payslip, row: payslipRow },
  payroll_my_payslips: { field: 'payslips', noun: nouns.payslip, row: payslipRow },
  automations_list: { field: 'automations', noun: nouns.automation, row: automationRow },
  automations_runs: { field: 'runs', noun: nouns.run, row: runRow },
  automations_templates: { field: 'templates', noun: nouns.template, row: plainFields('name', 'description') },
  automations_deliveries: {
    field: 'deliveries',
    noun: nouns.delivery,
    row: plainFields('target', 'outcome', 'reason', 'createdAt'),
  },
  expense_categories_list: {
    field: 'categories',
    noun: nouns.category,
    row: (data, talk) => ({
      kind: 'category',
      id: text(data.id),
      name: text(data.name),
      more: [counted(talk.language, number(part(data._count).expenses), nouns.expense)],
    }),
  },
  bank_accounts_list: {
    field: 'bankAccounts',
    noun: nouns.bankAccount,
    row: (data, talk) => ({
      kind: 'account',
      id: text(data.id),
      name: text(data.accountName),
      more: [
        talk.data(text(data.bankName)),
        talk.data(text(data.accountNumber)),
        data.isDefault ? talk.in('default', 'ברירת מחדל') : '',
      ],
    }),
  },
  reports_accounts: {
    field: 'accounts',
    noun: nouns.account,
    row: (data, talk) => ({
      kind: 'account',
      id: text(data.id),
      name: `${text(data.code)} ${(talk.language === 'he' && text(data.nameHe)) || text(data.name)}`,
      more: [statusText(talk, data.type)],
    }),
  },
  users_members: {
    field: 'members',
    noun: nouns.member,
    row: (data, talk) => ({
      kind: 'member',
      id: text(data.userId),
      name: text(data.name),
      more: [statusText(talk, data.role), talk.data(text(data.email))],
    }),
  },
  users_notifications: { field: 'notifications', noun: nouns.notification, row: plainFields('text', 'createdAt') },
  users_invitations: { field: 'invitations', noun: nouns.invitation, row: plainFields('email', 'role') },
  organizations_list: { field: 'organizations', noun: nouns.organization, row: plainFields('name', 'role') },
  organizations_audit: {
    field: 'entries',
    noun: nouns.entry,
    row: (data, talk) => ({
      name: text(data.operation),
      date: text(data.createdAt),
      more: [talk.data(text(part(data.user).name)), talk.instant(text(data.createdAt))],
    }),
  },
  organizations_outbox: { field: 'messages', noun: nouns.message, row: plainFields('subject', 'to', 'createdAt') },
  api_keys_list: { field: 'keys', noun: nouns.key, row: plainFields('name', 'lastUsedAt') },
  integrations_email_settings: {
    field: 'connections',
    noun: nouns.connection,
    row: (data, talk) => ({
      kind: 'connection',
      id: text(data.id),
      name: text(data.name),
      more: [
        data.enabled ? talk.in('on', 'פעילה') : talk.in('off', 'כבויה'),
        data.lastPolledAt
          ? talk.in(
              `last read ${talk.instant(text(data.lastPolledAt))}`,
              `נקראה לאחרונה ${talk.instant(text(data.lastPolledAt))}`,
            )
          : '',
        talk.data(text(data.attention), 160),
      ],
    }),
  },
  integrations_fetch_logs: {
    field: 'runs',
    noun: nouns.run,
    row: (data, talk) => ({
      name: talk.instant(text(data.startedAt)),
      date: text(data.startedAt),
      more: [
        statusText(talk, data.status),
        talk.in(`${number(data.expensesCreated)} expenses created`, `נוצרו ${number(data.expensesCreated)} הוצאות`),
        talk.data(text(data.errorMessage), 160),
      ],
    }),
  },
  reports_journal_entries: {
    field: 'entries',
    noun: nouns.entry,
    row: (data, talk) => ({
      name: text(data.description),
      amount: number(data.total),
      currency: text(data.currency),
      date: text(data.date),
      more: [talk.day(text(data.date))],
    }),
  },
  invoices_events: {
    field: 'events',
    noun: nouns.event,
    row: (data, talk) => ({
      name: statusText(talk, data.type),
      more: [talk.instant(text(data.createdAt)), talk.data(text(part(data.actor).name))],
    }),
  },
  customers_recipients: { field: 'recipients', noun: nouns.recipient, row: plainFields('email', 'name') },
  payroll_payments: {
    field: 'payments',
    noun: nouns.payment,
    row: (data, talk) => ({
      kind: 'payment',
      id: text(data.id),
      name: text(data.employeeName),
      amount: number(data.amount),
      currency: talk.turn.organization.currency,
      date: text(data.paidAt),
      more: [statusText(talk, data.source), talk.day(text(data.paidAt))],
    }),
  },
}
