import type { Name } from '../../../api.ts'
import type { Language } from '../../../words.ts'
import type { Area } from '../area.ts'

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
  integrations_auto_scan: { en: 'Schedule', he: 'לוח זמנים' },
  integrations_fetch_log_messages: { en: 'Messages and their outcome', he: 'ההודעות ומה יצא מהן' },
  expenses_csv: { en: 'Export as CSV', he: 'ייצוא ל־CSV' },
  expenses_manifest: { en: 'List with receipts', he: 'רשימה עם קבלות' },
  expenses_usage: { en: 'Scans of this month', he: 'הסריקות החודש' },
  expenses_credits_void: { en: 'Void a credit', he: 'ביטול זיכוי' },
  expenses_customers_delete: { en: 'Unlink a customer', he: 'ביטול קישור ללקוח' },
  expenses_payments_unallocate: { en: 'Take an allocation back', he: 'ביטול חלוקה' },
  orders_chain: { en: 'What came of it', he: 'מה יצא מההזמנה' },
  orders_match: { en: 'Ordered, received, billed', he: 'הוזמן, התקבל, חויב' },
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
  payroll_regenerate: { en: 'Compute again', he: 'חישוב מחדש' },
  payroll_void: { en: 'Void the payslip', he: 'ביטול התלוש' },
  payroll_apply: { en: 'Set advances off', he: 'קיזוז מקדמות' },
  payroll_unapply: { en: 'Undo the set-off', he: 'ביטול הקיזוז' },
  payroll_consent_upload: { en: 'Add a signed consent', he: 'הוספת הסכמה חתומה' },
  payroll_gpl_settle: { en: 'Record what the authority paid', he: 'רישום תשלום מהרשות' },
  payroll_bank_file: { en: 'File for the bank', he: 'קובץ לבנק' },
  payroll_form_102: { en: 'Form 102', he: 'טופס 102' },
  payroll_form_106: { en: 'Form 106', he: 'טופס 106' },
  payroll_form_126: { en: 'Form 126', he: 'טופס 126' },
  payroll_form_cpf: { en: 'CPF submission', he: 'דיווח CPF' },
  payroll_form_ir8a: { en: 'IR8A', he: 'IR8A' },
  payroll_form_940: { en: 'Form 940', he: 'טופס 940' },
  payroll_form_941: { en: 'Form 941', he: 'טופס 941' },
  payroll_form_w2: { en: 'Form W-2', he: 'טופס W-2' },
  payroll_form_w3: { en: 'Form W-3', he: 'טופס W-3' },
  payroll_payments_void: { en: 'Void the payment', he: 'ביטול התשלום' },
  reports_journal_entry_reverse: { en: 'Reverse', he: 'היפוך הפקודה' },
}
