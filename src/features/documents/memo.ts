import { sql } from 'kysely'
import { conflict, invalid } from '../../core/define/failure.ts'
import { type Database, operation } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { Id, nullable, OneOf, Type } from '../../core/define/schema.ts'
import { withWarnings } from '../../core/define/warning.ts'
import { today } from '../../core/values/day.ts'
import { add, percentOf, toMajor, toMinor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { countryWarnings } from './country-view.ts'
import { createDocument, missingRate } from './create.ts'
import { Document, factsOf, invoiceCreated, invoiceIssued, invoicePaid, ListedDocument, NewLine } from './document.ts'
import { issueFrom } from './issued-from.ts'
import { type DocumentRow, documentById, toDocument, toListed } from './reading/read.ts'
import { recordPayment } from './record-payment.ts'
import { appendHistory, organizationContext, refuseSameIds } from './write.ts'

export const issueMemo = operation({
  name: 'invoices_memos',
  http: 'POST /api/documents/{id}/memos',
  does: 'Corrects an issued document with a memo: CREDIT takes off what is owed, all of it unless lines are given; DEBIT adds.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({
    id: Id,
    kind: OneOf('CREDIT', 'DEBIT'),
    items: Type.Optional(Type.Array(NewLine, { minItems: 1, maxItems: 1_000 })),
    reason: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
  }),
  output: Document,
  status: 201,
  async run(context, { id, kind, items, reason = null }) {
    const { db, who, emit, now } = context
    const documentType = kind === 'CREDIT' ? 'CREDIT_MEMO' : 'DEBIT_MEMO'
    const { home, member, source, credited } = await pipeline({
      home: organizationContext(db),
      member: who,
      counters:
        sql`select hold_counters(array[${documentType}]) where exists (select from documents where id = ${id})`.execute(
          db,
        ),
      locked: db.selectFrom('documents').select('id').where('id', '=', id).forNoKeyUpdate().execute(),
      source: one(documentById(db, id), 'document'),
      credited: creditedOf(db, id),
    })
    refuseMemo(source)
    if (!items && kind === 'DEBIT') throw invalid('items', 'items is missing: say what is owed in addition.')
    if (items) refuseSameIds(items)
    const left = source.totalMinor - credited
    const sums = items ? sumsOf(items, source, kind === 'CREDIT' ? BigInt(left) : undefined) : toDocument(source)
    const memoMinor = minorOf(sums.total, source.currency)
    if (kind === 'CREDIT' && memoMinor > left)
      throw invalid('items', 'That is more than is left to credit of the document.', 'AMOUNT_OVER_TOTAL')
    const issuing = { db, emit, now, member, home }
    const credit =
      kind === 'CREDIT'
        ? recordPayment(issuing, {
            customerId: source.customerId,
            currency: source.currency,
            amountMinor: memoMinor,
            paidAt: today(now, home.timezone),
            method: 'CREDIT_MEMO',
            source: 'CREDIT_MEMO',
            allocations: allocated(source, memoMinor),
          })
        : undefined
    const wanted = {
      items: items ?? toDocument(source).items,
      subtotal: sums.subtotal,
      taxAmount: sums.taxAmount,
      total: sums.total,
      taxRate: toDocument(source).taxRate,
      documentType: documentType as 'CREDIT_MEMO' | 'DEBIT_MEMO',
      status: kind === 'CREDIT' ? ('PAID' as const) : ('UNSENT' as const),
      paymentId: credit?.id ?? null,
      paymentMethod: null,
      paymentDate: null,
      notes: reason,
    }
    const { row } = await pipeline({
      row: issueFrom(issuing, source, wanted, (memoId) =>
        appendHistory(db, id, 'MEMO_ISSUED', { memoId, kind, total: sums.total, userId: member.userId }),
      ),
      credit: credit?.recorded,
    })
    const memo = toDocument(row)
    emit(invoiceCreated, factsOf(memo))
    emit(invoiceIssued, factsOf(memo))
    const after = await one(documentById(db, id), 'document')
    if (source.status !== 'PAID' && after.status === 'PAID') {
      await appendHistory(db, id, 'PAID', { memoId: memo.id, userId: member.userId })
      emit(invoicePaid, factsOf(toDocument(after)))
    }
    return withWarnings(memo, [...missingRate(memo), ...countryWarnings(row)])
  },
})

