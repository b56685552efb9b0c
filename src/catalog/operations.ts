import { type Operation, onSurface } from '../core/define/operation.ts'
import * as journalEntries from '../features/accounts/entry-operations.ts'
import * as accounts from '../features/accounts/operations.ts'
import * as apiKeys from '../features/api-keys/operations.ts'
import * as audit from '../features/audit/operations.ts'
import * as deliveries from '../features/automations/actions/deliveries.ts'
import * as automationSecrets from '../features/automations/actions/secret-operations.ts'
import * as webhookSecrets from '../features/automations/actions/webhook-secret-operations.ts'
import * as automationCancel from '../features/automations/cancel.ts'
import * as automationCatalog from '../features/automations/catalog.ts'
import * as filters from '../features/automations/filters/operations.ts'
import * as automations from '../features/automations/operations.ts'
import * as automationReplayFailed from '../features/automations/replay-failed.ts'
import * as automationRuns from '../features/automations/runs.ts'
import * as triggerEvents from '../features/automations/try/event-operations.ts'
import * as automationTry from '../features/automations/try/operations.ts'
import * as bankAccounts from '../features/bank-accounts/operations.ts'
import * as changes from '../features/changes/operations.ts'
import * as companionAsk from '../features/companion/ask/operations.ts'
import * as companionSessions from '../features/companion/sessions/operations.ts'
import * as companionStream from '../features/companion/stream/operations.ts'
import * as companionTurns from '../features/companion/turns/operations.ts'
import * as connectedApps from '../features/connected-apps/operations.ts'
import * as customers from '../features/customers/operations.ts'
import * as recipients from '../features/customers/recipients.ts'
import * as dashboard from '../features/dashboard/operations.ts'
import * as documentAttachments from '../features/documents/attachments/attach.ts'
import * as bulk from '../features/documents/bulk/operations.ts'
import * as bulkPdfs from '../features/documents/bulk/pdfs.ts'
import * as documentEInvoices from '../features/documents/einvoice/download.ts'
import * as documentHistory from '../features/documents/history/operations.ts'
import * as allocationNumbers from '../features/documents/issuing/allocation-number.ts'
import * as cancellations from '../features/documents/issuing/cancel.ts'
import * as conversions from '../features/documents/issuing/convert.ts'
import * as duplicates from '../features/documents/issuing/duplicate.ts'
import * as memos from '../features/documents/issuing/memo.ts'
import * as documents from '../features/documents/operations.ts'
import * as pagePictures from '../features/documents/print/pages.ts'
import * as printing from '../features/documents/print/pdf.ts'
import * as printPreview from '../features/documents/print/preview.ts'
import * as documentLinks from '../features/documents/public-page/link-operations.ts'
import * as publicPage from '../features/documents/public-page/operations.ts'
import * as sending from '../features/documents/sending/send.ts'
import * as exchangeRates from '../features/exchange-rates/operations.ts'
import * as expenseCategories from '../features/expense-categories/operations.ts'
import * as expenseAttachments from '../features/expenses/attachments/upload.ts'
import * as expenseCredits from '../features/expenses/credits/create.ts'
import * as voidedExpenseCredits from '../features/expenses/credits/void.ts'
import * as expenseCustomers from '../features/expenses/customers.ts'
import * as expenseExports from '../features/expenses/export/operations.ts'
import * as expenses from '../features/expenses/operations.ts'
import * as expensePayments from '../features/expenses/payments/operations.ts'
import * as expenseStatus from '../features/expenses/status/status.ts'
import * as expenseUsage from '../features/expenses/usage.ts'
import * as exports from '../features/exports/operations.ts'
import * as files from '../features/files/operations.ts'
import * as imports from '../features/imports/operations.ts'
import * as invitations from '../features/invitations/operations.ts'
import * as items from '../features/items/operations.ts'
import * as autoScans from '../features/mailboxes/auto-scan/operations.ts'
import * as mailProviders from '../features/mailboxes/oauth/operations.ts'
import * as mailConnections from '../features/mailboxes/operations.ts'
import * as ingestionRuns from '../features/mailboxes/runs/operations.ts'
import * as mailConnectionTest from '../features/mailboxes/test-connection.ts'
import * as members from '../features/members/operations.ts'
import * as notifications from '../features/notifications/operations.ts'
import * as orderChain from '../features/orders/chain.ts'
import * as orderFulfilment from '../features/orders/fulfil.ts'
import * as orderInvoice from '../features/orders/invoice.ts'
import * as orderMatch from '../features/orders/match.ts'
import * as orders from '../features/orders/operations.ts'
import * as orderPdf from '../features/orders/print/pdf.ts'
import * as orderSend from '../features/orders/sending/send.ts'
import * as orderTransitions from '../features/orders/transitions.ts'
import * as organizations from '../features/organizations/operations.ts'
import * as outbox from '../features/outbox/operations.ts'
import * as bulkMarkPaid from '../features/payments/bulk-mark-paid.ts'
import * as markPaid from '../features/payments/mark-paid.ts'
import * as payments from '../features/payments/operations.ts'
import * as paymentReceipt from '../features/payments/receipt.ts'
import * as paymentRefund from '../features/payments/refund.ts'
import * as paymentUnallocate from '../features/payments/unallocate.ts'
import * as payrollAdvances from '../features/payroll/advances/operations.ts'
import * as employees from '../features/payroll/employees/operations.ts'
import * as payrollGenerate from '../features/payroll/generate/operations.ts'
import * as leaveClaims from '../features/payroll/leave-claims/operations.ts'
import * as ownClaims from '../features/payroll/mine/claims.ts'
import * as ownPayroll from '../features/payroll/mine/operations.ts'
import * as payrollPayments from '../features/payroll/pay/operations.ts'
import * as payslips from '../features/payroll/payslips/operations.ts'
import * as payslipMail from '../features/payroll/payslips/send.ts'
import * as payslipPrint from '../features/payroll/print/operations.ts'
import * as payslipStatus from '../features/payroll/status/operations.ts'
import * as payrollSummary from '../features/payroll/summary/operations.ts'
import * as payrollBankFiles from '../features/payroll-forms/bank-files/operations.ts'
import * as israeliPayrollForms from '../features/payroll-forms/israel/operations.ts'
import * as singaporePayrollForms from '../features/payroll-forms/singapore/operations.ts'
import * as unitedStatesPayrollForms from '../features/payroll-forms/united-states/operations.ts'
import * as account from '../features/people/account-operations.ts'
import * as factors from '../features/people/factor-operations.ts'
import * as people from '../features/people/operations.ts'
import * as sessions from '../features/people/session-operations.ts'
import * as signIn from '../features/people/sign-in-operations.ts'
import * as stepUp from '../features/people/step-up-operations.ts'
import * as preferences from '../features/preferences/operations.ts'
import * as agings from '../features/reports/aging/operations.ts'
import * as incomeReports from '../features/reports/income/operations.ts'
import * as reports from '../features/reports/operations.ts'
import * as customerStatements from '../features/reports/statement/operations.ts'
import * as statements from '../features/reports/statements/operations.ts'
import * as stockReports from '../features/reports/stock/operations.ts'
import * as taxReports from '../features/reports/tax/operations.ts'
import * as scanBatches from '../features/scans/batches/operations.ts'
import * as expenseScan from '../features/scans/operations.ts'
import * as search from '../features/search/operations.ts'
import * as logos from '../features/settings/logo-operations.ts'
import * as settings from '../features/settings/operations.ts'
import * as statutory from '../features/statutory/operations.ts'
import * as singaporeFiles from '../features/statutory/singapore/operations.ts'
import * as unitedStatesFiles from '../features/statutory/united-states/operations.ts'
import * as stock from '../features/stock/operations.ts'
import * as suppliers from '../features/suppliers/operations.ts'
import * as clearance from '../features/tax-authorities/clearance/operations.ts'
import * as authorityConnect from '../features/tax-authorities/connect.ts'
import * as taxAuthorities from '../features/tax-authorities/operations.ts'
import * as views from '../features/views/operations.ts'

