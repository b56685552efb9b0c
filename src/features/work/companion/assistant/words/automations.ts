import type { Language } from '../../../../../core/values/language.ts'

/** What starts an automation and what it does, as people say it. */
const words: Record<string, readonly [en: string, he: string]> = {
  'schedule.hourly': ['every hour', 'בכל שעה'],
  'schedule.daily': ['every day at 08:00', 'בכל יום ב-08:00'],
  'schedule.weekly': ['every Monday at 08:00', 'בכל יום שני ב-08:00'],
  'schedule.monthly': ['on the 1st of every month at 08:00', 'באחד בכל חודש ב-08:00'],
  'invoice.created': ['when an invoice is drafted', 'כשנוצרת חשבונית'],
  'invoice.issued': ['when an invoice is issued', 'כשמופקת חשבונית'],
  'invoice.sent': ['when an invoice is sent', 'כשנשלחת חשבונית'],
  'invoice.paid': ['when an invoice is paid', 'כשמשולמת חשבונית'],
  'invoice.overdue': ['when an invoice is overdue', 'כשחשבונית באיחור'],
  'invoice.disputed': ['when an invoice is disputed', 'כשחשבונית במחלוקת'],
  'expense.created': ['when an expense is entered', 'כשנרשמת הוצאה'],
  'expense.submitted': ['when an expense waits for review', 'כשהוצאה ממתינה לבדיקה'],
  'expense.approved': ['when an expense is approved', 'כשהוצאה מאושרת'],
  'expense.rejected': ['when an expense is rejected', 'כשהוצאה נדחית'],
  'expense.paid': ['when an expense is paid', 'כשהוצאה משולמת'],
  'customer.created': ['when a customer is added', 'כשנוסף לקוח'],
  'payment.recorded': ['when a payment is recorded', 'כשנרשם תשלום'],
  'stock.low': ['when an item runs low', 'כשמלאי של פריט נמוך'],
  'order.opened': ['when an order is opened', 'כשנפתחת הזמנה'],
  'order.received': ['when an order is received', 'כשהזמנה מתקבלת'],
  'payslip.approved': ['when a payslip is approved', 'כשתלוש מאושר'],
  'payslip.paid': ['when a payslip is paid', 'כשתלוש משולם'],
  'automation.failed': ['when an automation fails', 'כשאוטומציה נכשלת'],
  'email.send': ['send an e-mail', 'שליחת דוא״ל'],
  'webhook.post': ['call a webhook', 'קריאה ל-webhook'],
  invoices_send: ['send the document to the customer', 'שליחת המסמך ללקוח'],
  invoices_duplicate: ['draft the document again', 'הכנת המסמך שוב כטיוטה'],
  expenses_status: ['change the status of the expense', 'שינוי מצב ההוצאה'],
  expenses_email_poll: ['read the receipts of the mailbox', 'קריאת הקבלות מתיבת הדואר'],
  orders_create: ['draft an order', 'הכנת הזמנה'],
  users_members: ['find the owners', 'איתור הבעלים'],
  Document: ['documents', 'מסמכים'],
  Expense: ['expenses', 'הוצאות'],
  Customer: ['customers', 'לקוחות'],
  Run: ['runs', 'הרצות'],
  Member: ['members', 'חברי צוות'],
  Item: ['items', 'פריטים'],
}

/** The words for a trigger, an action or a kind of record; the name itself if there are none. */
export const automationWord = (language: Language, ref: string): string =>
  words[ref]?.[language === 'he' ? 1 : 0] ?? ref
