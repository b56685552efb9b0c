import type { Name } from '../../api.ts'
import type { Language } from '../../words.ts'
import type { Area } from './area.ts'

/** What the button of an operation says. */
export const actName = (lang: Language, name: Name, { create, createName }: Partial<Area> = {}): string =>
  (name === create && createName ? createName : (acts[name] ?? usual(name)))[lang]

/** By the last word of the name, for what every area has. */
function usual(name: Name): Record<Language, string> {
  if (/create|_post$/.test(name)) return { en: 'New', he: 'חדש' }
  if (/update/.test(name)) return { en: 'Edit', he: 'עריכה' }
  if (/void/.test(name)) return { en: 'Void', he: 'ביטול' }
  const word = name.split('_').at(-1) ?? name
  return { en: word.charAt(0).toUpperCase() + word.slice(1), he: 'פעולה' }
}

const acts: Partial<Record<Name, Record<Language, string>>> = {
  expenses_status: { en: 'Change the state', he: 'שינוי מצב' },
  expenses_payments: { en: 'Record a payment', he: 'רישום תשלום' },
  expenses_credits: { en: 'Record a credit', he: 'רישום זיכוי' },
  expenses_customers: { en: 'Link a customer', he: 'קישור ללקוח' },
  expenses_payments_allocate: { en: 'Allocate', he: 'חלוקה להוצאות' },
  expenses_payments_refund: { en: 'Refund', he: 'החזר' },
  invoices_payments_allocate: { en: 'Allocate to documents', he: 'חלוקה למסמכים' },
  invoices_payments_receipt: { en: 'Issue a receipt', he: 'הפקת קבלה' },
  invoices_payments_refund: { en: 'Refund', he: 'החזר' },
  invoices_payments_void: { en: 'Void the payment', he: 'ביטול התשלום' },
  expenses_email_poll: { en: 'Read now', he: 'קריאה עכשיו' },
  integrations_gmail: { en: 'Connect Gmail', he: 'חיבור Gmail' },
  integrations_outlook: { en: 'Connect Outlook', he: 'חיבור Outlook' },
  integrations_email_settings_test: { en: 'Test the connection', he: 'בדיקת החיבור' },
  integrations_auto_scan_post: { en: 'Read by schedule', he: 'קריאה לפי לוח זמנים' },
  integrations_auto_scan_delete: { en: 'Stop the schedule', he: 'הפסקת לוח הזמנים' },
  integrations_stop: { en: 'Stop', he: 'עצירה' },
  orders_open: { en: 'Open the order', he: 'פתיחת ההזמנה' },
  orders_receive: { en: 'Receive', he: 'קבלת סחורה' },
  orders_deliver: { en: 'Deliver', he: 'אספקה' },
  orders_invoice: { en: 'Create an invoice', he: 'הפקת חשבונית' },
  orders_send: { en: 'Send', he: 'שליחה' },
  orders_close: { en: 'Close', he: 'סגירה' },
  orders_cancel: { en: 'Cancel the order', he: 'ביטול ההזמנה' },
  logistics_stock_movements_create: { en: 'Record a movement', he: 'רישום תנועה' },
  payroll_generate: { en: 'Generate a month', he: 'הפקת חודש' },
  payroll_approve: { en: 'Approve', he: 'אישור' },
  payroll_pay: { en: 'Pay', he: 'תשלום' },
  payroll_advance: { en: 'Pay an advance', he: 'תשלום מקדמה' },
  payroll_payslips_send: { en: 'Send payslips', he: 'שליחת תלושים' },
  payroll_payments_void: { en: 'Void the payment', he: 'ביטול התשלום' },
  reports_journal_entry_reverse: { en: 'Reverse', he: 'היפוך הפקודה' },
}
