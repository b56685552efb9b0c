import { sql } from 'kysely'
import { today } from '../../core/day.ts'
import { newId } from '../../core/id.ts'
import { split, toMajor } from '../../core/money.ts'
import type { Inside, Member } from '../../core/operation.ts'
import { productVersion } from '../../core/product.ts'
import { one } from '../../core/query.ts'
import { type Document, factsOf, type NewLine, receiptIssued } from './document.ts'
import { type DocumentRow, documentById, toDocument } from './read.ts'
import { readAmounts } from './totals.ts'
import { type Home, insertLines, recordEvent } from './write.ts'

type Issuing = Pick<Inside, 'db' | 'emit' | 'now'> & { member: Member; home: Home }
type Paid = { id: string; amountMinor: number }

/**
 * Issues the receipt for a payment of a document: over what was paid, with its share of the tax or free of it. It owes
 * nothing itself, and is cancelled with its payment. The counter of receipts is the caller's to hold.
 */
export async function issueReceipt(
  { db, emit, now, member, home }: Issuing,
  { row, payment, taxFree }: { row: DocumentRow; payment: Paid; taxFree: boolean },
): Promise<Document> {
  const id = newId()
  const { items, ...sums } = receiptOver(row, payment.amountMinor, taxFree)
  const amounts = readAmounts({ ...sums, items, currency: row.currency }, { draft: false })
  const { userId } = member
  const [, , , , , receipt] = await Promise.all([
    db
      .insertInto('documents')
      .values({
        id,
        documentType: 'RECEIPT',
        status: 'PAID',
        counterpartyId: row.customerId,
        bankAccountId: row.bankAccountId,
        currency: row.currency,
        minorDigits: sql<number>`(select d.minor_digits from documents d where d.id = ${row.id})`,
        exchangeRate: row.exchangeRate,
        issueDate: today(now, home.timezone),
        dueDate: null,
        payUntil: null,
        subtotalMinor: Number(amounts.subtotal),
        taxMinor: Number(amounts.taxAmount),
        totalMinor: Number(amounts.total),
        taxRate: amounts.taxRate,
        notes: null,
        paymentMethod: row.paymentMethod,
        paymentDate: row.paymentDate,
        countrySpecificData: null,
        generatorVersion: productVersion,
        sourceDocumentId: row.id,
        paymentId: payment.id,
        createdBy: userId,
      })
      .execute(),
    insertLines(db, id, items, amounts),
    sql`update documents set receipt_number = (select r.number from documents r where r.id = ${id}) where id = ${row.id}`.execute(
      db,
    ),
    recordEvent(db, id, 'ISSUED', { of: row.id, userId }),
    recordEvent(db, row.id, 'RECEIPT_ISSUED', { receiptId: id, userId }),
    one(documentById(db, id), 'receipt'),
  ])
  const document = toDocument(receipt)
  emit(receiptIssued, factsOf(document))
  return document
}

/** All of the document as it stands, or one line about a part of it. */
function receiptOver(row: DocumentRow, amountMinor: number, taxFree: boolean) {
  const document = toDocument(row)
  if (amountMinor === row.totalMinor && !taxFree) return document
  const major = (minor: bigint) => toMajor(minor, row.currency)
  const [tax = 0n, subtotal = 0n] = taxFree
    ? [0n, BigInt(amountMinor)]
    : split(BigInt(amountMinor), [row.taxMinor, row.totalMinor - row.taxMinor])
  const line: NewLine = {
    id: '1',
    description: `Payment of ${row.invoiceNumber}`,
    quantity: 1,
    unitPrice: major(subtotal),
    amount: major(subtotal),
  }
  return {
    items: [line],
    subtotal: major(subtotal),
    taxAmount: major(tax),
    total: major(BigInt(amountMinor)),
    taxRate: taxFree ? 0 : document.taxRate,
  }
}

/** The receipt that acknowledges a payment, if there is one. */
export const receiptFor = async ({ db }: Pick<Inside, 'db'>, paymentId: string): Promise<Document | null> => {
  const found = await db
    .selectFrom('documents')
    .select('id')
    .where('paymentId', '=', paymentId)
    .where('documentType', '=', 'RECEIPT')
    .executeTakeFirst()
  return found ? toDocument(await one(documentById(db, found.id), 'receipt')) : null
}
