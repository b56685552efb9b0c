import type { IconName } from '../../../ui/icon.tsx'
import { actionName } from '../../../ui/schema/operation-names.ts'
import { labelOf } from '../../../ui/schema/schema-words.ts'
import type { Language } from '../../../words.ts'
import type { Block, Kind } from '../graph/graph.ts'

/** What a block does in a few words: “Invoices: send”, “A sales document was paid in full”. */
export function blockName(lang: Language, { kind, ref, config }: Pick<Block, 'kind' | 'ref' | 'config'>): string {
  if (kind === 'TRIGGER') return ref ? eventName(lang, ref) : ''
  if (kind === 'FILTER') return objectName(lang, String((config.spec as { root?: unknown } | undefined)?.root ?? ''))
  return ref ? actionName(lang, ref) : ''
}

export function eventName(lang: Language, type: string): string {
  const [en, he] = events[type] ?? []
  return (lang === 'he' ? he : en) ?? labelOf('en', type.replaceAll('.', '_'))
}

/** The name of something that filters find: `DocumentLine` is “Document line”. */
export function objectName(lang: Language, name: string): string {
  return lang === 'he' ? (objects[name] ?? name) : name ? labelOf('en', name) : ''
}

const icons: Record<Kind, IconName> = { TRIGGER: 'bolt', FILTER: 'filter', ACTION: 'play', CUSTOM: 'code' }
const actionIcons: Record<string, IconName> = {
  'email.send': 'mail', 'webhook.post': 'webhook', invoices: 'document', customers: 'customers', expenses: 'expense', orders: 'order',
  payroll: 'payroll', logistics: 'stock', reports: 'report', suppliers: 'supplier', companion: 'spark', automations: 'automation',
  users: 'team', organizations: 'organization', settings: 'settings', bank: 'bank', integrations: 'plug', api: 'passkey',
} // biome-ignore format: a list of words

export function blockIcon({ kind, ref }: Pick<Block, 'kind' | 'ref'>): IconName {
  if (kind === 'TRIGGER' && ref?.startsWith('schedule.')) return 'clock'
  if (kind !== 'ACTION' || !ref) return icons[kind]
  return actionIcons[ref] ?? actionIcons[ref.split(/[._]/)[0] ?? ''] ?? icons[kind]
}

const events: Record<string, readonly [string, string]> = {
  'invoice.created': ['A document was created', 'נוצר מסמך'], 'invoice.issued': ['A document got its number', 'הופק מסמך'],
  'invoice.sent': ['A document was sent', 'נשלח מסמך'], 'invoice.paid': ['A document was paid in full', 'מסמך שולם במלואו'],
  'invoice.overdue': ['A document is overdue', 'מסמך באיחור'], 'invoice.disputed': ['A document was disputed', 'נפתחה מחלוקת על מסמך'],
  'invoice.dispute_resolved': ['A dispute was resolved', 'מחלוקת יושבה'], 'invoice.cleared': ['The tax authority gave a number', 'התקבל מספר הקצאה'],
  'invoice.clearance_rejected': ['The tax authority refused a number', 'בקשה למספר הקצאה נדחתה'], 'receipt.issued': ['A receipt was issued', 'הופקה קבלה'],
  'payment.recorded': ['A payment was recorded', 'נרשם תשלום'], 'payment.voided': ['A payment was voided', 'תשלום בוטל'],
  'payment.refunded': ['A payment was refunded', 'תשלום הוחזר'], 'expense.created': ['An expense was created', 'נוצרה הוצאה'],
  'expense.submitted': ['An expense was submitted', 'הוצאה הוגשה לאישור'], 'expense.approved': ['An expense was approved', 'הוצאה אושרה'],
  'expense.rejected': ['An expense was rejected', 'הוצאה נדחתה'], 'expense.paid': ['An expense was paid in full', 'הוצאה שולמה במלואה'],
  'expense.credited': ['A supplier credited an expense', 'ספק זיכה הוצאה'], 'expense.scanned': ['An attachment was read', 'צרופה נקראה'],
  'scan_batch.completed': ['A batch of scans is done', 'אצוות סריקה הסתיימה'], 'ingestion.completed': ['A mailbox was read', 'תיבת דואר נקראה'],
  'ingestion.failed': ['A mailbox could not be read', 'קריאת תיבת דואר נכשלה'], 'customer.created': ['A customer was added', 'נוסף לקוח'],
  'customer.updated': ['A customer was changed', 'לקוח עודכן'], 'order.opened': ['An order was opened', 'נפתחה הזמנה'],
  'order.sent': ['An order was sent', 'הזמנה נשלחה'], 'order.received': ['Goods were received or delivered', 'סחורה התקבלה או נמסרה'],
  'order.invoiced': ['An invoice was drafted for an order', 'נוצרה טיוטת חשבונית להזמנה'], 'stock.low': ['An item runs low', 'פריט עומד להיגמר'],
  'payslip.generated': ['A payslip was generated', 'הופק תלוש'], 'payslip.approved': ['A payslip was approved', 'תלוש אושר'],
  'payslip.paid': ['A payslip was paid', 'תלוש שולם'], 'import.completed': ['A file was imported', 'קובץ יובא'],
  'automation.failed': ['A run of an automation failed', 'הרצה של אוטומציה נכשלה'], 'schedule.hourly': ['Every hour', 'כל שעה'],
  'schedule.daily': ['Every day at 08:00', 'כל יום ב־08:00'], 'schedule.weekly': ['Every Monday at 08:00', 'כל יום שני ב־08:00'],
  'schedule.monthly': ['On the 1st of every month at 08:00', 'בכל 1 בחודש ב־08:00'],
} // biome-ignore format: a list of words

const objects: Record<string, string> = {
  Document: 'מסמך', DocumentLine: 'שורת מסמך', DocumentEvent: 'אירוע של מסמך', Customer: 'לקוח', Recipient: 'נמען', Payment: 'תשלום',
  Allocation: 'הקצאה', BankAccount: 'חשבון בנק', Expense: 'הוצאה', ExpensePayment: 'תשלום הוצאה', ExpenseCategory: 'קטגוריית הוצאה',
  Supplier: 'ספק', Item: 'פריט', StockMovement: 'תנועת מלאי', Order: 'הזמנה', OrderLine: 'שורת הזמנה', Employee: 'עובד', Payslip: 'תלוש',
  Member: 'חבר בארגון', Organization: 'ארגון', Automation: 'אוטומציה', Run: 'הרצה', Step: 'צעד',
} // biome-ignore format: a list of words
