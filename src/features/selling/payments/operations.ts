import { conflict, invalid, notFound } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../core/define/query.ts'
import { Id, nullable, OneOf, Type } from '../../../core/define/schema.ts'
import { givenExtras, readIds } from '../../../core/define/views.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { currencyOf } from '../../../ledger/currency-of.ts'
import { organizationContext, requiredDay } from '../../../ledger/organization-context.ts'
import {
  lockPayable,
  payerOf,
  paymentMinor,
  refuseOverpayment,
  refuseUnusable,
  sharesOf,
  sharesOfRemainder,
} from '../../../ledger/payments/payable-documents.ts'
import {
  DocumentPayment,
  NewPayment,
  Payment,
  PaymentAllocations,
  toPayment,
  VoidReason,
} from '../../../ledger/payments/payment.ts'
import { readDetails } from '../../../ledger/payments/payment-details.ts'
import { lockPayment, paymentById, paymentsOf } from '../../../ledger/payments/read-payment.ts'
import { allocate as allocateShares } from '../../../ledger/payments/record-payment.ts'
import { voidPayment } from '../../../ledger/payments/void-payment.ts'
import { receiptFor } from '../documents/issuing/receipt.ts'
import { salesKind } from '../documents/kind.ts'
import { isReceipt } from '../documents/legal-content.ts'
import { checkReferences } from '../documents/write.ts'
import { cashWarnings } from './cash-warnings.ts'
import { recordOrPlan, recordPaidDocuments } from './document-payment.ts'
import { countViews, matches, paymentFilters, paymentViews } from './filter.ts'
import { requireReopening } from './reopening.ts'

export const list = operation({
  name: 'invoices_payments_list',
  http: 'GET /api/payments',
  does: 'Lists payments, the latest first, with what of them went to which document.',
  scope: 'invoices:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    customerId: Type.Optional(Id),
    documentId: Type.Optional(Id),
    paymentId: Type.Optional(Id),
    source: Type.Optional(Type.String({ maxLength: 40, examples: ['PAYMENT'] })),
    open: Type.Optional(OneOf('true', 'false')),
    ...paymentFilters,
    ...paymentViews.asked,
  }),
  output: Type.Object({ payments: Type.Array(Payment), pagination: Pagination, ...paymentViews.answered }),
  async run({ db }, { organizationId: _, page, limit, counts: wantsCounts, ids: wantsIds, ...filter }) {
    const query = paymentsOf(db, salesKind).where(matches(filter)).orderBy('paidAt', 'desc').orderBy('id', 'desc')
    const { listed, counts, ids } = await pipeline({
      listed: paged(query, { page, limit }),
      counts: wantsCounts && countViews(db),
      ids: wantsIds && readIds(query.clearSelect().select('id')),
    })
    const { rows, pagination } = listed
    return { payments: rows.map(toPayment), pagination, ...givenExtras({ counts, ids }) }
  },
})

export const payDocument = operation({
  name: 'invoices_payments',
  http: 'POST /api/documents/{id}/payments',
  does: 'Records a payment of one sales document, of all that is open or a part of it. A cheque that is due later is planned, and becomes a payment on its day.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: DocumentPayment,
  output: Payment,
  status: 201,
  async run(context, { id, amount, paidAt, method = null, lineAllocations = [], ...given }) {
    const { db } = context
    const {
      organization,
      documents: [document],
    } = await pipeline({
      organization: organizationContext(db),
      references: checkReferences(db, { bankAccountId: given.bankAccountId ?? null }),
      documents: lockPayable(db, salesKind, [id]),
    })
    if (!document) throw notFound('document')
    const { currency, customerId } = document
    const amountMinor = paymentMinor('amount', amount, currency)
    const lines = lineAllocations.map((line, at) => ({
      documentId: id,
      lineId: line.lineId,
      amountMinor: paymentMinor(`lineAllocations.${at}.amount`, line.amount, currency),
    }))
    const unassigned = amountMinor - sum(lines)
    if (unassigned < 0)
      throw invalid('lineAllocations', 'The line allocations exceed the amount of the payment.', 'AMOUNT_MISMATCH')
    await checkLines(db, id, lines)
    refuseOverpayment(salesKind, document, { path: 'amount', amountMinor })
    const shares = unassigned > 0 ? [...lines, { documentId: id, amountMinor: unassigned }] : lines
    const stored = readDetails(given, { currency, amountMinor, organization })
    const payment = { customerId, currency, amountMinor, paidAt: requiredDay('paidAt', paidAt, organization), method }
    return recordOrPlan({ ...context, organization }, { ...payment, stored, shares, given })
  },
})

