import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, OneOf, optional, Type } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { lockCounters, lockDocument } from '../../../../ledger/numbering.ts'
import type { OrganizationContext } from '../../../../ledger/organization-context.ts'
import { stockWarnings } from '../../items/document-items.ts'
import { countryWarnings } from '../country-view.ts'
import { Document, rateFields } from '../document.ts'
import { invoiceCreated, invoiceIssued, invoicePaid, toEventPayload } from '../events/events.ts'
import { type GivenRate, rateColumns } from '../rates/exchange-rate.ts'
import { type DocumentRow, documentById, toDocument } from '../reading/read.ts'
import { type IssueContext, issueFrom } from './issued-from.ts'
import { issuingContext } from './issuing-context.ts'
import { validReceipts } from './receipt.ts'
import { derivedWarnings } from './written-warnings.ts'

const convertedTypes = ['INVOICE', 'INVOICE_RECEIPT'] as const
type ConvertedType = (typeof convertedTypes)[number]

export const convert = operation({
  name: 'invoices_convert',
  http: 'POST /api/documents/{id}/convert',
  does: 'Issues the invoice or invoice-receipt for a payment request and moves its payments there; the request is then no longer owed.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id, documentType: OneOf(...convertedTypes), ...optional(rateFields) }),
  output: Document,
  status: 201,
  async run({ db, who, emit, now, audit }, { id, documentType, exchangeRate = null, exchangeRateDate = null }) {
    const { organization, member, source } = await pipeline({
      organization: issuingContext(db, now),
      member: who,
      counters: lockCounters(db, { documentId: id, issues: [documentType] }),
      locked: lockDocument(db, id),
      source: one(documentById(db, id), 'document'),
    })
    refuseUnconvertible(source, documentType)
    if (documentType === 'INVOICE_RECEIPT') await refuseReceipted(db, source)
    const { columns: rate, warnings } = rateOf(source, { exchangeRate, exchangeRateDate }, organization)
    const row = await issue({ db, emit, now, member, organization }, source, { documentType, rate })
    const document = toDocument(row)
    audit({ from: source.invoiceNumber, to: document.invoiceNumber })
    emit(invoiceCreated, toEventPayload(document))
    emit(invoiceIssued, toEventPayload(document))
    if (document.status === 'PAID') emit(invoicePaid, toEventPayload(document))
    const ofStock = await stockWarnings(db, document)
    return withWarnings(document, [
      ...warnings,
      ...derivedWarnings(row, { organization, now }),
      ...countryWarnings(row),
      ...ofStock,
    ])
  },
})

function refuseUnconvertible(source: DocumentRow, documentType: ConvertedType) {
  if (source.documentType !== 'PAYMENT_REQUEST')
    throw conflict('Only a payment request can be converted to an invoice.', 'NOT_A_REQUEST')
  if (source.status === 'DRAFT')
    throw conflict('A draft is not converted. Change its documentType instead, or issue it first.', 'DRAFT')
  if (source.convertedToId !== null)
    throw conflict('An invoice was issued for this payment request before (convertedToId).', 'CONVERTED')
  if (source.cancelledAt !== null) throw conflict('The payment request was cancelled.', 'CANCELLED')
  if (source.creditedMinor > 0)
    throw conflict('The payment request was credited. Cancel it and issue an invoice over the rest.', 'CREDITED')
  if (documentType === 'INVOICE_RECEIPT' && source.openMinor > 0)
    throw conflict(
      `An invoice-receipt states that everything was paid, but ${toMajor(BigInt(source.openMinor), source.currency)} ${source.currency} is open. Record the payment first, or convert it to an INVOICE.`,
      'NOT_PAID',
    )
}

/** The given rate; without one that which was given for the request, unless the organization counts in another currency since. */
function rateOf(source: DocumentRow, given: GivenRate, organization: OrganizationContext) {
  const { currency, givenRate, rateCurrency } = source
  const { columns, warnings } = rateColumns({ ...given, currency }, organization)
  if (given.exchangeRate !== null || givenRate === null || rateCurrency !== organization.currency)
    return { columns, warnings }
  return { columns: { givenRate, givenRateDate: source.givenRateDate ?? source.issueDate }, warnings }
}

/** Refuses an invoice-receipt over money that a valid receipt states. */
async function refuseReceipted(db: Database, { payments }: DocumentRow) {
  if (payments.length === 0) return
  const paymentIds = payments.map(({ id }) => id)
  const receipt = await validReceipts(db, paymentIds).executeTakeFirst()
  if (receipt)
    throw conflict(
      `The receipt ${receipt.number} states a payment of this request already. Convert the request to an INVOICE, or cancel the receipt first.`,
      'RECEIPTED',
    )
}

/** Issues the document with the content and terms of the request, and moves the payments. */
async function issue(
  context: IssueContext,
  source: DocumentRow,
  { documentType, rate }: { documentType: ConvertedType; rate: ReturnType<typeof rateOf>['columns'] },
): Promise<DocumentRow> {
  const { db, member } = context
  const { items, subtotal, taxAmount, total, taxRate, notes, dueDate, payUntil, countrySpecificData } =
    toDocument(source)
  const { userId } = member
  const issued = {
    ...{ items, subtotal, taxAmount, total, taxRate, documentType, notes, rate },
    terms: { dueDate, payUntil, countrySpecificData },
    status: 'UNSENT' as const, // the payments set PAID
    ...{ paymentId: null, paymentMethod: null, paymentDate: null },
  }
  return issueFrom(context, source, issued, (id) =>
    pipeline({
      converted: sql`select convert_document(${source.id}, ${id})`.execute(db),
      receiptNumber:
        source.receiptNumber !== null &&
        db.updateTable('documents').set({ receiptNumber: source.receiptNumber }).where('id', '=', id).execute(),
      history: appendHistory(db, source.id, 'CONVERTED', { documentId: id, documentType, userId }),
      payments: Promise.all(source.payments.map((payment) => notePayment(context, id, source, payment))),
      paid: source.openMinor === 0 && appendHistory(db, id, 'PAID', { userId }),
    }),
  )
}

const notePayment = (
  { db, member }: IssueContext,
  documentId: string,
  { id: from, currency }: DocumentRow,
  { id: paymentId, amountMinor, paidAt, method }: DocumentRow['payments'][number],
) => {
  const amount = toMajor(BigInt(amountMinor), currency)
  const payload = { paymentId, amount, currency, paidAt, method, from, userId: member.userId }
  return appendHistory(db, documentId, 'PAYMENT_RECORDED', payload)
}
