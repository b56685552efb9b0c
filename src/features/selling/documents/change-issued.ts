import { conflict, invalid } from '../../../core/define/failure.ts'
import { one } from '../../../core/define/query.ts'
import { today } from '../../../core/values/day.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { canTransition } from '../../../ledger/kind.ts'
import { dayOf } from '../../../ledger/organization-context.ts'
import { refuseClosed } from '../../../ledger/payments/payable-documents.ts'
import { paymentOfDocument, recordPayment } from '../../../ledger/payments/record-payment.ts'
import type { ChangeContext, DocumentChange } from './change-context.ts'
import type { Document, DocumentStatus } from './document.ts'
import { refuseFrozenChanges } from './frozen-fields.ts'
import { changedFields } from './history/changed-fields.ts'
import { salesKind } from './kind.ts'
import { legalContent, refuseChangedLegalContent } from './legal-content.ts'
import { type DocumentRow, documentById, toDocument } from './reading/read.ts'
import { emptyOptionalFields } from './write.ts'

/** Changes the terms, notes and status of an issued document, and pays it if its new status is PAID. */
export async function changeIssued(context: ChangeContext, change: DocumentChange): Promise<void> {
  const { db, emit, member, organization } = context
  const { current, changes } = change
  const { id } = changes
  refuseFrozenChanges(toDocument(current), changes, organization)
  const status = changes.status ?? current.status
  checkTransition(current.status, status)
  const becomesPaid = status === 'PAID' && current.status !== 'PAID'
  const hasPayment = becomesPaid && current.openMinor > 0
  if (becomesPaid && !hasPayment && current.totalMinor > 0) refuseNothingOpen(current)
  const columns = newColumns(context, change)
  const payment = paymentOf(context, change, columns)
  const { after } = await pipeline({
    document: db
      .updateTable('documents')
      .set({ ...columns, status: hasPayment ? current.status : status }) // the payment sets PAID
      .where('id', '=', id)
      .execute(),
    payment: hasPayment && recordPayment({ db, emit, member }, payment).recorded,
    paid: becomesPaid && appendHistory(db, id, 'PAID', { userId: member.userId }),
    after: one(documentById(db, id), 'document'),
  })
  if (!hasPayment && after.updatedAt !== current.updatedAt)
    await appendHistory(db, id, 'UPDATED', { status, fields: changedFields(current, after), userId: member.userId })
}

/** Refuses a status that may not follow the current one. */
function checkTransition(from: DocumentStatus, to: DocumentStatus): void {
  if (canTransition(salesKind, from, to)) return
  const remedy =
    from === 'PAID'
      ? 'To reopen a paid document, clear its payment (clearReceiptInfo) as a manager.'
      : 'Correct it with a credit memo (POST /api/documents/{id}/memos).'
  throw conflict(`A document that is ${from} cannot become ${to}. ${remedy}`, 'STATUS')
}

/** PAID needs money, so a document of which nothing is open and nothing was paid cannot become PAID. */
function refuseNothingOpen(current: DocumentRow): never {
  if (current.paymentId !== null)
    throw conflict('A credit memo becomes PAID by itself when its credit is used or refunded.', 'NOT_OWED')
  refuseClosed(current)
  throw invalid('status', 'The document was credited in full, so there is nothing to pay.', 'AMOUNT_OVER_OPEN')
}

function newColumns({ organization }: ChangeContext, { current, changes, replace }: DocumentChange) {
  const document = toDocument(current)
  const isPaid = current.status === 'PAID'
  const { bankAccountId, dueDate, payUntil, countrySpecificData, notes, paymentMethod, paymentDate } = {
    ...document,
    ...(replace && {
      ...emptyOptionalFields,
      ...(isPaid && paymentFields(document)),
      ...legalContent(document, current),
    }),
    ...changes,
  }
  refuseChangedLegalContent(document, { countrySpecificData, notes }, current)
  const day = (field: string, text: string | null) => dayOf(field, text, organization)
  const payment = { paymentMethod, paymentDate: day('paymentDate', paymentDate) }
  if (isPaid && JSON.stringify(payment) !== JSON.stringify(paymentFields(document)))
    throw conflict(
      'The payment method and date of a paid document follow its payment. Clear the payment (clearReceiptInfo) and record it again.',
      'PAID',
    )
  return {
    bankAccountId,
    dueDate: day('dueDate', dueDate),
    payUntil: day('payUntil', payUntil),
    countrySpecificData: countrySpecificData === null ? null : JSON.stringify(countrySpecificData),
    notes,
    ...payment,
  }
}

const paymentFields = ({ paymentMethod, paymentDate }: Document) => ({ paymentMethod, paymentDate })

const paymentOf = (
  { now, organization, source, stored }: ChangeContext,
  { current, changes }: DocumentChange,
  { paymentDate, paymentMethod }: ReturnType<typeof newColumns>,
) =>
  paymentOfDocument(changes.id, {
    kind: salesKind,
    customerId: current.customerId,
    currency: current.currency,
    amountMinor: current.openMinor,
    paidAt: paymentDate ?? today(now, organization.timezone),
    method: paymentMethod,
    source,
    stored,
  })
