import type { Warning } from '../../../../core/define/schema.ts'
import { isReceipt } from '../legal-content.ts'
import type { DocumentRow } from '../reading/read.ts'
import type { DocumentInput } from '../write.ts'

type Issue = Pick<DocumentInput, 'status' | 'documentType' | 'paymentDate' | 'paymentMethod'>

/**
 * Whether issuing a document also records its payment: PAID says so, and on a receipt or invoice-receipt the date or method
 * of the payment does.
 */
export const recordsPayment = (
  { status, documentType, paymentDate, paymentMethod }: Issue,
  { totalMinor }: { totalMinor: number },
): boolean =>
  totalMinor > 0 &&
  (status === 'PAID' ||
    (status !== 'DRAFT' && isReceipt(documentType) && (paymentDate !== null || paymentMethod !== null)))

/** The status of a document that is about to be issued; its payment sets PAID. */
export const statusBeforePayment = ({ status }: Issue) => (status === 'SENT' ? 'SENT' : 'UNSENT')

/** A receipt acknowledges money. One without a recorded payment is accepted and prints none. */
export function receiptWarnings(row: Pick<DocumentRow, 'documentType' | 'status' | 'openMinor'>): Warning[] {
  if (!isReceipt(row.documentType) || row.status === 'DRAFT' || row.openMinor <= 0) return []
  const message =
    'No payment is recorded for this receipt, so it states none. Record it with POST /api/documents/{id}/payments.'
  return [{ code: 'RECEIPT_WITHOUT_PAYMENT', path: 'status', message }]
}
