import { atLeast } from '../../core/define/access.ts'
import { conflict, forbidden, invalid, notFound } from '../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../core/define/operation.ts'
import { Pagination, paging } from '../../core/define/page.ts'
import { one, paged, toUuid } from '../../core/define/query.ts'
import { Id, nullable, Type } from '../../core/define/schema.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { appendHistory } from '../../ledger/history.ts'
import { organizationContext, requiredDay } from '../../ledger/organization-context.ts'
import {
  lockPayable,
  type PayableDocument,
  paymentMinor,
  refuseOverpayment,
  sharesOf,
} from '../../ledger/payments/payable-documents.ts'
import { DocumentPayment, NewPayment, Payment, PaymentAllocations, toPayment } from '../../ledger/payments/payment.ts'
import { paymentById, payments } from '../../ledger/payments/read-payment.ts'
import {
  allocate as allocateShares,
  type PaymentInput,
  recordPayment,
  type Share,
  voidPayments,
} from '../../ledger/payments/record-payment.ts'
import { factsOf, invoicePaid } from '../documents/document.ts'
import { salesKind } from '../documents/kind.ts'
import { documentById, toDocument } from '../documents/reading/read.ts'
import { checkReferences } from '../documents/write.ts'

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
  }),
  output: Type.Object({ payments: Type.Array(Payment), pagination: Pagination }),
  async run({ db }, { organizationId: _, customerId, documentId, ...page }) {
    let query = payments(db).orderBy('paidAt', 'desc').orderBy('id', 'desc')
    if (customerId) query = query.where('counterpartyId', '=', toUuid(customerId))
    if (documentId)
      query = query.where('id', 'in', (inner) =>
        inner.selectFrom('allocations').select('paymentId').where('documentId', '=', toUuid(documentId)),
      )
    const { rows, pagination } = await paged(query, page)
    return { payments: rows.map(toPayment), pagination }
  },
})

