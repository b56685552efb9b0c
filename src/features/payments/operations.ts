import { sql } from 'kysely'
import { atLeast } from '../../core/define/access.ts'
import { conflict, forbidden, invalid } from '../../core/define/failure.ts'
import { type Database, type Inside, operation } from '../../core/define/operation.ts'
import { Pagination, paging } from '../../core/define/page.ts'
import { one, paged, toUuid } from '../../core/define/query.ts'
import { Id, nullable, Type } from '../../core/define/schema.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { toMinor } from '../../core/values/money.ts'
import { pipeline } from '../../db/pipeline.ts'
import { DocumentPayment, NewPayment, Payment, toPayment } from '../../ledger/payment.ts'
import { paymentById, payments } from '../../ledger/read-payment.ts'
import { factsOf, invoicePaid } from '../documents/document.ts'
import { documentById, toDocument } from '../documents/reading/read.ts'
import { type Paying, recordPayment, voidPayments } from '../documents/record-payment.ts'
import { appendHistory, checkReferences, organizationContext, requiredDay } from '../documents/write.ts'

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
    const {
      home,
      held: [document],
    } = await pipeline({
      home: organizationContext(db),
      held: held(db, [id]),
    })
    if (!document) throw conflict('This document is not here any more.')
    const { currency } = document
    const amountMinor = minorOf('amount', amount, currency)
    const lines = lineAllocations.map((line, at) => ({
      documentId: id,
      lineId: line.lineId,
      amountMinor: minorOf(`lineAllocations.${at}.amount`, line.amount, currency),
    }))
    const rest = amountMinor - sum(lines)
    if (rest < 0) throw invalid('lineAllocations', 'The lines get more than was paid.', 'AMOUNT_MISMATCH')
    await checkLines(
      db,
      id,
      lines.map(({ lineId }) => lineId),
    )
    refuseTooMuch('amount', document, amountMinor)
    return pay(context, {
      customerId: document.customerId,
      currency,
      amountMinor,
      paidAt: requiredDay('paidAt', paidAt, home),
      method,
      source: 'PAYMENT',
      allocations: [...lines, ...(rest > 0 ? [{ documentId: id, amountMinor: rest }] : [])],
    })
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
    const ids = allocations.map(({ documentId }) => toUuid(documentId).toLowerCase())
    const { home, found } = await pipeline({
      home: organizationContext(db),
      references: checkReferences(db, customerId === null ? {} : { customerId }),
      found: held(db, ids),
    })
    const currency = given.currency.trim().toUpperCase()
    if (!isCurrency(currency))
      throw invalid('currency', `${given.currency} is not a currency; give a code such as USD.`)
    const amountMinor = minorOf('amount', amount, currency)
    let left = amountMinor
    const shares = ids.map((documentId, at) => {
      const path = `allocations.${at}`
      const document = found.find(({ id }) => id === documentId)
      if (!document) throw invalid(`${path}.documentId`, 'There is no such document.', 'UNKNOWN_REFERENCE')
      if (ids.indexOf(documentId) !== at) throw invalid(`${path}.documentId`, 'The document is named twice.')
      if (document.currency !== currency)
        throw invalid(
          `${path}.documentId`,
          `The document is in ${document.currency}, the payment in ${currency}.`,
          'CURRENCY',
        )
      const wanted = allocations[at]?.amount
      const open = document.totalMinor - document.paidMinor
      const share = wanted === undefined ? Math.min(open, left) : minorOf(`${path}.amount`, wanted, currency)
      refuseTooMuch(`${path}.amount`, document, share)
      left -= share
      return { documentId, amountMinor: share }
    })
    if (left < 0) throw invalid('allocations', 'The documents get more than was paid.', 'AMOUNT_MISMATCH')
    const day = requiredDay('paidAt', paidAt, home)
    const customer = customerId ?? found[0]?.customerId ?? null
    const used = shares.filter((share) => share.amountMinor > 0)
    return pay(context, {
      customerId: customer,
      currency,
      amountMinor,
      paidAt: day,
      method,
      source: 'PAYMENT',
      allocations: used,
    })
  },
})

