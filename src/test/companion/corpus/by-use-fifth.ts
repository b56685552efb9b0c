import { named, sentences } from './sentence.ts'

/** Sentences that were known to be misread: leave, withheld tax, parts of an order, whose expenses, invoices that repeat, terms of payment. */
// biome-ignore format: a table
export const byUseFifth = sentences(
  ["customers who haven't ordered in 6 months", 'cannot quiet-customers'],
  ['איזה לקוחות לא קנו מאיתנו חצי שנה', 'cannot quiet-customers'],
  ['stop the monthly inbox scan', 'integrations_auto_scan_delete', { id: named('connection') }],
  ['תפסיק את סריקת המייל האוטומטית', 'integrations_auto_scan_delete', { id: named('connection') }],
  ['תשלם לבזק', 'missing amount'],
  ['תשלם לבזק 420', 'expenses_payments', { id: named('expense', 'בזק'), amount: 420, paidAt: '2026-11-17' }],
  ['pay Bezeq 420 by card', 'expenses_payments', { id: named('expense', 'Bezeq'), amount: 420, paidAt: '2026-11-17', method: 'CREDIT_CARD' }],
  ['תשלח לאלפא דוח חובות', 'reports_customer_statement_send', { id: named('customer', 'אלפא') }],
  ['how many vacation days does Dana have left', 'payroll_payslips_get', { id: named('payslip', 'Dana', { which: 'latest' }) }],
  ['כמה ימי חופשה נשארו לדנה', 'payroll_payslips_get', { id: named('payslip', 'דנה', { which: 'latest' }) }],
  ['expenses by Noam last month', 'expenses_list', { dateFrom: '2026-10-01', dateTo: '2026-10-31' }, { person: 'Noam' }],
  ['הוצאות שנועם הגיש', 'expenses_list', {}, { person: 'נועם' }],
  ['we received 30 of the 50 boards on PO-0012', 'orders_receive', { id: named('order', 'PO-0012') }, { parts: [{ quantity: 30, what: 'boards' }] }],
  ['קיבלנו 30 לוחות מתוך 50 בהזמנה PO-0012', 'orders_receive', { id: named('order', 'PO-0012') }, { parts: [{ quantity: 30, what: 'לוחות' }] }],
  ['receive PO-0012', 'orders_receive', { id: named('order', 'PO-0012') }],
  ['כמה הוצאנו בשופרסל', 'expenses_list', { search: 'שופרסל' }, { add: true }],
  ['כמה שולחנות נשארו', 'logistics_stock_levels', { search: 'שולחנות' }],
  ['כמה מס ניכו לנו במקור השנה', 'reports_general_ledger', { from: '2026-01-01', to: '2026-12-31', account: named('account', 'Tax withheld by customers') }],
  ['how much tax was withheld from us this year', 'reports_general_ledger', { from: '2026-01-01', to: '2026-12-31', account: named('account', 'Tax withheld by customers') }],
  ['set up a monthly invoice of 500 to Globex for hosting', 'automations_create', { steps: 'schedule.monthly → invoices_create → invoices_send' }],
  ['תוציא לאלפא חשבונית חודשית על 500 שקל', 'automations_create', { steps: 'schedule.monthly → invoices_create → invoices_send' }],
  ['invoice Globex 500 for the monthly retainer', 'invoices_create', { customerId: named('customer', 'Globex'), documentType: 'INVOICE', currency: 'ILS', line: 'monthly retainer 500', taxRate: 18, total: 590 }],
  ['add delivery 40 to the draft for Globex', 'invoices_update', { id: named('document', 'Globex', { where: { status: 'DRAFT' } }), items: [{ id: 'added-1', description: 'delivery', quantity: 1, unitPrice: 40, amount: 40 }] }, { adds: true }],
  ['תוסיף לטיוטה של אלפא משלוח ב-40', 'invoices_update', { id: named('document', 'אלפא', { where: { status: 'DRAFT' } }), items: [{ id: 'added-1', description: 'משלוח', quantity: 1, unitPrice: 40, amount: 40 }] }, { adds: true }],
  ['תוסיף ספק דפוס רמון שוטף פלוס 30', 'suppliers_create', { name: 'דפוס רמון', country: 'IL', paymentTermsDays: 30 }],
)