export const duplicate = operation({
  name: 'invoices_duplicate',
  http: 'POST /api/documents/{id}/duplicate',
  does: 'Begins a new draft with the customer, lines, amounts and notes of a sales document.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id }),
  output: ListedDocument,
  status: 201,
  async run(context, { id }) {
    const found = toDocument(await one(documentById(context.db, id), 'document'))
    const { documentType } = found
    if (!isWritable(documentType)) throw conflict('A memo is made from the document that it corrects.', 'MEMO')
    const { customerId, bankAccountId, currency, items, subtotal, taxRate, taxAmount, total, notes } = found
    const sums = { items, subtotal, taxRate, taxAmount, total }
    const more = { countrySpecificData: found.countrySpecificData, notes, bankAccountId }
    const given = { customerId, currency, ...sums, ...more, documentType, status: 'DRAFT' as const }
    const { row, warnings } = await createDocument(context, given)
    return withWarnings(toListed(row), warnings)
  },
})

const writable = ['INVOICE', 'RECEIPT', 'INVOICE_RECEIPT', 'PAYMENT_REQUEST'] as const
const isWritable = (type: string): type is (typeof writable)[number] => writable.some((each) => each === type)

function refuseMemo({ status, documentType, paymentId }: DocumentRow) {
  if (status === 'DRAFT') throw conflict('A draft is changed or deleted; a memo corrects what was issued.', 'DRAFT')
  if (paymentId !== null || documentType === 'CREDIT_MEMO')
    throw conflict('This one owes nothing itself; correct the document that it is about.', 'NOT_OWED')
}

/** The credit pays what is open; what it exceeds that by stays open for the customer's other documents. */
function allocated({ id, totalMinor, paidMinor }: DocumentRow, memoMinor: number) {
  const amountMinor = Math.min(memoMinor, totalMinor - paidMinor)
  return amountMinor > 0 ? [{ documentId: id, amountMinor }] : []
}

async function creditedOf(db: Database, id: string): Promise<number> {
  const { credited } = await db
    .selectFrom('documents')
    .select(sql<number>`coalesce(sum(total_minor), 0)::bigint`.as('credited'))
    .where('sourceDocumentId', '=', id)
    .where('documentType', '=', 'CREDIT_MEMO')
    .executeTakeFirstOrThrow()
  return credited
}

/**
 * A memo's amounts follow from its lines: each with its own rate, or the document's, and the tax of each rate rounded once.
 * What rounding puts a credit above the rest of the document by, a minor unit for a line at most, comes off its tax.
 */
function sumsOf(items: readonly NewLine[], { currency, taxRate }: DocumentRow, left: bigint | undefined) {
  const amounts = items.map(({ amount }, at) => BigInt(minorOf(amount, currency, `items.${at}.amount`)))
  const subtotal = add(amounts)
  const taxed = new Map<string, bigint>()
  for (const [at, amount] of amounts.entries()) {
    const rate = String(items[at]?.taxRate ?? taxRate ?? 0)
    taxed.set(rate, (taxed.get(rate) ?? 0n) + amount)
  }
  const tax = add([...taxed].map(([rate, amount]) => percentOf(amount, rate, 'half-up')))
  const over = left === undefined ? 0n : subtotal + tax - left
  const rounding = over > 0n && over <= BigInt(items.length) && over <= tax ? over : 0n
  const major = (minor: bigint) => toMajor(minor, currency)
  return { subtotal: major(subtotal), taxAmount: major(tax - rounding), total: major(subtotal + tax - rounding) }
}

function minorOf(amount: number, currency: string, path = 'items'): number {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact' || (path === 'items' && parsed.minor <= 0n))
    throw invalid(path, `This is no amount for a memo in ${currency}.`, 'AMOUNT')
  return Number(parsed.minor)
}
