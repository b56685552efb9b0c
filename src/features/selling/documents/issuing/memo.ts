import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { Id, nullable, OneOf, type Static, Type, type Warning } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { today } from '../../../../core/values/day.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { refuseDuplicateLineIds } from '../../../../ledger/lines.ts'
import { lockCounters, lockDocument } from '../../../../ledger/numbering.ts'
import { dayOf } from '../../../../ledger/organization-context.ts'
import { recordPayment } from '../../../../ledger/payments/record-payment.ts'
import { checkItems, storedLines } from '../../items/document-items.ts'
import { countryView, countryWarnings } from '../country-view.ts'
import { Document, issueDate, NewLine } from '../document.ts'
import { invoiceCreated, invoiceIssued, invoicePaid, toEventPayload } from '../events/events.ts'
import { salesKind } from '../kind.ts'
import { isReceiptByLaw } from '../legal-content.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import { refuseBeforeDocument, refuseFutureDate } from './dates.ts'
import { type IssueContext, issueFrom } from './issued-from.ts'
import { type IssuingContext, issuingContext } from './issuing-context.ts'
import { creditContent, debitContent, type MemoContent } from './memo-amounts.ts'
import type { CreditedBefore } from './memo-lines.ts'
import { derivedWarnings } from './written-warnings.ts'

const MemoInput = Type.Object({
  id: Id,
  kind: OneOf('CREDIT', 'DEBIT'),
  items: Type.Optional(Type.Array(NewLine, { minItems: 1, maxItems: 1_000 })),
  reason: Type.Optional(
    nullable(
      Type.String({
        maxLength: 10_000,
        description:
          'Why the document is corrected; printed, and final. A credit without it has a warning, and no e-invoice; it is needed where the organization is connected to an access point.',
      }),
    ),
  ),
  issueDate: Type.Optional({
    ...issueDate,
    description:
      'The day of issue unless given; not before the document that is corrected or the last memo of its kind, and not after today.',
  }),
})
type MemoInput = Static<typeof MemoInput>
const memoTypes = { CREDIT: 'CREDIT_MEMO', DEBIT: 'DEBIT_MEMO' } as const

export const issueMemo = operation({
  name: 'invoices_memos',
  http: 'POST /api/documents/{id}/memos',
  does: 'Corrects an issued tax document with a memo: CREDIT takes off all that is left unless lines are given; DEBIT adds.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: MemoInput,
  output: Document,
  status: 201,
  async run({ db, who, emit, now }, input) {
    const { id } = input
    const { organization, member, source, before } = await pipeline({
      organization: issuingContext(db, now),
      member: who,
      items: checkItems(db, input.items, storedLines(id)),
      counters: lockCounters(db, { documentId: id, issues: [memoTypes[input.kind]] }),
      locked: lockDocument(db, id),
      source: one(documentById(db, id), 'document'),
      before: creditedBefore(db, id),
    })
    const content = memoContent(input, source, before)
    const currentDay = today(now, organization.timezone)
    const day = memoDay(input, { source, organization, currentDay })
    const context = { db, emit, now, member, organization }
    const row = await issue(context, source, { ...content, kind: input.kind, reason: input.reason ?? null, day })
    const memo = toDocument(row)
    emit(invoiceCreated, toEventPayload(memo))
    emit(invoiceIssued, toEventPayload(memo))
    await recordIfPaid(context, source, memo)
    const returned = await returnedGoods(db, input, source)
    const warnings = [...derivedWarnings(row, { organization, now, requested: day }), ...countryWarnings(row)]
    return withWarnings(memo, [...warnings, ...reasonWarnings(input, warnings), ...returned])
  },
})

/** A line at another price than was sold may only reduce the price; it puts goods back unless it says that it has no item. */
async function returnedGoods(db: Database, { kind, items = [] }: MemoInput, source: DocumentRow): Promise<Warning[]> {
  if (kind !== 'CREDIT') return []
  const sold = toDocument(source).items
  const doubtful = items.flatMap((line, at) => {
    const { itemId = null, unitPrice } = sold.find(({ id }) => id === line.id) ?? {}
    const returns = line.itemId === undefined && itemId !== null && line.unitPrice !== unitPrice
    return returns ? [{ at, itemId: toUuid(itemId) }] : []
  })
  if (doubtful.length === 0) return []
  const ids = doubtful.map(({ itemId }) => itemId)
  const tracked = await db
    .selectFrom('items')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('tracked', '=', true)
    .execute()
  return doubtful.flatMap(({ at, itemId }) => {
    const name = tracked.find(({ id }) => id === itemId)?.name
    if (name === undefined) return []
    const message = `${name} comes back into the stock. If only its price is reduced, give itemId null on the line.`
    return [{ code: 'GOODS_RETURNED', path: `items.${at}.itemId`, message }]
  })
}

/** The lines and amounts of the memo. Refuses a memo that is not allowed. */
function memoContent({ kind, items }: MemoInput, source: DocumentRow, before: CreditedBefore): MemoContent {
  refuseUncorrectable(source)
  if (items) refuseDuplicateLineIds(items)
  if (kind === 'CREDIT') return creditContent(source, items, before)
  if (!items) throw invalid('items', 'A debit memo needs items: the lines that are owed in addition.')
  return debitContent(source, items)
}

/** A credit without a reason, also where the country does not demand one: nobody can enter it later. */
function reasonWarnings({ kind, reason }: MemoInput, warnings: readonly Warning[]): Warning[] {
  const isSaid = warnings.some(({ code, path }) => code === 'REASON_MISSING' || path === 'reason')
  if (kind !== 'CREDIT' || reason?.trim() || isSaid) return []
  return [{ code: 'REASON_MISSING', path: 'reason', message: 'A credit memo should state its reason (reason).' }]
}