/** All operations, on every surface. Only this file knows all features. */
const all = [
  ...Object.values(apiKeys),
  ...Object.values(bankAccounts),
  ...Object.values(connectedApps),
  ...Object.values(customers),
  ...Object.values(recipients),
  ...Object.values(exchangeRates),
  ...Object.values(accounts),
  ...Object.values(journalEntries),
  ...Object.values(reports),
  ...Object.values(customerStatements),
  ...Object.values(agings),
  ...Object.values(incomeReports),
  ...Object.values(taxReports),
  ...Object.values(stockReports),
  ...Object.values(statements),
  ...Object.values(statutory),
  ...Object.values(singaporeFiles),
  ...Object.values(unitedStatesFiles),
  ...Object.values(documents),
  ...Object.values(markPaid),
  ...Object.values(bulkMarkPaid),
  ...Object.values(bulk),
  ...Object.values(bulkPdfs),
  ...Object.values(sending),
  ...Object.values(duplicates),
  ...Object.values(conversions),
  ...Object.values(cancellations),
  ...Object.values(memos),
  ...Object.values(printing),
  pagePictures.pages,
  pagePictures.page,
  printPreview.preview,
  ...Object.values(documentEInvoices),
  ...Object.values(allocationNumbers),
  ...Object.values(clearance),
  ...Object.values(documentHistory),
  ...Object.values(documentAttachments),
  ...Object.values(documentLinks),
  ...Object.values(publicPage),
  ...Object.values(payments),
  ...Object.values(paymentReceipt),
  ...Object.values(paymentRefund),
  ...Object.values(paymentUnallocate),
  ...Object.values(dashboard),
  ...Object.values(expenseCategories),
  ...Object.values(expenses),
  ...Object.values(expenseStatus),
  ...Object.values(expenseExports),
  ...Object.values(expenseCredits),
  ...Object.values(voidedExpenseCredits),
  ...Object.values(expenseScan),
  ...Object.values(scanBatches),
  ...Object.values(expenseUsage),
  ...Object.values(mailConnections),
  ...Object.values(mailConnectionTest),
  ...Object.values(mailProviders),
  ...Object.values(ingestionRuns),
  ...Object.values(autoScans),
  ...Object.values(expenseAttachments),
  ...Object.values(expensePayments),
  ...Object.values(expenseCustomers),
  ...Object.values(employees),
  ...Object.values(payrollGenerate),
  ...Object.values(payslipStatus),
  ...Object.values(payrollAdvances),
  ...Object.values(payrollPayments),
  ...Object.values(leaveClaims),
  ...Object.values(payrollSummary),
  ...Object.values(ownPayroll),
  ...Object.values(payslips),
  ...Object.values(payslipPrint),
  ...Object.values(payslipMail),
  ...Object.values(ownClaims),
  ...Object.values(payrollBankFiles),
  ...Object.values(israeliPayrollForms),
  ...Object.values(singaporePayrollForms),
  ...Object.values(unitedStatesPayrollForms),
  ...Object.values(suppliers),
  ...Object.values(items),
  ...Object.values(orders),
  ...Object.values(orderTransitions),
  ...Object.values(orderFulfilment),
  ...Object.values(orderInvoice),
  ...Object.values(orderChain),
  ...Object.values(orderMatch),
  ...Object.values(orderPdf),
  ...Object.values(orderSend),
  ...Object.values(stock),
  ...Object.values(imports),
  ...Object.values(exports),
  ...Object.values(files),
  ...Object.values(organizations),
  ...Object.values(taxAuthorities),
  ...Object.values(authorityConnect),
  ...Object.values(outbox),
  ...Object.values(settings),
  ...Object.values(logos),
  ...Object.values(members),
  ...Object.values(invitations),
  ...Object.values(people),
  ...Object.values(signIn),
  ...Object.values(sessions),
  ...Object.values(stepUp),
  ...Object.values(account),
  ...Object.values(factors),
  ...Object.values(notifications),
  ...Object.values(preferences),
  ...Object.values(views),
  ...Object.values(automationCatalog),
  ...Object.values(automations),
  ...Object.values(filters),
  ...Object.values(automationRuns),
  ...Object.values(automationCancel),
  ...Object.values(automationTry),
  ...Object.values(triggerEvents),
  ...Object.values(automationReplayFailed),
  ...Object.values(deliveries),
  ...Object.values(automationSecrets),
  ...Object.values(webhookSecrets),
  ...Object.values(companionAsk),
  ...Object.values(companionSessions),
  ...Object.values(companionStream),
  ...Object.values(companionTurns),
  ...Object.values(audit),
  ...Object.values(changes),
  ...Object.values(search),
]

/** An operation of the list, with its name and schemas known to the compiler. */
export type AnyOperation = (typeof all)[number]

export const operations: readonly Operation[] = all as readonly unknown[] as readonly Operation[]

/** Those that are HTTP endpoints for programs, tools and automation actions; OpenAPI describes them. */
export const apiOperations: readonly Operation[] = onSurface(operations, 'api')
