import type { Inside, Member } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import type { Warning } from '../../core/define/schema.ts'
import { faultPoint } from '../../core/observe/fault-point.ts'
import { today } from '../../core/values/day.ts'
import { newId } from '../../core/values/id.ts'
import { pipeline } from '../../db/pipeline.ts'
import { countryWarnings } from './country-view.ts'
import { type Document, factsOf, invoiceCreated, invoiceIssued, invoicePaid, type NewDocument } from './document.ts'
import { type DocumentRow, documentById, toDocument } from './reading/read.ts'
import { payingFor, recordPayment } from './record-payment.ts'
import {
  appendHistory,
  checkReferences,
  type DocumentInput,
  insertLines,
  organizationContext,
  toColumns,
  unsaid,
} from './write.ts'

type Creating = Pick<Inside, 'db' | 'emit' | 'now'> & { who: Promise<Member> }

/** Makes a document in whatever status is wanted: in a later one it is issued at once, in PAID it is paid too. */
export async function createDocument(
  { db, emit, who, now }: Creating,
  given: Omit<NewDocument, 'organizationId'>,
): Promise<{ row: DocumentRow; warnings: Warning[] }> {
  const wanted: DocumentInput = { ...unsaid, ...given }
  const { home, member } = await pipeline({
    home: organizationContext(db),
    member: who,
    references: checkReferences(db, given),
  })
  const { columns, amounts, warnings } = toColumns(wanted, { home, now })
  const id = newId()
  const { userId } = member
  const pays = wanted.status === 'PAID' && columns.totalMinor > 0
  const status = pays ? 'UNSENT' : wanted.status // paid by its payment
  const paying = payingFor(id, {
    customerId: wanted.customerId,
    currency: columns.currency,
    amountMinor: columns.totalMinor,
    paidAt: columns.paymentDate ?? today(now, home.timezone),
    method: columns.paymentMethod,
    source: 'DOCUMENT',
  })
  const { row } = await pipeline({
    inserted: db
      .insertInto('documents')
      .values({ id, ...columns, status, createdBy: userId })
      .execute(),
    lines: wanted.items.length > 0 && insertLines(db, id, wanted.items, amounts),
    created: appendHistory(db, id, 'CREATED', { status: wanted.status, userId }),
    issued: wanted.status !== 'DRAFT' && appendHistory(db, id, 'ISSUED', { userId }),
    payment: pays && recordPayment({ db, emit, member }, paying).recorded,
    paid: wanted.status === 'PAID' && appendHistory(db, id, 'PAID', { userId }),
    row: one(documentById(db, id), 'document'),
  })
  const document = toDocument(row)
  emit(invoiceCreated, factsOf(document))
  if (row.status !== 'DRAFT') faultPoint('after-number')
  if (row.status !== 'DRAFT') emit(invoiceIssued, factsOf(document))
  if (row.status === 'PAID') emit(invoicePaid, factsOf(document))
  const doubts = [...movedDate(document, columns.issueDate), ...missingRate(document), ...countryWarnings(row)]
  return { row, warnings: [...warnings, ...doubts] }
}

/** Numbers follow the calendar: a document that was to be dated before the last number carries that one's date. */
export function movedDate({ issueDate, status }: Document, asked: string): Warning[] {
  if (status === 'DRAFT' || issueDate === asked) return []
  const message = `The last number is dated ${issueDate}, so this document is too.`
  return [{ code: 'ISSUE_DATE_MOVED', path: 'issueDate', message }]
}

/** The rate is fixed with the number; what nobody has published is left open, and said. */
export function missingRate({ exchangeRate, status, currency, issueDate }: Document): Warning[] {
  if (status === 'DRAFT' || exchangeRate !== null) return []
  const message = `No exchange rate of ${currency} is known for ${issueDate}, so the document carries none.`
  return [{ code: 'EXCHANGE_RATE_MISSING', path: 'currency', message }]
}
