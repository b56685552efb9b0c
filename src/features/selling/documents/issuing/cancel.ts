import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, nullable, storable, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { Document } from '../document.ts'
import { isReceiptByLaw } from '../legal-content.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'

const Reason = Type.String({ maxLength: 1_000, pattern: storable, examples: ['Sent to the wrong customer'] })

export const cancel = operation({
  name: 'invoices_cancel',
  http: 'POST /api/documents/{id}/cancel',
  does: 'Cancels an issued payment request or receipt: it keeps its number and has no open balance. Tax documents are credited instead.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id, reason: Type.Optional(nullable(Reason)) }),
  output: Document,
  async run({ db, who, audit }, { id, reason = null }) {
    const { member, row } = await pipeline({
      member: who,
      paid: lockPaidDocuments(db, id), // before the receipt, as when its payment is voided
      locked: lockDocument(db, id),
      row: one(documentById(db, id), 'document'),
    })
    if (row.cancelledAt !== null) return toDocument(row)
    refuseUncancellable(row)
    audit({ cancelled: row.invoiceNumber, reason })
    const { after } = await pipeline({
      document: db.updateTable('documents').set({ cancelledAt: sql<string>`now()` }).where('id', '=', id).execute(),
      receiptNumber: row.paymentId !== null && clearReceiptNumber(db, row),
      history: appendHistory(db, id, 'CANCELLED', { reason, userId: member.userId }),
      after: one(documentById(db, id), 'document'),
    })
    return toDocument(after)
  },
})

function refuseUncancellable(row: DocumentRow) {
  const { status, documentType, paidMinor, convertedToId } = row
  if (status === 'DRAFT') throw conflict('A draft is not cancelled. Delete it instead.', 'DRAFT')
  if (documentType !== 'PAYMENT_REQUEST' && !isReceiptByLaw(row))
    throw conflict(
      'A tax document is not cancelled. Credit it instead: POST /api/documents/{id}/memos with kind CREDIT.',
      'TAX_DOCUMENT',
    )
  if (convertedToId !== null)
    throw conflict('An invoice was issued for this payment request. Credit the invoice instead.', 'CONVERTED')
  if (paidMinor > 0)
    throw conflict('The document has payments. Void or refund them first, then cancel it.', 'HAS_PAYMENTS')
}

/** Locks the documents that the payment of a receipt pays or has paid, in the order of their ids (reliability, lock order). */
const lockPaidDocuments = (db: Database, receiptId: string) =>
  db
    .selectFrom('documents')
    .select('id')
    .where('id', 'in', (query) =>
      query
        .selectFrom('allocations')
        .innerJoin('documents as receipt', 'receipt.paymentId', 'allocations.paymentId')
        .select('allocations.documentId')
        .where('receipt.id', '=', receiptId)
        .where('receipt.documentType', '=', 'RECEIPT'),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** The documents that were paid no longer show the number of the cancelled receipt. */
const clearReceiptNumber = (db: Database, { paymentId, invoiceNumber }: DocumentRow) =>
  db
    .updateTable('documents')
    .set({ receiptNumber: null })
    .where('id', 'in', (query) =>
      query.selectFrom('allocations').select('documentId').where('paymentId', '=', paymentId),
    )
    .where('receiptNumber', '=', invoiceNumber)
    .execute()