export const create = operation({
  name: 'invoices_payments_create',
  http: 'POST /api/payments',
  does: 'Records one payment and allocates it to documents; what is left of it stays open.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: NewPayment,
  output: Payment,
  status: 201,
  async run(context, { amount, paidAt, customerId: named = null, method = null, allocations, ...given }) {
    const { db } = context
    const requests = withNormalizedIds(allocations)
    const customerId = named && toUuid(named).toLowerCase()
    const { organization, documents } = await pipeline({
      organization: organizationContext(db),
      references: checkReferences(db, {
        bankAccountId: given.bankAccountId ?? null,
        ...(customerId !== null && { customerId }),
      }),
      documents: lockPayable(db, salesKind, documentIdsOf(requests)),
    })
    const currency = currencyOf(given.currency)
    const amountMinor = paymentMinor('amount', amount, currency)
    const { shares, leftMinor } = sharesOf(salesKind, { currency, amountMinor, customerId }, requests, documents)
    if (leftMinor < 0)
      throw invalid('allocations', 'The allocations exceed the amount of the payment.', 'AMOUNT_MISMATCH')
    const stored = readDetails(given, { currency, amountMinor, organization })
    const payment = {
      currency,
      amountMinor,
      paidAt: requiredDay('paidAt', paidAt, organization),
      method,
      stored,
      shares,
    }
    const payer = payerOf(customerId, documents)
    return recordOrPlan({ ...context, organization }, { ...payment, customerId: payer, given })
  },
})

export const allocate = operation({
  name: 'invoices_payments_allocate',
  http: 'POST /api/payments/{id}/allocations',
  does: 'Allocates the open remainder of a payment, or a part of it, to sales documents.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'payments',
  input: PaymentAllocations,
  output: Payment,
  status: 201,
  async run(context, { id, allocations }) {
    const { db } = context
    const requests = withNormalizedIds(allocations)
    const { member, documents } = await pipeline({
      member: context.who,
      documents: lockPayable(db, salesKind, documentIdsOf(requests)),
    })
    const { payment, receipt } = await pipeline({
      payment: lockPayment(db, salesKind, id),
      receipt: receiptFor(context, id),
    })
    refuseUnusable(payment)
    if (payment.direction !== salesKind.paymentDirection)
      throw conflict('The payment went to a supplier and cannot pay a sales document.', 'PAYMENT_DIRECTION')
    refuseSecondStatement(documents, receipt)
    const shares = sharesOfRemainder(salesKind, payment, requests, documents)
    const { organization } = await pipeline({
      organization: organizationContext(db),
      allocated: allocateShares({ db, member }, payment, shares),
    })
    const rows = await recordPaidDocuments(context, shares)
    const after = await one(paymentById(db, id), 'payment')
    return withWarnings(toPayment(after), cashWarnings(organization, after, rows))
  },
})

/** Refuses to state money a second time: the payment has a valid receipt, and one of the documents is itself one. */
function refuseSecondStatement(
  documents: readonly { documentType: string }[],
  receipt: { invoiceNumber: string | null } | null,
) {
  if (receipt && documents.some(({ documentType }) => isReceipt(documentType)))
    throw conflict(
      `The receipt ${receipt.invoiceNumber} states this payment already. Cancel it first, or allocate the payment to an invoice.`,
      'RECEIPTED',
    )
}

export const cancel = operation({
  name: 'invoices_payments_void',
  http: 'POST /api/payments/{id}/void',
  does: 'Voids a payment: what it paid is open again and its receipt is cancelled; to open a paid document needs MANAGER.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'payments',
  input: Type.Object({ id: Id, reason: Type.Optional(nullable(VoidReason)) }),
  output: Payment,
  run: (context, { id, reason = null }) =>
    voidPayment(
      context,
      { id, reason },
      {
        kind: salesKind,
        credit: 'The credit of an issued credit memo cannot be voided.',
        refuseReopening: requireReopening,
      },
    ),
})

/** Document ids in lower case, as PostgreSQL returns them; text that is no UUID matches no document. */
const withNormalizedIds = <A extends { documentId: string }>(allocations: readonly A[]) =>
  allocations.map((allocation) => ({ ...allocation, documentId: toUuid(allocation.documentId).toLowerCase() }))

const documentIdsOf = (allocations: readonly { documentId: string }[]) =>
  allocations.map(({ documentId }) => documentId)

async function checkLines(db: Database, documentId: string, shares: readonly { lineId: string }[]) {
  if (shares.length === 0) return
  const lines = await db.selectFrom('documentLines').select('id').where('documentId', '=', documentId).execute()
  const lineIds = new Set(lines.map(({ id }) => id))
  const unknown = shares.findIndex(({ lineId }) => !lineIds.has(lineId))
  if (unknown >= 0) throw invalid(`lineAllocations.${unknown}.lineId`, 'The document has no such line.')
}

const sum = (shares: readonly { amountMinor: number }[]) =>
  shares.reduce((total, { amountMinor }) => total + amountMinor, 0)
