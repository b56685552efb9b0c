import { event } from '../../../../core/define/event.ts'
import { Id, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import type { Document } from '../document.ts'
import { salesKind } from '../kind.ts'

const Day = Type.String({ description: 'A calendar day, such as 2026-01-31.' })

const EventPayload = Type.Object({
  id: Id,
  organizationId: Id,
  invoiceNumber: nullable(Text),
  documentType: Text,
  status: OneOf(...salesKind.statuses),
  customerId: Id,
  customerName: nullable(Text),
  currency: Text,
  subtotal: Type.Number(),
  taxAmount: Type.Number(),
  total: Type.Number(),
  paidAmount: Type.Number(),
  issueDate: Day,
  dueDate: nullable(Day),
  paymentDate: nullable(Day),
})
export const invoiceCreated = event('invoice.created', EventPayload, 'A sales document was created')
export const invoiceIssued = event('invoice.issued', EventPayload, 'A sales document got its number')
export const invoiceSent = event('invoice.sent', EventPayload, 'A sales document was sent to its customer')
export const invoicePaid = event('invoice.paid', EventPayload, 'A sales document was paid in full')
export const invoiceOverdue = event('invoice.overdue', EventPayload, 'A sales document was not paid by its due date')
export const invoiceDisputed = event('invoice.disputed', EventPayload, 'A sales document was disputed')
export const invoiceDisputeResolved = event(
  'invoice.dispute_resolved',
  EventPayload,
  'The dispute of a sales document was resolved',
)
export const invoiceCleared = event(
  'invoice.cleared',
  Type.Object({ ...EventPayload.properties, vatAllocationNumber: Text }),
  'The tax authority allocated a number to a sales document',
)
export const invoiceClearanceRejected = event(
  'invoice.clearance_rejected',
  Type.Object({ ...EventPayload.properties, reason: Text }),
  'The tax authority refused to allocate a number to a sales document',
)
export const receiptIssued = event('receipt.issued', EventPayload, 'A receipt was issued for a payment')

/** The fields of a document that its events carry. */
export const toEventPayload = (document: Document): Static<typeof EventPayload> => ({
  ...document,
  customerName: document.customer?.name ?? null,
})
