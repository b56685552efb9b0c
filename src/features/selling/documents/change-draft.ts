import { sql } from 'kysely'
import { one } from '../../../core/define/query.ts'
import type { Warning } from '../../../core/define/schema.ts'
import { faultPoint } from '../../../core/observe/fault-point.ts'
import { today } from '../../../core/values/day.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { insertLines } from '../../../ledger/lines.ts'
import { dayOf } from '../../../ledger/organization-context.ts'
import { paymentOfDocument, recordPayment } from '../../../ledger/payments/record-payment.ts'
import type { ChangeContext, DocumentChange } from './change-context.ts'
import type { NewLine } from './document.ts'
import { changedFields } from './history/changed-fields.ts'
import { recordsPayment, statusBeforePayment } from './issuing/receipt-payment.ts'
import { writtenWarnings } from './issuing/written-warnings.ts'
import { defaultType, salesKind } from './kind.ts'
import { refuseTooLong } from './print/print-length.ts'
import { changedRate } from './rates/exchange-rate.ts'
import { type DocumentRow, documentById, toDocument } from './reading/read.ts'
import { type DocumentInput, emptyOptionalFields, toColumns } from './write.ts'

/** Changes a draft, and issues and pays it if its new status says so. */
export async function changeDraft(context: ChangeContext, change: DocumentChange): Promise<Warning[]> {
  const { db, emit, member } = context
  const { userId } = member
  const { id } = change.changes
  const { input, columns, amounts, warnings } = newColumns(context, change)
  const staysDraft = input.status === 'DRAFT'
  const hasPayment = recordsPayment(input, columns)
  const isPaid = hasPayment || input.status === 'PAID'
  const payment = paymentOf(context, id, columns)
  const hasNewLines = linesChanged(change.current, input) || columns.currency !== change.current.currency
  const { after } = await pipeline({
    deletedLines: hasNewLines && db.deleteFrom('documentLines').where('documentId', '=', id).execute(),
    lines: hasNewLines && input.items.length > 0 && insertLines(db, id, input.items, amounts),
    document: db
      .updateTable('documents')
      .set({
        ...columns,
        ...(hasNewLines && { revision: sql<number>`revision + 1` }),
        status: hasPayment ? statusBeforePayment(input) : input.status,
      })
      .where('id', '=', id)
      .execute(),
    issued: !staysDraft && appendHistory(db, id, 'ISSUED', { userId }),
    payment: hasPayment && recordPayment({ db, emit, member }, payment).recorded,
    paid: isPaid && appendHistory(db, id, 'PAID', { userId }),
    after: one(documentById(db, id), 'document'),
  })
  if (staysDraft && after.updatedAt !== change.current.updatedAt)
    await appendHistory(db, id, 'UPDATED', { fields: changedFields(change.current, after), userId })
  if (!staysDraft) {
    refuseTooLong(after)
    faultPoint('after-number')
  }
  return [...warnings, ...writtenWarnings(after, { ...context, requested: columns.issueDate })]
}

/** The columns of the changed draft. A draft keeps its automatic issue date until a caller chooses another one. */
function newColumns({ now, organization }: ChangeContext, { current, changes, replace }: DocumentChange) {
  const { id: _, clearReceiptInfo: __, ...given } = changes
  const changed = { ...toInput(current), ...(replace && replacedFields), ...given }
  const { currency } = changed
  const input: DocumentInput = { ...changed, ...changedRate(current, given, { currency, replace }) }
  const staysDraft = input.status === 'DRAFT'
  const isAutomaticDate =
    staysDraft &&
    !current.issueDateGiven &&
    dayOf('issueDate', given.issueDate ?? '', organization) === current.issueDate
  if (isAutomaticDate) input.issueDate = undefined // the client read the date and sent it back
  const { columns, amounts, warnings } = toColumns(input, { organization, now })
  if (staysDraft && !columns.issueDateGiven && !replace) columns.issueDate = current.issueDate
  return { input, columns, amounts, warnings }
}

/** PUT also resets the type of a draft that it leaves out. */
const replacedFields = { ...emptyOptionalFields, documentType: defaultType }

type Columns = ReturnType<typeof toColumns>['columns']

const paymentOf = ({ now, organization, source, stored }: ChangeContext, documentId: string, columns: Columns) =>
  paymentOfDocument(documentId, {
    kind: salesKind,
    customerId: columns.counterpartyId,
    currency: columns.currency,
    amountMinor: columns.totalMinor,
    paidAt: columns.paymentDate ?? today(now, organization.timezone),
    method: columns.paymentMethod,
    source,
    stored,
  })

const toInput = (row: DocumentRow): DocumentInput => ({
  ...toDocument(row),
  issueDate: row.issueDateGiven ? row.issueDate : undefined,
})

const linesChanged = (current: DocumentRow, { items }: DocumentInput) =>
  JSON.stringify(lineValues(toDocument(current).items)) !== JSON.stringify(lineValues(items))

const lineValues = (items: readonly NewLine[]) =>
  items.map((line) => [
    line.id,
    line.description,
    line.quantity,
    line.unitPrice,
    line.amount,
    line.itemId ?? null,
    line.taxRate ?? null,
    line.taxCategory ?? null,
    line.discountPercent ?? null,
    line.discountAmount ?? null,
  ])
