import type { Language } from '../../../../core/values/language.ts'

/** Printed words that are the same in every country. Terms of a country come from its rules. */
const words = {
  amount: { en: 'Amount', he: 'סכום' },
  amountsIn: { en: 'Amounts in', he: 'הסכומים במטבע' },
  account: { en: 'Account no.', he: 'מספר חשבון' },
  accountName: { en: 'Account name', he: 'שם החשבון' },
  balance: { en: 'Balance due', he: 'יתרה לתשלום' },
  bank: { en: 'Bank', he: 'בנק' },
  bankCode: { en: 'Bank code', he: 'קוד בנק' },
  branch: { en: 'Branch', he: 'סניף' },
  brought: { en: 'Brought forward', he: 'יתרה מעמוד קודם' },
  cancelled: { en: 'CANCELLED', he: 'מבוטל' },
  carried: { en: 'Carried forward', he: 'יתרה להעברה' },
  credits: { en: 'Credited', he: 'זוכה' },
  credited: { en: 'Total credited', he: 'סה"כ זיכוי' },
  customer: { en: 'Bill to', he: 'לכבוד' },
  date: { en: 'Date', he: 'תאריך' },
  description: { en: 'Description', he: 'תיאור' },
  discount: { en: 'Discount', he: 'הנחה' },
  draft: { en: 'DRAFT', he: 'טיוטה' },
  due: { en: 'Due date', he: 'לתשלום עד' },
  expected: { en: 'Expected on', he: 'מועד אספקה' },
  gross: { en: 'Gross', he: 'כולל מס' },
  iban: { en: 'IBAN', he: 'IBAN' },
  jurisdiction: { en: 'Jurisdiction', he: 'רשות' },
  method: { en: 'Paid by', he: 'אמצעי תשלום' },
  net: { en: 'Net', he: 'לפני מס' },
  noPayment: { en: 'No payment has been recorded.', he: 'לא נרשם תשלום.' },
  notes: { en: 'Notes', he: 'הערות' },
  number: { en: 'Number', he: 'מספר' },
  of: { en: 'of', he: 'מיום' },
  orderConfirmation: { en: 'Order Confirmation', he: 'אישור הזמנה' },
  page: { en: 'Page {page} of {pages}', he: 'עמוד {page} מתוך {pages}' },
  paid: { en: 'Paid', he: 'שולם' },
  payment: { en: 'How to pay', he: 'פרטים לתשלום' },
  paymentFor: { en: 'Payment for {document}', he: 'תשלום עבור {document}' },
  payments: { en: 'Payment received', he: 'פירוט התקבולים' },
  paymentTerms: { en: 'Payment terms', he: 'תנאי תשלום' },
  paymentVoided: { en: 'Payment voided', he: 'התשלום בוטל' },
  payUntil: { en: 'Pay until', he: 'תוקף לתשלום' },
  purchaseOrder: { en: 'Purchase Order', he: 'הזמנת רכש' },
  quantity: { en: 'Quantity', he: 'כמות' },
  quote: { en: 'Please quote {number} with your payment.', he: 'נא לציין בתשלום את מספר המסמך {number}.' },
  quoteOrder: {
    en: 'Please quote {number} on the delivery note and the invoice.',
    he: 'נא לציין את מספר ההזמנה {number} בתעודת המשלוח ובחשבונית.',
  },
  rate: { en: 'Rate', he: 'שיעור' },
  reason: { en: 'Reason', he: 'סיבה' },
  received: { en: 'Total received', he: 'סה"כ התקבל' },
  receivedFrom: { en: 'Received from', he: 'התקבל מאת' },
  reference: { en: 'Refers to', he: 'בגין מסמך' },
  routing: { en: 'Routing no.', he: 'Routing no.' },
  scan: { en: 'Scan to pay with {name}', he: 'סריקה לתשלום עם {name}' },
  shipTo: { en: 'Ship to', he: 'כתובת למשלוח' },
  sku: { en: 'SKU', he: 'מק"ט' },
  subtotal: { en: 'Subtotal', he: 'סכום ביניים' },
  supplier: { en: 'Supplier', he: 'ספק' },
  swift: { en: 'SWIFT / BIC', he: 'SWIFT / BIC' },
  taxByJurisdiction: { en: 'Tax by jurisdiction', he: 'מס לפי רשות' },
  total: { en: 'Total', he: 'סה"כ' },
  unitPrice: { en: 'Unit price', he: 'מחיר יחידה' },
  termsDays: { en: '{days} days from the date of the invoice', he: '{days} ימים ממועד החשבונית' },
  termsNow: { en: 'On receipt of the invoice', he: 'עם קבלת החשבונית' },
  withheld: { en: 'Tax withheld at source', he: 'ניכוי מס במקור' },
  yourReference: { en: 'Your reference', he: 'מספרכם' },
} satisfies Record<string, Record<Language, string>>

export type Word = keyof typeof words

export const wordIn = (language: Language, word: Word): string => words[word][language]

const methods: Record<string, Record<Language, string>> = {
  BANK_TRANSFER: { en: 'Bank transfer', he: 'העברה בנקאית' },
  CARD: { en: 'Card', he: 'כרטיס אשראי' },
  CASH: { en: 'Cash', he: 'מזומן' },
  CHECK: { en: 'Check', he: "צ'ק" },
  CHEQUE: { en: 'Cheque', he: "צ'ק" },
  CREDIT_CARD: { en: 'Credit card', he: 'כרטיס אשראי' },
  DIRECT_DEBIT: { en: 'Direct debit', he: 'הוראת קבע' },
  OTHER: { en: 'Other', he: 'אחר' },
  PAYNOW: { en: 'PayNow', he: 'PayNow' },
  PAYPAL: { en: 'PayPal', he: 'PayPal' },
}

/** The name of a payment method; an unknown method is printed as it was given. */
export const methodIn = (language: Language, method: string): string =>
  methods[
    method
      .trim()
      .toUpperCase()
      .replace(/[\s-]+/g, '_')
  ]?.[language] ?? method
