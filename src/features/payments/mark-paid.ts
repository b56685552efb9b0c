import { type Inside, type Member, type Outside, operation } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { Count, Id, nullable, optional, Success, success, Type } from '../../core/define/schema.ts'
import { lockCounters, lockDocument } from '../../ledger/numbering.ts'
import { organizationContext, requiredDay } from '../../ledger/organization-context.ts'
import { Payment, toPayment } from '../../ledger/payments/payment.ts'
import { paymentById } from '../../ledger/payments/read-payment.ts'
import { changeDocument } from '../documents/change.ts'
import { Document } from '../documents/document.ts'
import { issueReceipt, receiptFor } from '../documents/issuing/receipt.ts'
import { type DocumentRow, documentById, toDocument } from '../documents/reading/read.ts'
import { type Mailing, mailingKnownBy, queueMailing, recipientsOf, recordMailingOutcome } from '../documents/sending/mailing.ts'

export const markPaid = operation({
  name: 'invoices_mark_paid',
  http: 'POST /api/documents/{id}/mark-paid',
  does: 'Records the payment of all that is open of a sales document, and issues a receipt for it if asked to.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({
    id: Id,
    paymentDate: Type.String({ maxLength: 40, examples: ['2026-01-31'] }),
    paymentMethod: Type.String({ maxLength: 200, examples: ['BANK_TRANSFER'] }),
    ...optional({
      generateReceipt: Type.Boolean(),
      generateTaxFreeReceipt: Type.Boolean({ description: 'A receipt with zero tax.' }),
    }),
    sendReceiptEmail: Type.Boolean(),
  }),
  output: Type.Object({
    ...Success.properties,
    payment: nullable(Payment),
    document: Document,
    receipt: nullable(Document),
    email: nullable(Type.Object({ sent: Count, failed: Count })),
  }),
  outside: true,
  async run(context, { sendReceiptEmail, ...wanted }) {
    if (!sendReceiptEmail) return context.once((inside) => pay(inside, wanted))
    const { paid, mailing } = await context.tx(async (inside) => {
      const known = await mailingKnownBy(inside.db, context.intent)
      const paid = await pay(inside, wanted)
      if (known || paid.before === 'PAID') return { paid, mailing: known }
      return { paid, mailing: await queueLetters(inside, paid.receipt ?? paid.document, context.intent) }
    })
    if (mailing) return delivered(context, wanted.id, mailing)
    return paid.before === 'PAID' ? paid : { ...paid, email: { sent: 0, failed: 0 } }
  },
})

type Paying = Inside & { who: Promise<Member> }
type Wanted = {
  id: string
  paymentDate: string
  paymentMethod: string
  generateReceipt?: boolean
  generateTaxFreeReceipt?: boolean
}

async function pay(context: Paying, { id, paymentMethod, ...wants }: Wanted) {
  const { db, who } = context
  const { generateReceipt = false, generateTaxFreeReceipt = false } = wants
  const wantsReceipt = generateReceipt || generateTaxFreeReceipt
  const [home, member, , , before] = await Promise.all([
    organizationContext(db),
    who,
    lockCounters(db, { documentId: id, becomesFinal: true, issues: wantsReceipt ? ['RECEIPT'] : [] }),
    lockDocument(db, id),
    one(documentById(db, id), 'document'),
  ])
  const paymentDate = requiredDay('paymentDate', wants.paymentDate, home)
  if (before.status === 'PAID') return { ...(await settled(context, before)), before: before.status }
  await changeDocument(context, { id, status: 'PAID', paymentDate, paymentMethod }, { source: 'MARK_PAID' })
  const row = await one(documentById(db, id), 'document')
  const payment = row.payments.at(-1)
  if (wantsReceipt && payment)
    await issueReceipt({ ...context, member, home }, { row, payment, taxFree: generateTaxFreeReceipt })
  return { ...(await settled(context, await one(documentById(db, id), 'document'))), before: before.status }
}

/** A missing recipient never stands in the way of a payment. */
async function queueLetters(context: Paying, { id }: Document, mailingId: string) {
  const row = await one(documentById(context.db, id), 'document')
  const recipients = await recipientsOf(context.db, row)
  return recipients.length > 0 ? queueMailing(context, { row, recipients, mailingId }) : undefined
}

async function delivered(context: Outside & { who: Promise<Member> }, id: string, mailing: Mailing) {
  const { organizationId, userId } = await context.who
  await context.deliverNow(organizationId, mailing.deliveryIds)
  return context.once(async (inside) => {
    const { sent, failed } = await recordMailingOutcome({ ...inside, userId }, mailing, { putOff: true })
    return { ...(await settled(inside, await one(documentById(inside.db, id), 'document'))), email: { sent, failed } }
  })
}

/** How a paid document stands; asked again it stands the same. */
async function settled(context: Pick<Inside, 'db'>, row: DocumentRow) {
  const { db } = context
  const last = row.payments.at(-1)
  const payment = last ? toPayment(await one(paymentById(db, last.id), 'payment')) : null
  const receipt = last ? await receiptFor(context, last.id) : null
  return { ...success, payment, document: toDocument(row), receipt, email: null }
}
