import { words } from '../../words.ts'

/** How money comes in, as the server and the tax rules know it. */
export const paymentMethods = ['BANK_TRANSFER', 'CREDIT_CARD', 'CASH', 'CHECK', 'OTHER'] as const

export const paymentMethodWords = words<Record<string, string>>(
  { BANK_TRANSFER: 'Bank transfer', CREDIT_CARD: 'Card', CASH: 'Cash', CHECK: 'Cheque', OTHER: 'Other' },
  { BANK_TRANSFER: 'העברה בנקאית', CREDIT_CARD: 'כרטיס אשראי', CASH: 'מזומן', CHECK: 'המחאה', OTHER: 'אחר' },
)

/** With those that only programs write, or the books themselves. */
export const shownMethodWords = words<Record<string, string>>(
  { ...paymentMethodWords.en, CARD: 'Card', CHEQUE: 'Cheque', CREDIT_MEMO: 'Credit memo' },
  { ...paymentMethodWords.he, CARD: 'כרטיס אשראי', CHEQUE: 'המחאה', CREDIT_MEMO: 'חשבונית זיכוי' },
)
