import { type Inside, type Member, type Outside, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import {
  Count,
  Id,
  nullable,
  optional,
  type Static,
  Success,
  success,
  Type,
  type Warning,
} from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockCounters, lockDocument } from '../../../ledger/numbering.ts'
import { organizationContext, requiredDay } from '../../../ledger/organization-context.ts'
import { refuseClosed, refuseOverpayment } from '../../../ledger/payments/payable-documents.ts'
import { Payment, toPayment } from '../../../ledger/payments/payment.ts'
import { givenDetails, readDetails } from '../../../ledger/payments/payment-details.ts'
import { duplicateWarnings } from '../../../ledger/payments/payment-warnings.ts'
import { paymentById } from '../../../ledger/payments/read-payment.ts'
import { paymentRateWarnings } from '../../../ledger/rate-warnings.ts'
import { changeDocument } from '../documents/change.ts'
import { Document } from '../documents/document.ts'
import { issueReceipt, receiptFor } from '../documents/issuing/receipt.ts'
import { salesKind } from '../documents/kind.ts'
import { isReceipt } from '../documents/legal-content.ts'
import { type DocumentRow, documentById, toDocument } from '../documents/reading/read.ts'
import {
  findMailing,
  type Mailing,
  queueMailing,
  recipientsOf,
  recordMailingOutcome,
} from '../documents/sending/mailing.ts'
import { checkReferences } from '../documents/write.ts'
import { cashWarnings } from './cash-warnings.ts'
import { laterDay, planPayment } from './planned/plan.ts'

const MarkPaid = Type.Object({
  id: Id,
  paymentDate: Type.String({ maxLength: 40, examples: ['2026-01-31'] }),
  paymentMethod: Type.String({ maxLength: 200, examples: ['BANK_TRANSFER'] }),
  ...givenDetails,
  ...optional({
    generateReceipt: Type.Boolean(),
    generateTaxFreeReceipt: Type.Boolean({ description: 'A receipt with zero tax.' }),
  }),
  sendReceiptEmail: Type.Boolean(),
})
type PaymentRequest = Omit<Static<typeof MarkPaid>, 'sendReceiptEmail'>

export const markPaid = operation({
  name: 'invoices_mark_paid',
  http: 'POST /api/documents/{id}/mark-paid',
  does: 'Records the payment of all that is open of a sales document, which is then PAID, and issues a receipt if asked to. Part of it is paid with invoices_payments.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: MarkPaid,
  output: Type.Object({
    ...Success.properties,
    payment: nullable(Payment),
    document: Document,
    receipt: nullable(Document),
    email: nullable(Type.Object({ sent: Count, failed: Count })),
  }),
  outside: true,
  async run(context, { sendReceiptEmail, ...request }) {
    if (!sendReceiptEmail) return context.once(async (inside) => (await pay(inside, request)).answer)
    const { answer, wasPaid, mailing } = await context.tx((inside) => payAndQueue(inside, request, context.intent))
    if (mailing) return deliver(context, request.id, mailing)
    return wasPaid ? answer : { ...answer, email: { sent: 0, failed: 0 } }
  },
})

type InsideContext = Inside & { who: Promise<Member> }

/** Pays the document and queues the e-mail, unless it was paid before or the e-mail was queued before a crash. */
async function payAndQueue(context: InsideContext, request: PaymentRequest, mailingId: string) {
  const queued = await findMailing(context.db, mailingId)
  const { answer, wasPaid } = await pay(context, request)
  if (queued || wasPaid) return { answer, wasPaid, mailing: queued }
  return { answer, wasPaid, mailing: await queueEmail(context, answer.receipt ?? answer.document, mailingId) }
}

