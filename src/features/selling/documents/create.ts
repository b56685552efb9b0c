import type { Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { insertLines } from '../../../ledger/lines.ts'
import { paymentOfDocument, recordPayment } from '../../../ledger/payments/record-payment.ts'
import { checkItems, stockWarnings } from '../items/document-items.ts'
import { countryWarnings } from './country-view.ts'
import type { Document, NewDocument } from './document.ts'
import { invoiceCreated, invoiceIssued, invoicePaid, toEventPayload } from './events/events.ts'
import { issuingContext } from './issuing/issuing-context.ts'
import { receiptWarnings, recordsPayment, statusBeforePayment } from './issuing/receipt-payment.ts'
import { writtenWarnings } from './issuing/written-warnings.ts'
import { salesKind } from './kind.ts'
import { refuseTooLong } from './print/print-length.ts'
import { type DocumentRow, documentById, toDocument } from './reading/read.ts'
import { checkReferences, type DocumentInput, emptyOptionalFields, toColumns } from './write.ts'

type CreateContext = Pick<Inside, 'db' | 'emit' | 'now'> & { who: Promise<Member> }

/** Creates a document. Any status but DRAFT issues it at once; PAID, or a receipt that says how it was paid, also records its payment. */
export async function createDocument(
  { db, emit, who, now }: CreateContext,
  given: Omit<NewDocument, 'organizationId'>,
  /** Whether the items of the lines were read from a document, which may name what is no item. */
  { copied = false } = {},
): Promise<{ row: DocumentRow; warnings: Warning[] }> {
  const input: DocumentInput = { ...emptyOptionalFields, ...given }
  const { organization, member } = await pipeline({
    organization: issuingContext(db, now),
    member: who,
    references: checkReferences(db, given),
    items: !copied && checkItems(db, given.items),
  })
  const { columns, amounts, warnings } = toColumns(input, { organization, now })
  const id = newId()
  const { userId } = member
  const hasPayment = recordsPayment(input, columns)
  const status = hasPayment ? statusBeforePayment(input) : input.status
  const payment = paymentOfDocument(id, {
    kind: salesKind,
    customerId: input.customerId,
    currency: columns.currency,
    amountMinor: columns.totalMinor,
    paidAt: columns.paymentDate ?? today(now, organization.timezone),
    method: columns.paymentMethod,
    source: 'DOCUMENT',
  })
  const { row } = await pipeline({
    document: db
      .insertInto('documents')
      .values({ id, ...columns, status, createdBy: userId })
      .execute(),
    lines: input.items.length > 0 && insertLines(db, id, input.items, amounts),
    created: appendHistory(db, id, 'CREATED', { status: input.status, userId }),
    issued: input.status !== 'DRAFT' && appendHistory(db, id, 'ISSUED', { userId }),
    payment: hasPayment && recordPayment({ db, emit, member }, payment).recorded,
    paid: (hasPayment || input.status === 'PAID') && appendHistory(db, id, 'PAID', { userId }),
    row: one(documentById(db, id), 'document'),
  })
  if (input.status !== 'DRAFT') refuseTooLong(row)
  const document = toDocument(row)
  emitEvents(emit, document)
  const ofStock = await stockWarnings(db, document)
  return {
    row,
    warnings: [
      ...warnings,
      ...writtenWarnings(row, { organization, now, requested: columns.issueDate }),
      ...receiptWarnings(row),
      ...countryWarnings(row),
      ...ofStock,
    ],
  }
}

function emitEvents(emit: Inside['emit'], document: Document) {
  emit(invoiceCreated, toEventPayload(document))
  if (document.status === 'DRAFT') return
  faultPoint('after-number')
  emit(invoiceIssued, toEventPayload(document))
  if (document.status === 'PAID') emit(invoicePaid, toEventPayload(document))
}
