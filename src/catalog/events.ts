import type { Event } from '../core/define/event.ts'
import { scheduleEvents } from '../core/define/schedule.ts'
import {
  expenseApproved,
  expenseCreated,
  expenseCredited,
  expensePaid,
  expenseRejected,
  expenseScanned,
  expenseSubmitted,
} from '../features/buying/expenses/events.ts'
import { ingestionCompleted, ingestionFailed } from '../features/buying/mailboxes/runs/run.ts'
import { scanBatchCompleted } from '../features/buying/scans/batches/batch.ts'
import { orderInvoiced, orderOpened, orderReceived, orderSent } from '../features/goods/orders/order.ts'
import { payslipApproved, payslipGenerated, payslipPaid } from '../features/pay/payroll/payslips/events.ts'
import { importCompleted } from '../features/platform/imports/import.ts'
import { customerCreated, customerUpdated } from '../features/selling/customers/customer.ts'
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
} from '../features/selling/documents/events/events.ts'
import { stockLow } from '../features/selling/items/item.ts'
import { automationFailed } from '../features/work/automations/automation.ts'
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
