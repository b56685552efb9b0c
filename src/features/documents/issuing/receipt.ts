import { sql } from 'kysely'
import type { Inside } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { exact, round, toMajor } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import type { Document } from '../document.ts'
import { receiptIssued, toEventPayload } from '../events/events.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import { type IssueContext, issueFrom } from './issued-from.ts'

type DocumentPayment = { id: string; amountMinor: number }

/**
 * Issues the receipt for a payment of a document: over the paid amount, with its share of the tax or tax-free. A receipt
 * has no open balance and is cancelled together with its payment.
 */
export async function issueReceipt(
  context: IssueContext,
  { row, payment, taxFree }: { row: DocumentRow; payment: DocumentPayment; taxFree: boolean },
): Promise<void> {
  const { db, emit, member } = context
  const receipt = {
    ...receiptAmounts(row, payment.amountMinor, taxFree),
    documentType: 'RECEIPT' as const,
    status: 'PAID' as const,
    paymentId: payment.id,
    paymentMethod: row.paymentMethod,
    paymentDate: row.paymentDate,
    notes: null,
  }
  const issued = await issueFrom(context, row, receipt, (id) =>
    pipeline({
      receiptNumber:
        sql`update documents set receipt_number = (select r.number from documents r where r.id = ${id}) where id = ${row.id}`.execute(
          db,
        ),
      history: appendHistory(db, row.id, 'RECEIPT_ISSUED', { receiptId: id, userId: member.userId }),
    }),
  )
  emit(receiptIssued, toEventPayload(toDocument(issued)))
}

/** The lines and amounts of the document if it was paid as a whole; otherwise one line over the paid amount. */
function receiptAmounts(row: DocumentRow, amountMinor: number, taxFree: boolean) {
  const { items, subtotal, taxAmount, total, taxRate, invoiceNumber } = toDocument(row)
  if (amountMinor === row.totalMinor && !taxFree) return { items, subtotal, taxAmount, total, taxRate }
  const major = (minor: bigint) => toMajor(minor, row.currency)
  const tax = taxFree ? 0n : round(exact(row.taxMinor).times(amountMinor).div(row.totalMinor), 'half-up')
  const amount = major(BigInt(amountMinor) - tax)
  return {
    items: [{ id: '1', description: paymentDescription(invoiceNumber), quantity: 1, unitPrice: amount, amount }],
    subtotal: amount,
    taxAmount: major(tax),
    total: major(BigInt(amountMinor)),
    taxRate: taxFree ? 0 : taxRate,
  }
}

/** The line of a receipt over a part of a document; the print shows it in its own language. */
export const paymentDescription = (number: string | null): string => `Payment of ${number}`

/** The receipt of a payment, if one was issued. */
export async function receiptFor({ db }: Pick<Inside, 'db'>, paymentId: string): Promise<Document | null> {
  const receipt = await db
    .selectFrom('documents')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('documentType', '=', 'RECEIPT')
    .executeTakeFirst()
  return receipt ? toDocument(await one(documentById(db, receipt.id), 'receipt')) : null
}