type Dated = { source: DocumentRow; organization: IssuingContext; currentDay: string }

/** The issue date that was asked for, if any. Refuses a day after today or before the document that is corrected. */
function memoDay({ issueDate: asked }: MemoInput, { source, organization, currentDay }: Dated): string | undefined {
  const day = dayOf('issueDate', asked ?? null, organization)
  if (day === null) return undefined
  refuseFutureDate(day, currentDay)
  refuseBeforeDocument(day, source)
  return day
}

function refuseUncorrectable(source: DocumentRow) {
  const { status, documentType, paymentId } = source
  if (status === 'DRAFT')
    throw conflict('A memo corrects an issued document. Change or delete the draft instead.', 'DRAFT')
  if (documentType === 'PAYMENT_REQUEST' || documentType === 'RECEIPT')
    throw conflict(
      'A payment request or receipt is no tax document and gets no memo. Cancel it instead: POST /api/documents/{id}/cancel.',
      'NOT_A_TAX_DOCUMENT',
    )
  if (isReceiptByLaw(source))
    throw conflict(
      "An exempt dealer's invoice-receipt is a receipt by law and gets no memo. Cancel it instead: void its payment, or POST /api/documents/{id}/cancel if nothing is paid.",
      'NOT_A_TAX_DOCUMENT',
    )
  if (paymentId !== null)
    throw conflict('A credit memo has no open balance. Correct the document that it is about.', 'NOT_OWED')
}

type Memo = MemoContent & { kind: MemoInput['kind']; reason: string | null; day: string | undefined }

/** Issues the memo. The credit of a credit memo is recorded first, since the memo refers to it. */
async function issue(
  context: IssueContext,
  source: DocumentRow,
  { kind, reason, day, totalMinor, taxMinor, ...amounts }: Memo,
): Promise<DocumentRow> {
  const paidAt = day ?? today(context.now, context.organization.timezone)
  const credit = kind === 'CREDIT' ? recordCredit(context, source, { amountMinor: totalMinor, paidAt }) : undefined
  const { total } = amounts
  const memo = {
    ...amounts,
    taxRate: toDocument(source).taxRate,
    documentType: memoTypes[kind],
    status: 'UNSENT' as const, // the database sets PAID if the credit is used up
    paymentId: credit?.id ?? null,
    ...{ paymentMethod: null, paymentDate: null },
    notes: reason,
    issueDate: day,
    terms: { dueDate: null, payUntil: null, countrySpecificData: factsOf(source, taxMinor) },
  }
  const { row } = await pipeline({
    credit: credit?.recorded,
    row: issueFrom(context, source, memo, (memoId) =>
      appendHistory(context.db, source.id, 'MEMO_ISSUED', { memoId, kind, total, userId: context.member.userId }),
    ),
  })
  return row
}

/** What the print of the memo shows of the facts of the document, such as sales tax by jurisdiction. */
function factsOf(source: DocumentRow, taxMinor: number) {
  const view = countryView(source)
  return view?.country.documents.memoFacts?.(view.sale.document, BigInt(taxMinor)) ?? null
}

/** The credit settles the open balance of the document; the rest stays open for other documents of the customer. */
function recordCredit(
  context: IssueContext,
  { id, customerId, currency, openMinor }: DocumentRow,
  { amountMinor, paidAt }: { amountMinor: number; paidAt: string },
) {
  const allocatedMinor = Math.min(amountMinor, openMinor)
  return recordPayment(context, {
    kind: salesKind,
    customerId,
    currency,
    amountMinor,
    paidAt,
    method: 'CREDIT_MEMO',
    source: 'CREDIT_MEMO',
    shares: allocatedMinor > 0 ? [{ documentId: id, amountMinor: allocatedMinor }] : [],
  })
}

/** A memo over what is open of a partly paid document makes it PAID: notes it in the history and emits invoice.paid. */
async function recordIfPaid({ db, emit, member }: IssueContext, source: DocumentRow, memo: Document) {
  const after = await one(documentById(db, source.id), 'document')
  if (source.status === 'PAID' || after.status !== 'PAID') return
  await appendHistory(db, source.id, 'PAID', { memoId: memo.id, userId: member.userId })
  emit(invoicePaid, toEventPayload(toDocument(after)))
}

/** The sums and lines of the credit memos of a document. */
async function creditedBefore(db: Database, documentId: string): Promise<CreditedBefore> {
  const { rows } = await sql<CreditedBefore>`
    with memos as (select * from documents where source_document_id = ${documentId} and document_type = 'CREDIT_MEMO')
    select coalesce(sum(m.subtotal_minor), 0)::bigint as subtotal_minor, coalesce(sum(m.tax_minor), 0)::bigint as tax_minor,
      coalesce(sum(m.total_minor), 0)::bigint as total_minor,
      (select coalesce(json_agg(json_build_object('id', l.id, 'description', l.description, 'amountMinor', l.amount_minor,
          'quantity', case when l.item_id is null then 0 else l.quantity end, 'taxRate', coalesce(l.tax_rate, o.tax_rate, 0)) order by o.sequence, l.position), '[]')
        from memos o join document_lines l on l.organization_id = o.organization_id and l.document_id = o.id) as lines
    from memos m`.execute(db)
  const [before] = rows
  if (!before) throw new Error('A sum has one row.')
  return before
}
