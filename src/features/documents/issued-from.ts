import { sql } from 'kysely'
import type { Inside, Member } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { faultPoint } from '../../core/observe/fault-point.ts'
import { today } from '../../core/values/day.ts'
import { newId } from '../../core/values/id.ts'
import { productVersion } from '../../core/values/product-version.ts'
import { pipeline } from '../../db/pipeline.ts'
import { type DocumentRow, documentById } from './reading/read.ts'
import { readAmounts, type Totals } from './totals.ts'
import { appendHistory, insertLines, type OrganizationContext } from './write.ts'

export type Issue = Pick<Inside, 'db' | 'emit' | 'now'> & { member: Member; home: OrganizationContext }

type Derived = Omit<Totals, 'currency'> & {
  documentType: 'RECEIPT' | 'CREDIT_MEMO' | 'DEBIT_MEMO'
  /** PAID for what owes nothing itself, since it stands for a payment. */
  status: 'PAID' | 'UNSENT'
  paymentId: string | null
  paymentMethod: string | null
  paymentDate: string | null
  notes: string | null
}

/**
 * Issues a document about another one: its receipt or a memo. The caller holds the counter of its type and the document it
 * is about; `then` is what is asked for once it has its number.
 */
export async function issueFrom(
  { db, now, member, home }: Issue,
  source: DocumentRow,
  { items, subtotal, taxAmount, total, taxRate, ...derived }: Derived,
  then: (id: string) => Promise<unknown>,
): Promise<DocumentRow> {
  const id = newId()
  const { currency, customerId, bankAccountId } = source
  const amounts = readAmounts({ currency, items, subtotal, taxAmount, total, taxRate }, { draft: false })
  const row = {
    ...derived,
    id,
    counterpartyId: customerId,
    bankAccountId,
    currency,
    minorDigits: sql<number>`(select d.minor_digits from documents d where d.id = ${source.id})`,
    issueDate: today(now, home.timezone),
    dueDate: null,
    payUntil: null,
    subtotalMinor: Number(amounts.subtotal),
    taxMinor: Number(amounts.taxAmount),
    totalMinor: Number(amounts.total),
    taxRate: amounts.taxRate,
    countrySpecificData: null,
    generatorVersion: productVersion,
    sourceDocumentId: source.id,
    createdBy: member.userId,
  }
  const { issued } = await pipeline({
    inserted: db.insertInto('documents').values(row).execute(),
    lines: insertLines(db, id, items, amounts),
    history: appendHistory(db, id, 'ISSUED', { of: source.id, userId: member.userId }),
    linked: then(id),
    issued: one(documentById(db, id), 'document'),
  })
  faultPoint('after-number')
  return issued
}