export const payDocument = operation({
  name: 'invoices_payments',
  http: 'POST /api/documents/{id}/payments',
  does: 'Records a payment of one sales document, of all that is open or a part of it.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: DocumentPayment,
  output: Payment,
  status: 201,
  async run(context, { id, amount, paidAt, method = null, lineAllocations = [] }) {
    const { db } = context
    const [organization, [document]] = await Promise.all([organizationContext(db), lockPayable(db, salesKind, [id])])
    if (!document) throw notFound('document')
    const { currency, customerId } = document
    const amountMinor = paymentMinor('amount', amount, currency)
    const lines = lineAllocations.map((line, at) => ({
      documentId: id,
      lineId: line.lineId,
      amountMinor: paymentMinor(`lineAllocations.${at}.amount`, line.amount, currency),
    }))
    const rest = amountMinor - sum(lines)
    if (rest < 0) throw invalid('lineAllocations', 'The lines get more than was paid.', 'AMOUNT_MISMATCH')
    await checkLines(db, id, lines)
    refuseOverpayment(salesKind, document, { path: 'amount', amountMinor })
    const shares = rest > 0 ? [...lines, { documentId: id, amountMinor: rest }] : lines
    const day = requiredDay('paidAt', paidAt, organization)
    return pay(context, { customerId, currency, amountMinor, paidAt: day, method, shares })
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
  async run(context, { amount, paidAt, customerId = null, method = null, allocations, ...given }) {
    const { db } = context
    const wanted = toWanted(allocations)
    const [organization, , documents] = await Promise.all([
      organizationContext(db),
      checkReferences(db, customerId === null ? {} : { customerId }),
      lockPayable(db, salesKind, idsOf(wanted)),
    ])
    const currency = given.currency.trim().toUpperCase()
    if (!isCurrency(currency))
      throw invalid('currency', `${given.currency} is not a currency; give a code such as USD.`)
    const amountMinor = paymentMinor('amount', amount, currency)
    const { shares, left } = sharesOf(salesKind, { currency, amountMinor }, wanted, documents)
    if (left < 0) throw invalid('allocations', 'The documents get more than was paid.', 'AMOUNT_MISMATCH')
    const day = requiredDay('paidAt', paidAt, organization)
    const payer = customerId ?? documents[0]?.customerId ?? null
    return pay(context, { customerId: payer, currency, amountMinor, paidAt: day, method, shares })
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
    const wanted = toWanted(allocations)
    const documents = await lockPayable(db, salesKind, idsOf(wanted))
    const payment = await lockPayment(db, id)
    if (payment.voidedAt !== null)
      throw conflict('The payment was voided, so nothing of it can be allocated.', 'VOIDED')
    if (payment.direction !== salesKind.paymentDirection)
      throw conflict('The payment went to a supplier and cannot pay a sales document.', 'PAYMENT_DIRECTION')
    const open = { currency: payment.currency, amountMinor: payment.amountMinor - payment.allocatedMinor }
    const { shares, left } = sharesOf(salesKind, open, wanted, documents)
    if (left < 0)
      throw invalid('allocations', 'The allocations exceed the open remainder of the payment.', 'AMOUNT_OVER_REMAINDER')
    if (shares.length === 0) throw conflict('Nothing of the payment is left to allocate.', 'NOTHING_OPEN')
    await allocateShares({ db, member: await context.who }, payment, shares)
    await announcePaid(context, documents, shares)
    return toPayment(await one(paymentById(db, id), 'payment'))
  },
})

/** Nothing is written for a payment that is voided already, so PostgreSQL would not refuse U+0000. */
const Reason = Type.String({ maxLength: 1_000, pattern: '^[^\\u0000]*$', examples: ['The transfer bounced'] })

export const cancel = operation({
  name: 'invoices_payments_void',
  http: 'POST /api/payments/{id}/void',
  does: 'Voids a payment: what it paid is open again and its receipt is cancelled; to open a paid document needs MANAGER.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'payments',
  input: Type.Object({ id: Id, reason: Type.Optional(nullable(Reason)) }),
  output: Payment,
  async run({ db, emit, who }, { id, reason = null }) {
    const [member, ids] = await Promise.all([who, documentsPaidBy(db, id)])
    const documents = await lockPayable(db, salesKind, ids)
    const payment = await lockPayment(db, id)
    if (payment.voidedAt !== null) return toPayment(payment)
    if (payment.source === 'CREDIT_MEMO')
      throw conflict('This is the credit of a memo, which was issued and cannot be voided.', 'CREDITED')
    if (documents.some(({ status }) => status === 'PAID') && !atLeast(member.role, 'MANAGER'))
      throw forbidden(`Reopening a paid document needs the role MANAGER; yours is ${member.role}.`, 'ROLE')
    await voidPayments({ db, emit, member }, [payment], { reason, documentIds: documents.map((each) => each.id) })
    return toPayment(await one(paymentById(db, id), 'payment'))
  },
})

type Context = Pick<Inside<'organizationId'>, 'db' | 'emit' | 'who'>

/** Records the payment, and emits invoice.paid for every document that it settles. */
async function pay(context: Context, input: Omit<PaymentInput, 'kind' | 'source'>) {
  const { db, emit, who } = context
  const member = await who
  const { id, recorded } = recordPayment({ db, emit, member }, { ...input, kind: salesKind, source: 'PAYMENT' })
  const [, payment] = await Promise.all([recorded, one(paymentById(db, id), 'payment')])
  await announcePaid(context, [], input.shares)
  return toPayment(payment)
}

/** Emits invoice.paid for the documents that these shares settled, and notes it in their history. */
async function announcePaid({ db, emit, who }: Context, before: readonly PayableDocument[], shares: readonly Share[]) {
  const paidBefore = new Set(before.filter(({ status }) => status === 'PAID').map(({ id }) => id))
  const ids = [...new Set(shares.map(({ documentId }) => documentId))].filter((id) => !paidBefore.has(id))
  const rows = await Promise.all(ids.map((id) => one(documentById(db, id), 'document')))
  const settled = rows.filter(({ status }) => status === 'PAID').map(toDocument)
  const { userId } = await who
  for (const document of settled) emit(invoicePaid, factsOf(document))
  await Promise.all(settled.map(({ id }) => appendHistory(db, id, 'PAID', { userId })))
}

/** Locks the payment, after its documents (reliability, lock order). */
async function lockPayment(db: Database, id: string) {
  const [, payment] = await Promise.all([
    db.selectFrom('payments').select('id').where('id', '=', id).forUpdate().execute(),
    one(paymentById(db, id), 'payment'),
  ])
  return payment
}

const documentsPaidBy = async (db: Database, paymentId: string) => {
  const rows = await db
    .selectFrom('allocations')
    .select('documentId')
    .distinct()
    .where('paymentId', '=', paymentId)
    .where('voidedAt', 'is', null)
    .execute()
  return rows.map(({ documentId }) => documentId)
}

/** Ids as PostgreSQL writes them; what is no UUID is the id of no document. */
const toWanted = <W extends { documentId: string }>(allocations: readonly W[]) =>
  allocations.map((wanted) => ({ ...wanted, documentId: toUuid(wanted.documentId).toLowerCase() }))

const idsOf = (wanted: readonly { documentId: string }[]) => wanted.map(({ documentId }) => documentId)

async function checkLines(db: Database, documentId: string, shares: readonly { lineId: string }[]) {
  if (shares.length === 0) return
  const found = await db.selectFrom('documentLines').select('id').where('documentId', '=', documentId).execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = shares.findIndex(({ lineId }) => !known.has(lineId))
  if (missing >= 0) throw invalid(`lineAllocations.${missing}.lineId`, 'The document has no such line.')
}

const sum = (shares: readonly { amountMinor: number }[]) =>
  shares.reduce((all, { amountMinor }) => all + amountMinor, 0)
