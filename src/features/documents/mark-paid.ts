import { sql } from 'kysely'
import { type Database, type Inside, type Member, operation } from '../../core/operation.ts'
import { one } from '../../core/query.ts'
import { Count, Id, nullable, optional, Success, success, Type } from '../../core/schema.ts'
import { Payment, toPayment } from '../payments/payment.ts'
import { paymentById } from '../payments/read.ts'
import { changeDocument } from './change.ts'
import { Document } from './document.ts'
import { mailDocument, recipientsOf } from './mail-document.ts'
import { type DocumentRow, documentById, toDocument } from './read.ts'
import { issueReceipt, receiptFor } from './receipt.ts'
import { homeOf } from './write.ts'

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
  async run(context, { id, paymentDate, paymentMethod, sendReceiptEmail, ...wants }) {
    const { db, who } = context
    const { generateReceipt = false, generateTaxFreeReceipt = false } = wants
    const wantsReceipt = generateReceipt || generateTaxFreeReceipt
    const [home, member, , , before] = await Promise.all([
      homeOf(db),
      who,
      holdCounters(db, id, wantsReceipt),
      db.selectFrom('documents').select('id').where('id', '=', id).forNoKeyUpdate().execute(),
      one(documentById(db, id), 'document'),
    ])
    if (before.status === 'PAID') return settled(context, before)
    await changeDocument(context, { id, status: 'PAID', paymentDate, paymentMethod }, { source: 'MARK_PAID' })
    const row = await one(documentById(db, id), 'document')
    const payment = row.payments.at(-1)
    if (wantsReceipt && payment)
      await issueReceipt({ ...context, member, home }, { row, payment, taxFree: generateTaxFreeReceipt })
    const result = await settled(context, await one(documentById(db, id), 'document'))
    return sendReceiptEmail ? { ...result, email: await mailed(context, result.receipt ?? result.document) } : result
  },
})

/** The counters of whatever may get a number here, before the document (lock order). */
const holdCounters = (db: Database, id: string, receipt: boolean) =>
  sql`select hold_counters(array_agg(d.type)) from (select document_type as type from documents where id = ${id} and status = 'DRAFT'
    union select 'RECEIPT' from documents where id = ${id} and ${receipt}) d`.execute(db)

/** A missing recipient never stands in the way of a payment. */
async function mailed(context: Parameters<typeof mailDocument>[0], document: Document) {
  const recipients = await recipientsOf(context, document)
  return recipients.length > 0 ? mailDocument(context, document, recipients) : { sent: 0, failed: 0 }
}

/** How a paid document stands; asked again it stands the same. */
async function settled(context: Pick<Inside, 'db'> & { who: Promise<Member> }, row: DocumentRow) {
  const { db } = context
  const last = row.payments.at(-1)
  const payment = last ? toPayment(await one(paymentById(db, last.id), 'payment')) : null
  const receipt = last ? await receiptFor(context, last.id) : null
  return { ...success, payment, document: toDocument(row), receipt, email: null }
}
