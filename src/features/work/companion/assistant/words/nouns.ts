import { formatNumber } from '../../../../../core/values/format.ts'
import type { Language } from '../../../../../core/values/language.ts'
import type { RecordKind } from '../understood.ts'

/** A noun in both languages, for counting. */
export type Noun = { en: readonly [one: string, many: string]; he: readonly [one: string, many: string, 'f' | 'm'] }

const noun = (one: string, many: string, heOne: string, heMany: string, gender: 'f' | 'm'): Noun => ({
  en: [one, many],
  he: [heOne, heMany, gender],
})

export const nouns = {
  record: noun('record', 'records', 'רשומה', 'רשומות', 'f'),
  customer: noun('customer', 'customers', 'לקוח', 'לקוחות', 'm'),
  supplier: noun('supplier', 'suppliers', 'ספק', 'ספקים', 'm'),
  document: noun('document', 'documents', 'מסמך', 'מסמכים', 'm'),
  invoice: noun('invoice', 'invoices', 'חשבונית', 'חשבוניות', 'f'),
  receipt: noun('receipt', 'receipts', 'קבלה', 'קבלות', 'f'),
  request: noun('payment request', 'payment requests', 'דרישת תשלום', 'דרישות תשלום', 'f'),
  memo: noun('credit memo', 'credit memos', 'חשבונית זיכוי', 'חשבוניות זיכוי', 'f'),
  draft: noun('draft', 'drafts', 'טיוטה', 'טיוטות', 'f'),
  payment: noun('payment', 'payments', 'תשלום', 'תשלומים', 'm'),
  expense: noun('expense', 'expenses', 'הוצאה', 'הוצאות', 'f'),
  claim: noun('claim', 'claims', 'בקשת החזר', 'בקשות החזר', 'f'),
  item: noun('item', 'items', 'פריט', 'פריטים', 'm'),
  movement: noun('stock movement', 'stock movements', 'תנועת מלאי', 'תנועות מלאי', 'f'),
  order: noun('order', 'orders', 'הזמנה', 'הזמנות', 'f'),
  employee: noun('employee', 'employees', 'עובד', 'עובדים', 'm'),
  payslip: noun('payslip', 'payslips', 'תלוש', 'תלושים', 'm'),
  automation: noun('automation', 'automations', 'אוטומציה', 'אוטומציות', 'f'),
  run: noun('run', 'runs', 'הרצה', 'הרצות', 'f'),
  delivery: noun('delivery', 'deliveries', 'שליחה', 'שליחות', 'f'),
  category: noun('category', 'categories', 'קטגוריה', 'קטגוריות', 'f'),
  account: noun('account', 'accounts', 'חשבון', 'חשבונות', 'm'),
  bankAccount: noun('bank account', 'bank accounts', 'חשבון בנק', 'חשבונות בנק', 'm'),
  connection: noun('mailbox', 'mailboxes', 'תיבת דואר', 'תיבות דואר', 'f'),
  recipient: noun('recipient', 'recipients', 'נמען', 'נמענים', 'm'),
  member: noun('member', 'members', 'חבר צוות', 'חברי צוות', 'm'),
  notification: noun('notification', 'notifications', 'התראה', 'התראות', 'f'),
  entry: noun('entry', 'entries', 'רישום', 'רישומים', 'm'),
  event: noun('event', 'events', 'אירוע', 'אירועים', 'm'),
  message: noun('message', 'messages', 'הודעה', 'הודעות', 'f'),
  line: noun('line', 'lines', 'שורה', 'שורות', 'f'),
  organization: noun('organization', 'organizations', 'ארגון', 'ארגונים', 'm'),
  invitation: noun('invitation', 'invitations', 'הזמנה להצטרף', 'הזמנות להצטרף', 'f'),
  key: noun('API key', 'API keys', 'מפתח API', 'מפתחות API', 'm'),
  template: noun('template', 'templates', 'תבנית', 'תבניות', 'f'),
  day: noun('day', 'days', 'יום', 'ימים', 'm'),
  file: noun('file', 'files', 'קובץ', 'קבצים', 'm'),
  step: noun('step', 'steps', 'שלב', 'שלבים', 'm'),
} satisfies Record<RecordKind, Noun> & Record<string, Noun>

/** `1 invoice`, `12 invoices`; in Hebrew `חשבונית אחת`, `שתי חשבוניות`, `12 חשבוניות`. */
export function counted(language: Language, count: number, { en, he }: Noun): string {
  if (language === 'en') return `${formatNumber('en', count)} ${count === 1 ? en[0] : en[1]}`
  const [one, many, gender] = he
  if (count === 1) return `${one} ${gender === 'f' ? 'אחת' : 'אחד'}`
  if (count === 2) return one === 'יום' ? 'יומיים' : `${gender === 'f' ? 'שתי' : 'שני'} ${many}`
  return `${formatNumber('he', count)} ${many}`
}

/** `There is no invoice.` */
export const noneOf = (language: Language, { en, he }: Noun): string =>
  language === 'en' ? `There are no ${en[1]}.` : `אין ${he[1]}.`