/** Pays the open balance and issues the receipt; a document that is PAID already is left as it is. */
async function pay(context: InsideContext, { id, paymentMethod, ...request }: PaymentRequest) {
  const { db, who, now } = context
  const { generateReceipt = false, generateTaxFreeReceipt: taxFree = false } = request
  const issuesReceipt = generateReceipt || taxFree
  const { organization, member, before } = await pipeline({
    organization: organizationContext(db),
    member: who,
    references: checkReferences(db, { bankAccountId: request.bankAccountId ?? null }),
    counters: lockCounters(db, { documentId: id, becomesFinal: true, issues: issuesReceipt ? ['RECEIPT'] : [] }),
    locked: lockDocument(db, id),
    before: one(documentById(db, id), 'document'),
  })
  const paymentDate = requiredDay('paymentDate', request.paymentDate, organization)
  if (before.convertedToId !== null) refuseClosed(before)
  if (before.status === 'PAID') return { answer: await toAnswer(context, before), wasPaid: true }
  const { currency, openMinor, customerId } = before
  const stored = readDetails(request, { currency, amountMinor: openMinor, organization })
  const dueOn = laterDay(stored, now, organization)
  if (dueOn !== null)
    return {
      answer: await plan({ db, member }, { before, dueOn, stored, paymentMethod, receipt: receiptOf(request) }),
      wasPaid: true,
    }
  await changeDocument(context, { id, status: 'PAID', paymentDate, paymentMethod }, { source: 'MARK_PAID', stored })
  const row = await one(documentById(db, id), 'document')
  const last = row.payments.at(-1)
  if (!last) return { answer: await toAnswer(context, row), wasPaid: false }
  const { payment, duplicates } = await pipeline({
    payment: one(paymentById(db, last.id), 'payment'),
    duplicates: duplicateWarnings(db, last.id),
  })
  const issuing = { payment, customerId, documents: [row], taxFree }
  if (issuesReceipt && !isReceipt(row.documentType)) await issueReceipt({ ...context, member, organization }, issuing)
  const warnings = [
    ...paymentRateWarnings(payment),
    ...duplicates,
    ...cashWarnings(organization, payment, [row]),
    ...(issuesReceipt ? receiptItselfWarnings(row) : []),
  ]
  return { answer: await toAnswer(context, await one(documentById(db, id), 'document'), warnings), wasPaid: false }
}

type Plan = Pick<Parameters<typeof planPayment>[1], 'dueOn' | 'stored' | 'receipt'> & {
  before: DocumentRow
  paymentMethod: string
}

/** A cheque that is due later: the document stays as it is until that day, and no receipt is issued or sent before. */
async function plan(context: Parameters<typeof planPayment>[0], { before, paymentMethod, ...how }: Plan) {
  const { id, currency, customerId, openMinor } = before
  refuseOverpayment(salesKind, before, { path: 'id', amountMinor: openMinor })
  const shares = [{ documentId: id, amountMinor: openMinor }]
  const planned = { ...how, customerId, currency, amountMinor: openMinor, method: paymentMethod, shares }
  return {
    ...success,
    payment: await planPayment(context, planned),
    document: toDocument(before),
    receipt: null,
    email: null,
  }
}

const receiptOf = ({ generateReceipt, generateTaxFreeReceipt }: Partial<PaymentRequest>) =>
  generateTaxFreeReceipt ? 'TAX_FREE' : generateReceipt ? 'WITH_TAX' : 'NONE'

/** A receipt or invoice-receipt states its payment itself, so no other receipt is issued. */
const receiptItselfWarnings = ({ documentType, invoiceNumber }: DocumentRow): Warning[] =>
  isReceipt(documentType)
    ? [
        {
          code: 'RECEIPT_ITSELF',
          path: 'generateReceipt',
          message: `The document ${invoiceNumber} is the receipt of this payment, so no other receipt was issued.`,
        },
      ]
    : []

/** Queues the e-mail. A customer without recipients does not prevent the payment. */
async function queueEmail(context: InsideContext, { id }: Document, mailingId: string): Promise<Mailing | undefined> {
  const row = await one(documentById(context.db, id), 'document')
  const recipients = await recipientsOf(context.db, row)
  return recipients.length > 0 ? queueMailing(context, { row, recipients, mailingId }) : undefined
}

async function deliver(context: Outside & { who: Promise<Member> }, id: string, mailing: Mailing) {
  const { organizationId, userId } = await context.who
  await context.deliverNow(organizationId, mailing.deliveryIds)
  return context.once(async (inside) => {
    const { sent, failed } = await recordMailingOutcome({ ...inside, userId }, mailing, { includeQueued: true })
    return { ...(await toAnswer(inside, await one(documentById(inside.db, id), 'document'))), email: { sent, failed } }
  })
}

/** The paid document with its last payment and receipt. A repeated call gets the same answer, without the warnings. */
async function toAnswer(context: Pick<Inside, 'db'>, row: DocumentRow, warnings: Warning[] = []) {
  const last = row.payments.at(-1)
  const payment = last
    ? withWarnings(toPayment(await one(paymentById(context.db, last.id), 'payment')), warnings)
    : null
  const receipt = last ? await receiptFor(context, last.id) : null
  return { ...success, payment, document: toDocument(row), receipt, email: null }
}
