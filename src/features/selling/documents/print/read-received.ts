import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { PaymentDetails } from '../../../../ledger/payments/payment-details.ts'
import type { DocumentRow } from '../reading/read.ts'

/** A recorded payment that a receipt or invoice-receipt states. */
export type ReceivedPayment = {
  id: string
  paidAt: string
  method: string | null
  reference: string | null
  details: PaymentDetails | null
  /** What it settles of the document, and the part of that which was withheld as tax. */
  amountMinor: number
  withheldMinor: number
  /** The documents that a receipt names in its lines. */
  paid: { number: string; documentType: string }[]
}

/**
 * The payments that a document states: the payment of a receipt as a whole, or the shares of payments that were allocated to
 * the document. A share has its part of the withheld tax.
 */
export async function readReceived(
  db: Database,
  { id, paymentId, documentType }: Pick<DocumentRow, 'id' | 'paymentId' | 'documentType'>,
  when: keyof typeof stated = 'now',
): Promise<ReceivedPayment[]> {
  if (documentType !== 'RECEIPT' && documentType !== 'INVOICE_RECEIPT') return []
  const { rows } = await (paymentId === null ? ofAllocations(id, when) : ofPayment(paymentId)).execute(db)
  return rows
}

const ofPayment = (paymentId: string) => sql<ReceivedPayment>`
  select p.id, p.paid_at, p.method, p.reference, p.details, p.amount_minor, p.withheld_minor,
    (select coalesce(json_agg(distinct jsonb_build_object('number', d.number, 'documentType', d.document_type)), '[]') from allocations a
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.organization_id = p.organization_id and a.payment_id = p.id) as paid
  from payments p where p.id = ${paymentId}`

/** Now, or when the document was issued: a payment recorded with the issue has its time, also if it was voided since. */
const stated = {
  now: sql`a.voided_at is null`,
  atIssue: sql`a.created_at <= (select d.issued_at from documents d where d.organization_id = a.organization_id and d.id = a.document_id)`,
}

const ofAllocations = (documentId: string, when: keyof typeof stated) => sql<ReceivedPayment>`
  select p.id, p.paid_at, p.method, p.reference, p.details, sum(a.amount_minor)::bigint as amount_minor,
    round(p.withheld_minor * sum(a.amount_minor) / p.amount_minor)::bigint as withheld_minor, '[]'::json as paid
  from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
  where a.document_id = ${documentId} and ${stated[when]} and p.source <> 'CREDIT_MEMO'
  group by p.organization_id, p.id order by min(a.id::text)`

/** Whether an invoice-receipt is not paid because a payment of it was voided. */
export async function isPaymentVoided(
  db: Database,
  { id, documentType, status }: Pick<DocumentRow, 'id' | 'documentType' | 'status'>,
): Promise<boolean> {
  if (documentType !== 'INVOICE_RECEIPT' || status === 'PAID' || status === 'DRAFT') return false
  const { rows } = await sql<{ voided: boolean }>`select exists (select from allocations a
      join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      where a.document_id = ${id} and p.voided_at is not null) as voided`.execute(db)
  return rows[0]?.voided ?? false
}
