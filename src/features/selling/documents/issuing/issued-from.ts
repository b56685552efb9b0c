import { sql } from 'kysely'
import type { Inside, Member } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { faultPoint } from '../../../../core/observe/fault-point.ts'
import { today } from '../../../../core/values/day.ts'
import { newId } from '../../../../core/values/id.ts'
import { minorDigits } from '../../../../core/values/money.ts'
import { productVersion } from '../../../../core/values/product-version.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { insertLines } from '../../../../ledger/lines.ts'
import type { OrganizationContext } from '../../../../ledger/organization-context.ts'
import { readAmounts, type Totals } from '../../../../ledger/totals.ts'
import { refuseTooLong } from '../print/print-length.ts'
import { type DocumentRow, documentById } from '../reading/read.ts'

/** What issuing a document from another one needs. */
export type IssueContext = Pick<Inside, 'db' | 'emit' | 'now'> & {
  member: Pick<Member, 'userId' | 'organizationId'>
  organization: OrganizationContext
}

type IssuedDocument = Omit<Totals, 'currency'> & {
  documentType: 'RECEIPT' | 'CREDIT_MEMO' | 'DEBIT_MEMO' | 'INVOICE' | 'INVOICE_RECEIPT'
  /** PAID for a document that stands for a payment and so has no open balance. */
  status: 'PAID' | 'UNSENT'
  paymentId: string | null
  paymentMethod: string | null
  paymentDate: string | null
  notes: string | null
  /** The day that was asked for; that of the issue without. */
  issueDate?: string | undefined
  /** The rate that was given for it; the published one applies without. */
  rate?: { givenRate: string | null; givenRateDate: string | null }
  /** The terms that an invoice takes over; receipts and memos have none. */
  terms?: { dueDate: string | null; payUntil: string | null; countrySpecificData: object | null }
}

/** What a document is issued from: the document that it is about, or a payment that is about several or none. */
type Origin = Pick<DocumentRow, 'currency' | 'customerId' | 'bankAccountId'> & { id: string | null }

/**
 * Issues a receipt, memo or invoice from another document. The caller has locked the counter of its type and the source document.
 * `sendAfterInsert` sends statements that need the number, in the same flush.
 */
export async function issueFrom(
  { db, now, member, organization }: IssueContext,
  source: Origin,
  { items, subtotal, taxAmount, total, taxRate, terms, rate, issueDate, ...fields }: IssuedDocument,
  sendAfterInsert: (id: string) => Promise<unknown>,
): Promise<DocumentRow> {
  const id = newId()
  const { currency, customerId, bankAccountId } = source
  const amounts = readAmounts({ currency, items, subtotal, taxAmount, total, taxRate }, { draft: false })
  const columns = {
    ...fields,
    ...rate,
    id,
    counterpartyId: customerId,
    bankAccountId,
    currency,
    minorDigits:
      source.id === null
        ? minorDigits(currency)
        : sql<number>`(select d.minor_digits from documents d where d.id = ${source.id})`,
    issueDate: issueDate ?? today(now, organization.timezone),
    issueDateGiven: issueDate !== undefined,
    dueDate: terms?.dueDate ?? null,
    payUntil: terms?.payUntil ?? null,
    subtotalMinor: Number(amounts.subtotal),
    taxMinor: Number(amounts.taxAmount),
    totalMinor: Number(amounts.total),
    taxRate: amounts.taxRate,
    countrySpecificData: terms?.countrySpecificData ? JSON.stringify(terms.countrySpecificData) : null,
    generatorVersion: productVersion,
    sourceDocumentId: source.id,
    createdBy: member.userId,
  }
  const { issued } = await pipeline({
    document: db.insertInto('documents').values(columns).execute(),
    lines: items.length > 0 && insertLines(db, id, items, amounts),
    history: appendHistory(db, id, 'ISSUED', { of: source.id, userId: member.userId }),
    afterInsert: sendAfterInsert(id),
    issued: one(documentById(db, id), 'document'),
  })
  refuseTooLong(issued)
  faultPoint('after-number')
  return issued
}
