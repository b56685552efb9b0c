import { type Operation, onSurface } from '../core/define/operation.ts'
import * as journalEntries from '../features/books/accounts/entry-operations.ts'
import * as accounts from '../features/books/accounts/operations.ts'
import * as bankAccounts from '../features/books/bank-accounts/operations.ts'
import * as dashboard from '../features/books/dashboard/operations.ts'
import * as exchangeRates from '../features/books/exchange-rates/operations.ts'
import * as agings from '../features/books/reports/aging/operations.ts'
import * as incomeReports from '../features/books/reports/income/operations.ts'
import * as reports from '../features/books/reports/operations.ts'
import * as customerStatements from '../features/books/reports/statement/operations.ts'
import * as statements from '../features/books/reports/statements/operations.ts'
import * as stockReports from '../features/books/reports/stock/operations.ts'
import * as taxReports from '../features/books/reports/tax/operations.ts'
import { statutoryOperations } from '../features/books/statutory/operations.ts'
import * as clearance from '../features/books/tax-authorities/clearance/operations.ts'
import * as authorityConnect from '../features/books/tax-authorities/connect.ts'
import * as taxAuthorities from '../features/books/tax-authorities/operations.ts'
import * as expenseCategories from '../features/buying/expense-categories/operations.ts'
import * as expenseAttachmentPages from '../features/buying/expenses/attachments/pages.ts'
import * as expenseAttachments from '../features/buying/expenses/attachments/upload.ts'
import * as expenseCredits from '../features/buying/expenses/credits/create.ts'
import * as voidedExpenseCredits from '../features/buying/expenses/credits/void.ts'
import * as expenseCustomers from '../features/buying/expenses/customers.ts'
import * as expenseExports from '../features/buying/expenses/export/operations.ts'
import * as expenses from '../features/buying/expenses/operations.ts'
import * as expensePayments from '../features/buying/expenses/payments/operations.ts'
import * as expenseStatus from '../features/buying/expenses/status/status.ts'
import * as expenseUsage from '../features/buying/expenses/usage.ts'
import * as mailProviders from '../features/buying/mailboxes/oauth/operations.ts'
import * as mailConnections from '../features/buying/mailboxes/operations.ts'
import * as ingestionRuns from '../features/buying/mailboxes/runs/operations.ts'
import * as mailConnectionTest from '../features/buying/mailboxes/test-connection.ts'
import * as scanBatches from '../features/buying/scans/batches/operations.ts'
import * as expenseScan from '../features/buying/scans/operations.ts'
import * as suppliers from '../features/buying/suppliers/operations.ts'
import * as apiKeys from '../features/company/api-keys/operations.ts'
import * as audit from '../features/company/audit/operations.ts'
import * as connectedApps from '../features/company/connected-apps/operations.ts'
import * as invitations from '../features/company/invitations/operations.ts'
import * as members from '../features/company/members/operations.ts'
import * as notifications from '../features/company/notifications/operations.ts'
import * as organizations from '../features/company/organizations/operations.ts'
import * as account from '../features/company/people/account-operations.ts'
import * as factors from '../features/company/people/factors/factor-operations.ts'
import * as people from '../features/company/people/operations.ts'
import * as sessions from '../features/company/people/session-operations.ts'
import * as signIn from '../features/company/people/sign-in-operations.ts'
import * as stepUp from '../features/company/people/step-up-operations.ts'
import * as preferences from '../features/company/preferences/operations.ts'
import * as logos from '../features/company/settings/logo-operations.ts'
import * as settings from '../features/company/settings/operations.ts'
import * as orderChain from '../features/goods/orders/chain.ts'
import * as orderFulfilment from '../features/goods/orders/fulfil.ts'
import * as orderInvoice from '../features/goods/orders/invoice.ts'
import * as orderMatch from '../features/goods/orders/match.ts'
import * as orders from '../features/goods/orders/operations.ts'
import * as orderPdf from '../features/goods/orders/print/pdf.ts'
import * as orderSend from '../features/goods/orders/sending/send.ts'
import * as orderTransitions from '../features/goods/orders/transitions.ts'
import * as stock from '../features/goods/stock/operations.ts'
import * as payrollAdvances from '../features/pay/payroll/advances/operations.ts'
import * as employees from '../features/pay/payroll/employees/operations.ts'
import * as payrollGenerate from '../features/pay/payroll/generate/operations.ts'
import * as leaveClaims from '../features/pay/payroll/leave-claims/operations.ts'
import * as ownClaims from '../features/pay/payroll/mine/claims.ts'
import * as ownPayroll from '../features/pay/payroll/mine/operations.ts'
import * as payrollPayments from '../features/pay/payroll/pay/operations.ts'
import * as payslips from '../features/pay/payroll/payslips/operations.ts'
import * as payslipMail from '../features/pay/payroll/payslips/send.ts'
import * as payslipPrint from '../features/pay/payroll/print/operations.ts'
import * as payslipStatus from '../features/pay/payroll/status/operations.ts'
import * as payrollSummary from '../features/pay/payroll/summary/operations.ts'
import { bankFileOperations } from '../features/pay/payroll-forms/bank-files/operations.ts'
import * as changes from '../features/platform/changes/operations.ts'
import * as exports from '../features/platform/exports/operations.ts'
import * as files from '../features/platform/files/operations.ts'
import { importOperations } from '../features/platform/imports/operations.ts'
import * as outbox from '../features/platform/outbox/operations.ts'
import * as search from '../features/platform/search/operations.ts'
import * as views from '../features/platform/views/operations.ts'
import * as customers from '../features/selling/customers/operations.ts'
import * as recipients from '../features/selling/customers/recipients.ts'
import * as documentAttachments from '../features/selling/documents/attachments/attach.ts'
import * as bulk from '../features/selling/documents/bulk/operations.ts'
import * as bulkPdfs from '../features/selling/documents/bulk/pdfs.ts'
import * as documentEInvoices from '../features/selling/documents/einvoice/download.ts'
import * as documentHistory from '../features/selling/documents/history/operations.ts'
import * as allocationNumbers from '../features/selling/documents/issuing/allocation-number.ts'
import * as cancellations from '../features/selling/documents/issuing/cancel.ts'
import * as conversions from '../features/selling/documents/issuing/convert.ts'
import * as duplicates from '../features/selling/documents/issuing/duplicate.ts'
import * as memos from '../features/selling/documents/issuing/memo.ts'
import * as documents from '../features/selling/documents/operations.ts'
import * as pagePictures from '../features/selling/documents/print/pages.ts'
import * as printing from '../features/selling/documents/print/pdf.ts'
import * as printPreview from '../features/selling/documents/print/preview.ts'
import * as documentLinks from '../features/selling/documents/public-page/link-operations.ts'
import * as publicPage from '../features/selling/documents/public-page/operations.ts'
import * as sending from '../features/selling/documents/sending/send.ts'
import * as items from '../features/selling/items/operations.ts'
import * as bulkMarkPaid from '../features/selling/payments/bulk-mark-paid.ts'
import * as markPaid from '../features/selling/payments/mark-paid.ts'
import * as payments from '../features/selling/payments/operations.ts'
import * as plannedPayments from '../features/selling/payments/planned/operations.ts'
import * as paymentReceipt from '../features/selling/payments/receipt.ts'
import * as paymentRefund from '../features/selling/payments/refund.ts'
import * as paymentUnallocate from '../features/selling/payments/unallocate.ts'
import * as deliveries from '../features/work/automations/actions/deliveries.ts'
import * as automationSecrets from '../features/work/automations/actions/secret-operations.ts'
import * as webhookSecrets from '../features/work/automations/actions/webhook-secret-operations.ts'
import * as autoScans from '../features/work/automations/auto-scan/operations.ts'
import * as automationCatalog from '../features/work/automations/catalog.ts'
import * as filters from '../features/work/automations/filters/operations.ts'
import * as automations from '../features/work/automations/operations.ts'
import * as automationCancel from '../features/work/automations/runs/cancel.ts'
import * as automationRuns from '../features/work/automations/runs/operations.ts'
import * as automationReplayFailed from '../features/work/automations/runs/replay-failed.ts'
import * as triggerEvents from '../features/work/automations/try/event-operations.ts'
import * as automationTry from '../features/work/automations/try/operations.ts'
import * as companionAsk from '../features/work/companion/ask/operations.ts'
import * as companionSessions from '../features/work/companion/sessions/operations.ts'
import * as companionStream from '../features/work/companion/stream/operations.ts'
import * as companionTurns from '../features/work/companion/turns/operations.ts'
import { bankFormats, countryForms, countryReports, statutoryFiles } from './filings.ts'
import { importers } from './imports.ts'

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
  ...statutoryOperations(statutoryFiles),
  ...countryReports,
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
  ...Object.values(plannedPayments),
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
  ...Object.values(expenseAttachmentPages),
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
  ...bankFileOperations(bankFormats),
  ...countryForms,
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
  ...importOperations(importers),
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
