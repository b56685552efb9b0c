import { atLeast } from '../../../core/define/access.ts'
import { forbidden } from '../../../core/define/failure.ts'
import type { Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { requireUnchanged } from '../../../core/define/unchanged.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockCounters, lockDocument } from '../../../ledger/numbering.ts'
import { clearPayments } from '../../../ledger/payments/void-payment.ts'
import { checkItems, stockWarnings, storedLines } from '../items/document-items.ts'
import type { ChangeContext, DocumentChange } from './change-context.ts'
import { changeDraft } from './change-draft.ts'
import { changeIssued } from './change-issued.ts'
import { countryWarnings } from './country-view.ts'
import type { Document, DocumentChanges } from './document.ts'
import { invoiceIssued, invoicePaid, toEventPayload } from './events/events.ts'
import { changedFields } from './history/changed-fields.ts'
import { issuingContext } from './issuing/issuing-context.ts'
import { receiptWarnings } from './issuing/receipt-payment.ts'
import { defaultType, salesKind } from './kind.ts'
import { type DocumentRow, documentById, toDocument } from './reading/read.ts'
import { checkReferences } from './write.ts'

type Context = Pick<Inside, 'db' | 'emit' | 'now' | 'audit' | 'expectedUpdatedAt'> & { who: Promise<Member> }

/** Changes a document: every field of a draft, and the terms, notes and status of an issued one. */
export async function changeDocument(
  context: Context,
  changes: DocumentChanges,
  {
    replace = false,
    source = 'DOCUMENT',
    stored,
  }: { replace?: boolean } & Partial<Pick<ChangeContext, 'source' | 'stored'>> = {},
): Promise<Document> {
  const { db, who, now } = context
  const { id, status, documentType } = changes
  const becomesFinal = status !== undefined && status !== 'DRAFT'
  const { organization, member, before } = await pipeline({
    organization: issuingContext(db, now),
    member: who,
    references: checkReferences(db, changes),
    items: checkItems(db, changes.items, storedLines(id)),
    counters:
      becomesFinal &&
      lockCounters(db, {
        documentId: id,
        becomesFinal,
        documentType: documentType ?? (replace ? defaultType : undefined),
      }),
    locked: lockDocument(db, id),
    before: one(documentById(db, id), 'document'),
  })
  await requireUnchanged(context, { id, noun: 'document', updatedAt: before.updatedAt })
  const change = { ...context, organization, member, source, stored }
  const warnings = changes.clearReceiptInfo
    ? await applyChange(change, {
        current: await withPaymentCleared(change, before),
        changes: withoutPaymentFields(changes),
        replace,
      })
    : await applyChange(change, { current: before, changes, replace })
  const row = await one(documentById(db, id), 'document')
  const document = toDocument(row)
  if (row.updatedAt !== before.updatedAt) context.audit({ fields: changedFields(before, row) })
  emitEvents(context, { before, document })
  const ofStock = before.status === 'DRAFT' ? await stockWarnings(db, document) : []
  return withWarnings(document, [...warnings, ...receiptWarnings(row), ...countryWarnings(row), ...ofStock])
}

const applyChange = (context: ChangeContext, change: DocumentChange) =>
  change.current.status === 'DRAFT' ? changeDraft(context, change) : changeIssued(context, change).then(() => [])

/** Voids the payments of a paid document, which needs the role MANAGER. An unpaid document is returned as it is. */
async function withPaymentCleared({ db, emit, member }: ChangeContext, current: DocumentRow): Promise<DocumentRow> {
  if (!atLeast(member.role, 'MANAGER'))
    throw forbidden(`Clearing a payment needs the role MANAGER in the organization; yours is ${member.role}.`, 'ROLE')
  if (current.status !== 'PAID') return current
  await clearPayments({ db, emit, member }, current, salesKind)
  return one(documentById(db, current.id), 'document')
}

/** Removes payment fields that a client read and sent back together with clearReceiptInfo. */
function withoutPaymentFields({
  paymentDate: _,
  paymentMethod: __,
  status,
  ...changes
}: DocumentChanges): DocumentChanges {
  return status === undefined || status === 'PAID' ? changes : { ...changes, status }
}

function emitEvents({ emit }: Context, { before, document }: { before: DocumentRow; document: Document }) {
  if (before.status === 'DRAFT' && document.status !== 'DRAFT') emit(invoiceIssued, toEventPayload(document))
  if (before.status !== 'PAID' && document.status === 'PAID') emit(invoicePaid, toEventPayload(document))
}
