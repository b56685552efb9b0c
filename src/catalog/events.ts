import type { Event } from '../core/define/event.ts'
import { scheduleEvents } from '../core/define/schedule.ts'
import { automationFailed } from '../features/automations/automation.ts'
import { customerCreated, customerUpdated } from '../features/customers/customer.ts'
import {
  invoiceClearanceRejected,
  invoiceCleared,
  invoiceCreated,
  invoiceDisputed,
  invoiceDisputeResolved,
  invoiceIssued,
  invoiceOverdue,
  invoicePaid,
  invoiceSent,
  receiptIssued,
} from '../features/documents/events/events.ts'
import {
  expenseApproved,
  expenseCreated,
  expenseCredited,
  expensePaid,
  expenseRejected,
  expenseScanned,
  expenseSubmitted,
} from '../features/expenses/events.ts'
import { importCompleted } from '../features/imports/import.ts'
import { stockLow } from '../features/items/item.ts'
import { ingestionCompleted, ingestionFailed } from '../features/mailboxes/runs/run.ts'
import { orderInvoiced, orderOpened, orderReceived, orderSent } from '../features/orders/order.ts'
import { payslipApproved, payslipGenerated, payslipPaid } from '../features/payroll/payslip.ts'
import { scanBatchCompleted } from '../features/scans/batches/batch.ts'
import { paymentRecorded, paymentRefunded, paymentVoided } from '../ledger/payments/payment.ts'

/** All events that can start an automation. A test compares it with the events that features declare. */
export const events: readonly Event[] = [
  invoiceCreated,
  invoiceIssued,
  invoiceSent,
  invoicePaid,
  invoiceOverdue,
  invoiceDisputed,
  invoiceDisputeResolved,
  invoiceCleared,
  invoiceClearanceRejected,
  receiptIssued,
  paymentRecorded,
  paymentVoided,
  paymentRefunded,
  expenseCreated,
  expenseSubmitted,
  expenseApproved,
  expenseRejected,
  expensePaid,
  expenseCredited,
  expenseScanned,
  scanBatchCompleted,
  ingestionCompleted,
  ingestionFailed,
  customerCreated,
  customerUpdated,
  orderOpened,
  orderSent,
  orderReceived,
  orderInvoiced,
  stockLow,
  payslipGenerated,
  payslipApproved,
  payslipPaid,
  importCompleted,
  automationFailed,
  ...scheduleEvents,
]
