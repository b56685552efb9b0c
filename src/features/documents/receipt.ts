import { sql } from 'kysely'
import type { Inside } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { exact, round, toMajor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { type Document, factsOf, receiptIssued } from './document.ts'
import { type Issue, issueFrom } from './issued-from.ts'
import { type DocumentRow, documentById, toDocument } from './reading/read.ts'
import { appendHistory } from './write.ts'

type Paid = { id: string; amountMinor: number }

/**
 * Issues the receipt for a payment of a document: over what was paid, with its share of the tax or free of it. It owes
 * nothing itself, and is cancelled with its payment.
 */
export async function issueReceipt(
  issuing: Issue,
  { row, payment, taxFree }: { row: DocumentRow; payment: Paid; taxFree: boolean },
): Promise<void> {
  const { db, emit, member } = issuing
  const wanted = {
    ...receiptOver(row, payment.amountMinor, taxFree),
    documentType: 'RECEIPT' as const,
    status: 'PAID' as const,
    paymentId: payment.id,
    paymentMethod: row.paymentMethod,
    paymentDate: row.paymentDate,
    notes: null,
  }
  const receipt = await issueFrom(issuing, row, wanted, (id) =>
    pipeline({
      numbered:
        sql`update documents set receipt_number = (select r.number from documents r where r.id = ${id}) where id = ${row.id}`.execute(
          db,
        ),
      history: appendHistory(db, row.id, 'RECEIPT_ISSUED', { receiptId: id, userId: member.userId }),
    }),
  )
  emit(receiptIssued, factsOf(toDocument(receipt)))
}

/** All of the document as it stands, or one line about a part of it. */
function receiptOver(row: DocumentRow, amountMinor: number, taxFree: boolean) {
  const { items, subtotal, taxAmount, total, taxRate, invoiceNumber } = toDocument(row)
  if (amountMinor === row.totalMinor && !taxFree) return { items, subtotal, taxAmount, total, taxRate }
  const major = (minor: bigint) => toMajor(minor, row.currency)
  const tax = taxFree ? 0n : round(exact(row.taxMinor).times(amountMinor).div(row.totalMinor), 'half-up')
  const amount = major(BigInt(amountMinor) - tax)
  return {
    items: [{ id: '1', description: paymentText(invoiceNumber), quantity: 1, unitPrice: amount, amount }],
    subtotal: amount,
    taxAmount: major(tax),
    total: major(BigInt(amountMinor)),
    taxRate: taxFree ? 0 : taxRate,
  }
}

/** The one line of a receipt over a part; on paper it is said in the language of the page. */
export const paymentText = (number: string | null): string => `Payment of ${number}`

/** The receipt that acknowledges a payment, if there is one. */
export async function receiptFor({ db }: Pick<Inside, 'db'>, paymentId: string): Promise<Document | null> {
  const found = await db
    .selectFrom('documents')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('documentType', '=', 'RECEIPT')
    .executeTakeFirst()
  return found ? toDocument(await one(documentById(db, found.id), 'receipt')) : null
}
