import { conflict } from '../../../core/define/failure.ts'
import type { Document } from './document.ts'

/** The payment that a receipt was issued for. */
type Issued = { paymentId: string | null }
type Content = Pick<Document, 'notes' | 'countrySpecificData'>

/**
 * What the law wants in the fields that can otherwise change after issue: the reason of a memo, the notes of a receipt that was
 * issued for a payment, and the tax that the payer of a receipt has withheld. PUT keeps them when they are left out.
 */
export function legalContent(document: Document, { paymentId }: Issued): Partial<Content> {
  const { documentType, notes, countrySpecificData } = document
  if (isMemo(documentType)) return { notes }
  if (!isReceipt(documentType)) return {}
  return {
    ...(paymentId !== null && { notes }),
    ...(withheldFields.some((field) => withheld(document, field) !== undefined) && { countrySpecificData }),
  }
}

/** Refuses to change the reason of a memo, or the notes or withheld tax of a receipt; the same value may be written back. */
export function refuseChangedLegalContent(document: Document, changed: Content, { paymentId }: Issued): void {
  const { documentType } = document
  if (isMemo(documentType) && changed.notes !== document.notes)
    throw conflict('notes of an issued memo is its reason and cannot change. Issue another memo instead.', 'FROZEN')
  if (!isReceipt(documentType)) return
  if (paymentId !== null && changed.notes !== document.notes)
    throw conflict('notes of an issued receipt cannot change. Cancel it and issue another one.', 'FROZEN')
  const field = withheldFields.find(
    (each) => JSON.stringify(withheld(changed, each)) !== JSON.stringify(withheld(document, each)),
  )
  if (field)
    throw conflict(
      `countrySpecificData.${field} of an issued receipt cannot change. Cancel or credit it and issue another one.`,
      'FROZEN',
    )
}

const isMemo = (type: string) => type === 'CREDIT_MEMO' || type === 'DEBIT_MEMO'

/** Whether a document of this type acknowledges a payment. */
export const isReceipt = (type: string) => type === 'RECEIPT' || type === 'INVOICE_RECEIPT'

/** Whether an issued document is a receipt by law: an exempt dealer's invoice-receipt is one and is numbered with the receipts. */
export const isReceiptByLaw = ({ documentType, series }: { documentType: string; series: string }) =>
  documentType === 'RECEIPT' || (documentType === 'INVOICE_RECEIPT' && series === 'RECEIPT')

const withheldFields = ['withholdingTax', 'withheldAmount'] as const

const withheld = (
  { countrySpecificData }: Pick<Content, 'countrySpecificData'>,
  field: (typeof withheldFields)[number],
): unknown => countrySpecificData?.[field]
