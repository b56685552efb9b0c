import { sql } from 'kysely'
import { conflict, invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, nullable, OneOf, type Static, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { today } from '../../../core/values/day.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'
import { refuseDuplicateLineIds } from '../../../ledger/lines.ts'
import { lockCounters, lockDocument } from '../../../ledger/numbering.ts'
import { organizationContext } from '../../../ledger/organization-context.ts'
import { recordPayment } from '../../../ledger/payments/record-payment.ts'
import { countryWarnings } from '../country-view.ts'
import { missingRateWarnings } from '../create.ts'
import { Document, NewLine } from '../document.ts'
import { invoiceCreated, invoiceIssued, invoicePaid, toEventPayload } from '../events/events.ts'
import { salesKind } from '../kind.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import { type IssueContext, issueFrom } from './issued-from.ts'
import { memoTotals, toMemoMinor } from './memo-amounts.ts'

const MemoInput = Type.Object({
  id: Id,
  kind: OneOf('CREDIT', 'DEBIT'),
  items: Type.Optional(Type.Array(NewLine, { minItems: 1, maxItems: 1_000 })),
  reason: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
})
type MemoInput = Static<typeof MemoInput>
const memoTypes = { CREDIT: 'CREDIT_MEMO', DEBIT: 'DEBIT_MEMO' } as const

export const issueMemo = operation({
  name: 'invoices_memos',
  http: 'POST /api/documents/{id}/memos',
  does: 'Corrects an issued document with a memo: CREDIT takes off what is owed, all of it unless lines are given; DEBIT adds.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: MemoInput,
  output: Document,
  status: 201,
  async run({ db, who, emit, now }, input) {
    const { id } = input
    const { organization, member, source, credited } = await pipeline({
      organization: organizationContext(db),
      member: who,
      counters: lockCounters(db, { documentId: id, issues: [memoTypes[input.kind]] }),
      locked: lockDocument(db, id),
      source: one(documentById(db, id), 'document'),
      credited: creditedMinor(db, id),
    })
    const content = memoContent(input, source, source.totalMinor - credited)
    const context = { db, emit, now, member, organization }
    const row = await issue(context, source, { kind: input.kind, reason: input.reason ?? null, ...content })
    const memo = toDocument(row)
    emit(invoiceCreated, toEventPayload(memo))
    emit(invoiceIssued, toEventPayload(memo))
    await recordIfPaid(context, source, memo)
    return withWarnings(memo, [...missingRateWarnings(memo), ...countryWarnings(row)])
  },
})

type MemoContent = { items: readonly NewLine[]; subtotal: number; taxAmount: number; total: number; totalMinor: number }

/** The lines and amounts of the memo: those of the document unless lines are given. Refuses a memo that is not allowed. */
function memoContent({ kind, items }: MemoInput, source: DocumentRow, creditableMinor: number): MemoContent {
  refuseUncorrectable(source)
  if (!items && kind === 'DEBIT')
    throw invalid('items', 'A debit memo needs items: the lines that are owed in addition.')
  if (items) refuseDuplicateLineIds(items)
  const document = toDocument(source)
  const { subtotal, taxAmount, total } = items
    ? memoTotals(items, source, kind === 'CREDIT' ? BigInt(creditableMinor) : undefined)
    : document
  const totalMinor = toMemoMinor(total, source.currency)
  if (kind === 'CREDIT' && totalMinor > creditableMinor)
    throw invalid(
      'items',
      'The memo is larger than the part of the document that is not credited yet.',
      'AMOUNT_OVER_TOTAL',
    )
  return { items: items ?? document.items, subtotal, taxAmount, total, totalMinor }
}

function refuseUncorrectable({ status, documentType, paymentId }: DocumentRow) {
  if (status === 'DRAFT')
    throw conflict('A memo corrects an issued document. Change or delete the draft instead.', 'DRAFT')
  if (paymentId !== null || documentType === 'CREDIT_MEMO')
    throw conflict('A receipt or credit memo has no open balance. Correct the document that it is about.', 'NOT_OWED')
}

/** Issues the memo. The credit of a credit memo is recorded first, since the memo refers to it. */
async function issue(
  context: IssueContext,
  source: DocumentRow,
  {
    kind,
    reason,
    items,
    subtotal,
    taxAmount,
    total,
    totalMinor,
  }: MemoContent & {
    kind: MemoInput['kind']
    reason: string | null
  },
): Promise<DocumentRow> {
  const credit = kind === 'CREDIT' ? recordCredit(context, source, totalMinor) : undefined
  const memo = {
    items,
    subtotal,
    taxAmount,
    total,
    taxRate: toDocument(source).taxRate,
    documentType: memoTypes[kind],
    status: kind === 'CREDIT' ? ('PAID' as const) : ('UNSENT' as const),
    paymentId: credit?.id ?? null,
    paymentMethod: null,
    paymentDate: null,
    notes: reason,
  }
  const { row } = await pipeline({
    credit: credit?.recorded,
    row: issueFrom(context, source, memo, (memoId) =>
      appendHistory(context.db, source.id, 'MEMO_ISSUED', { memoId, kind, total, userId: context.member.userId }),
    ),
  })
  return row
}

/** The credit pays the open balance of the document; the rest stays open for other documents of the customer. */
function recordCredit(context: IssueContext, source: DocumentRow, amountMinor: number) {
  const { id, customerId, currency, totalMinor, paidMinor } = source
  const allocatedMinor = Math.min(amountMinor, totalMinor - paidMinor)
  return recordPayment(context, {
    kind: salesKind,
    customerId,
    currency,
    amountMinor,
    paidAt: today(context.now, context.organization.timezone),
    method: 'CREDIT_MEMO',
    source: 'CREDIT_MEMO',
    shares: allocatedMinor > 0 ? [{ documentId: id, amountMinor: allocatedMinor }] : [],
  })
}

/** Notes in the history of the corrected document that the memo has settled it, and emits invoice.paid. */
async function recordIfPaid({ db, emit, member }: IssueContext, source: DocumentRow, memo: Document) {
  const after = await one(documentById(db, source.id), 'document')
  if (source.status === 'PAID' || after.status !== 'PAID') return
  await appendHistory(db, source.id, 'PAID', { memoId: memo.id, userId: member.userId })
  emit(invoicePaid, toEventPayload(toDocument(after)))
}

/** The sum of the credit memos of a document. */
async function creditedMinor(db: Database, documentId: string): Promise<number> {
  const { credited } = await db
    .selectFrom('documents')
    .select(sql<number>`coalesce(sum(total_minor), 0)::bigint`.as('credited'))
    .where('sourceDocumentId', '=', documentId)
    .where('documentType', '=', 'CREDIT_MEMO')
    .executeTakeFirstOrThrow()
  return credited
}
