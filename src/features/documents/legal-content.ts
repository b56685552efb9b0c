import { conflict } from '../../core/define/failure.ts'
import type { Document } from './document.ts'

type Content = Pick<Document, 'notes' | 'countrySpecificData'>

/**
 * What the law wants in the fields that can otherwise change after issue: the reason of a memo, and the tax that the payer
 * of a receipt has withheld. PUT keeps them when they are left out.
 */
export function legalContent({ documentType, notes, countrySpecificData }: Document): Partial<Content> {
  if (isMemo(documentType)) return { notes }
  return isReceipt(documentType) && withheld({ countrySpecificData }) !== undefined ? { countrySpecificData } : {}
}

/** Refuses to change the reason of a memo or the withheld tax of a receipt; the same value may be written back. */
export function refuseChangedLegalContent(document: Document, changed: Content): void {
  const { documentType } = document
  if (isMemo(documentType) && changed.notes !== document.notes)
    throw conflict('notes of an issued memo is its reason and cannot change. Issue another memo instead.', 'FROZEN')
  if (isReceipt(documentType) && JSON.stringify(withheld(changed)) !== JSON.stringify(withheld(document)))
    throw conflict(
      'countrySpecificData.withholdingTax of an issued receipt cannot change. Cancel or credit it and issue another one.',
      'FROZEN',
    )
}

const isMemo = (type: string) => type === 'CREDIT_MEMO' || type === 'DEBIT_MEMO'

/** Whether a document of this type acknowledges a payment. */
export const isReceipt = (type: string) => type === 'RECEIPT' || type === 'INVOICE_RECEIPT'

const withheld = ({ countrySpecificData }: Pick<Content, 'countrySpecificData'>): unknown =>
  countrySpecificData?.withholdingTax
