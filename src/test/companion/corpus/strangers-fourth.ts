import { named, organization, sentences } from './sentence.ts'

const draft = { currency: 'ILS', documentType: 'INVOICE', taxRate: 18 }
const sent = { status: 'SENT', sortBy: 'dueDate', sortOrder: 'asc' }

/** A fourth set, the last one that was measured. */
// biome-ignore format: a table
export const strangersFourth = sentences(
  ['need an invoice for Lakeside Dental, 3 visits at 140', 'invoices_create', { ...draft, customerId: named('customer', 'Lakeside Dental'), line: '3 × visits 140', total: 495.6 }],
  ['Lakeside paid invoice 612 by card', 'invoices_mark_paid', { id: named('document', '612'), paymentDate: '2026-11-17', paymentMethod: 'CREDIT_CARD', sendReceiptEmail: false }],
  ['where did most of our money go last quarter', 'reports_expenses', { from: '2026-07-01', to: '2026-09-30', groupBy: 'category' }, { order: 'largest', first: 1 }],
  ['is anything overdue from Lakeside', 'invoices_list', { ...sent, customerId: named('customer', 'Lakeside') }, { overdue: true }],
  ['delete the expense from Uber', 'expenses_delete_delete', { id: named('expense', 'Uber') }],
  ['compare revenue of october and september', 'reports_income', { from: '2026-10-01', to: '2026-10-31' }, { compareFrom: '2026-09-01', compareTo: '2026-09-30' }],
  ['add customer Marina Bay Cafe, marina@bay.test, Singapore', 'customers_create', { name: 'Marina Bay Cafe', country: 'SG', email: 'marina@bay.test' }],
  ['which suppliers do we owe the most', 'reports_payables_aging', {}, { order: 'largest' }],
  ['low stock items', 'logistics_stock_levels', { low: 'true' }],
  ['what did we order from Dell', 'orders_list', { search: 'Dell' }],
  ['send reminder for invoice 612', 'invoices_send', { id: named('document', '612') }],
  ['how many employees do we have', 'payroll_employees_list', { employed: 'true' }, { count: true }],
  ['net pay for october', 'payroll_summary', { month: '2026-10' }],
  ['when was the mailbox last scanned', 'integrations_fetch_logs'],
  ['resume the overdue reminders automation', 'automations_enable', { id: named('automation', 'overdue reminders') }],
  ['what changed in the settings this month', 'organizations_audit', { operation: 'settings_update', from: '2026-11-01', to: '2026-11-30' }],
  ['pending invitations', 'users_invitations', { id: organization }],
  ['export the october expenses to csv', 'expenses_csv', { dateFrom: '2026-10-01', dateTo: '2026-10-31' }],
  ['צריך חשבונית למרפאת האגם, 3 ביקורים ב-140', 'invoices_create', { ...draft, customerId: named('customer', 'מרפאת האגם'), line: '3 × ביקורים 140', total: 495.6 }],
  ['חשבונית 612 שולמה באשראי', 'invoices_mark_paid', { id: named('document', '612'), paymentDate: '2026-11-17', paymentMethod: 'CREDIT_CARD', sendReceiptEmail: false }],
  ['על מה הלך רוב הכסף ברבעון האחרון', 'reports_expenses', { from: '2026-07-01', to: '2026-09-30', groupBy: 'category' }, { order: 'largest' }],
  ['יש משהו באיחור ממרפאת האגם', 'invoices_list', { ...sent, customerId: named('customer', 'מרפאת האגם') }, { overdue: true }],
  ['תמחקי את ההוצאה של אובר', 'expenses_delete_delete', { id: named('expense', 'אובר') }],
  ['השווה הכנסות אוקטובר לספטמבר', 'reports_income', { from: '2026-10-01', to: '2026-10-31' }, { compareFrom: '2026-09-01', compareTo: '2026-09-30' }],
  ['לקוח חדש קפה המרינה, marina@bay.test', 'customers_create', { name: 'קפה המרינה', country: 'IL', email: 'marina@bay.test' }],
  ['לאיזה ספקים אנחנו חייבים הכי הרבה', 'reports_payables_aging', {}, { order: 'largest' }],
  ['תזכורת על חשבונית 612', 'invoices_send', { id: named('document', '612') }],
  ['כמה עובדים יש לנו', 'payroll_employees_list', { employed: 'true' }, { count: true }],
  ['נטו לתשלום באוקטובר', 'payroll_payments', { month: '2026-10' }],
  ['מתי נסרקה תיבת הדואר לאחרונה', 'integrations_fetch_logs'],
  ['מה השתנה בהגדרות החודש', 'organizations_audit', { operation: 'settings_update', from: '2026-11-01', to: '2026-11-30' }],
  ['ייצא את הוצאות אוקטובר לאקסל', 'expenses_csv', { dateFrom: '2026-10-01', dateTo: '2026-10-31' }],
  ['שלח את הזמנה 204 לספק', 'orders_send', { id: named('order', '204') }],
  ['כמה שילמנו לחברת החשמל השנה', 'expenses_list', { dateFrom: '2026-01-01', dateTo: '2026-12-31', search: 'חברת החשמל' }, { add: true }],
  ['מאזן ליום 30.9.2026', 'reports_balance_sheet', { date: '2026-09-30' }],
)
