import { sql } from 'kysely'
import { conflict } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { lockCounters } from '../../../ledger/numbering.ts'
import { organizationContext } from '../../../ledger/organization-context.ts'
import { refuseNewAllocations } from '../../../ledger/payments/lock-payment.ts'
import { lockPayable } from '../../../ledger/payments/payable-documents.ts'
import { documentsPaidBy, lockPayment } from '../../../ledger/payments/read-payment.ts'
import { countryWarnings } from '../documents/country-view.ts'
import { Document } from '../documents/document.ts'
import { issueReceipt, receiptFor } from '../documents/issuing/receipt.ts'
import { missingRateWarnings } from '../documents/issuing/written-warnings.ts'
import { salesKind } from '../documents/kind.ts'
import { documentById, toDocument } from '../documents/reading/read.ts'

export const receipt = operation({
  name: 'invoices_payments_receipt',
  http: 'POST /api/payments/{id}/receipt',
  does: 'Issues the receipt of a recorded payment, whatever it pays; if the payment has a receipt already, answers that one.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'payments',
  input: Type.Object({ id: Id, taxFree: Type.Optional(Type.Boolean({ description: 'A receipt with zero tax.' })) }),
  output: Document,
  status: 201,
  async run(context, { id, taxFree = false }) {
    const { db, who } = context
    const { organization, member, ids } = await pipeline({
      organization: organizationContext(db),
      member: who,
      counters: lockCounters(db, { issues: ['RECEIPT'] }),
      ids: documentsPaidBy(db, id),
    })
    await lockPayable(db, salesKind, ids)
    const { payment, paid, issued } = await pipeline({
      payment: lockPayment(db, salesKind, id),
      paid: documentsPaidBy(db, id),
      issued: receiptFor(context, id),
    })
    refuseNewAllocations(paid, ids)
    if (issued && taxFree && issued.taxAmount !== 0)
      throw conflict(
        `The payment has the receipt ${issued.invoiceNumber}, which shows tax. Cancel it first to issue one without tax.`,
        'RECEIPTED',
      )
    if (issued) return issued
    const customerId = refuseWithoutReceipt(payment)
    const { documents, number } = await pipeline({
      number: ownReceiptNumber(db, id),
      documents: Promise.all(paid.map((documentId) => one(documentById(db, documentId), 'document'))),
    })
    if (number !== undefined) throw conflict(`The document ${number} is the receipt of this payment.`, 'RECEIPTED')
    const row = await issueReceipt({ ...context, member, organization }, { payment, customerId, documents, taxFree })
    const document = toDocument(row)
    return withWarnings(document, [...missingRateWarnings(document), ...countryWarnings(row)])
  },
})

type Receiptable = {
  source: string
  voidedAt: string | null
  customerId: string | null
  amountMinor: number
  refundedMinor: number
}

/** Refuses a payment that gets no receipt; returns its customer. */
function refuseWithoutReceipt(payment: Receiptable): string {
  const { source, voidedAt, customerId, amountMinor, refundedMinor } = payment
  if (voidedAt !== null) throw conflict('The payment was voided: nothing was received.', 'VOIDED')
  if (source === 'REFUND') throw conflict('A refund went to the customer. A receipt states money received.', 'REFUND')
  if (source === 'CREDIT_MEMO')
    throw conflict('The credit of a memo is no payment. The memo itself documents it.', 'CREDITED')
  if (refundedMinor === amountMinor)
    throw conflict('The payment was refunded in full: nothing was received in the end.', 'REFUNDED')
  if (customerId === null)
    throw conflict(
      'The payment names no customer, so the receipt would not say from whom the money came. Allocate it to a document of the customer first.',
      'NO_CUSTOMER',
    )
  return customerId
}

/** The number of a valid receipt or invoice-receipt that this payment pays, which states it. */
async function ownReceiptNumber(db: Database, paymentId: string): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`select d.number from payments p
      join allocations a on a.organization_id = p.organization_id and a.payment_id = p.id and a.voided_at is null
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    where p.id = ${paymentId}
      and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT') and d.cancelled_at is null
    order by d.id limit 1`.execute(db)
  return rows[0]?.number
}