/** Of a payment that was voided already nothing is written, so PostgreSQL would not say no to U+0000. */
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
    const { member, ids } = await pipeline({
      member: who,
      ids: allocatedTo(db, id),
    })
    const documents = await held(db, ids)
    const { payment } = await pipeline({
      locked: db.selectFrom('payments').select('id').where('id', '=', id).forUpdate().execute(),
      payment: one(paymentById(db, id), 'payment'),
    })
    if (payment.voidedAt !== null) return toPayment(payment)
    if (payment.source === 'CREDIT_MEMO')
      throw conflict('This is the credit of a memo, which is issued for good.', 'CREDITED')
    if (documents.some(({ status }) => status === 'PAID') && !atLeast(member.role, 'MANAGER'))
      throw forbidden(`To open a paid document again needs the role MANAGER; yours is ${member.role}.`, 'ROLE')
    await voidPayments({ db, emit, member }, [payment], { reason, documentIds: documents.map((each) => each.id) })
    return toPayment(await one(paymentById(db, id), 'payment'))
  },
})

type Held = { id: string; customerId: string; currency: string; status: string; totalMinor: number; paidMinor: number }

/** Documents that are about to be paid or opened, locked in the order of their ids. */
const held = (db: Database, ids: readonly string[]): Promise<Held[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('documents')
        .select(['id', 'counterpartyId as customerId', 'currency', 'status', 'totalMinor', 'paidMinor'])
        .where('kind', '=', sql.lit('SALES'))
        .where('id', 'in', [...ids])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()

const allocatedTo = async (db: Database, paymentId: string) => {
  const rows = await db
    .selectFrom('allocations')
    .select('documentId')
    .distinct()
    .where('paymentId', '=', paymentId)
    .where('voidedAt', 'is', null)
    .execute()
  return rows.map(({ documentId }) => documentId)
}

/** Records the payment, and tells of every document that it settles. */
async function pay({ db, emit, who }: Pick<Inside<'organizationId'>, 'db' | 'emit' | 'who'>, paying: Paying) {
  const member = await who
  const { id, recorded } = recordPayment({ db, emit, member }, paying)
  const { payment } = await pipeline({
    recorded,
    payment: one(paymentById(db, id), 'payment'),
  })
  const ids = [...new Set(paying.allocations.map((each) => each.documentId))]
  const documents = await Promise.all(ids.map((documentId) => one(documentById(db, documentId), 'document')))
  const settled = documents.filter(({ status }) => status === 'PAID').map(toDocument)
  for (const document of settled) emit(invoicePaid, factsOf(document))
  await Promise.all(settled.map((document) => appendHistory(db, document.id, 'PAID', { userId: member.userId })))
  return toPayment(payment)
}

/** What is open may be paid, and nothing beyond; a draft owes nothing yet. */
function refuseTooMuch(path: string, { status, totalMinor, paidMinor }: Held, amountMinor: number) {
  if (status === 'DRAFT') throw conflict('A draft owes nothing yet: issue it first.', 'DRAFT')
  if (amountMinor > totalMinor - paidMinor) throw invalid(path, 'That is more than is still open.', 'AMOUNT_OVER_OPEN')
}

async function checkLines(db: Database, documentId: string, lineIds: readonly string[]) {
  if (lineIds.length === 0) return
  const found = await db.selectFrom('documentLines').select('id').where('documentId', '=', documentId).execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = lineIds.findIndex((lineId) => !known.has(lineId))
  if (missing >= 0) throw invalid(`lineAllocations.${missing}.lineId`, 'The document has no such line.')
}

function minorOf(path: string, amount: number, currency: string): number {
  const parsed = toMinor(amount, currency)
  if (parsed.kind !== 'exact' || parsed.minor <= 0n)
    throw invalid(path, `This is no amount to pay in ${currency}.`, 'AMOUNT')
  return Number(parsed.minor)
}

const sum = (shares: { amountMinor: number }[]) => shares.reduce((total, { amountMinor }) => total + amountMinor, 0)
