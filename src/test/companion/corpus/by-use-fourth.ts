import { sentences } from './sentence.ts'

const document = (words: string) => ({ $named: 'document', words })
const late = { status: 'SENT', sortBy: 'dueDate', sortOrder: 'asc' }

/** Sentences that were misread when they were first tried: amounts of credits, negations, addresses, times, and words that are no names. */
// biome-ignore format: a table
export const byUseFourth = sentences(
  ['send a reminder to everyone who is more than 30 days late', 'invoices_list', late, { overdue: true, overdueDays: 30 }],
  ['תשלח תזכורת לכל מי שמאחר ביותר מחודש', 'invoices_list', late, { overdue: true, overdueDays: 30 }],
  ["which purchase orders haven't been received yet", 'orders_list', { status: 'OPEN', kind: 'PURCHASE' }],
  ['credit half of invoice 88', 'missing amount'],
  ['תזכה את אלפא ב-500 שקל על חשבונית 1042', 'invoices_memos', { id: document('1042'), kind: 'CREDIT', items: [{ id: '1', description: 'זיכוי', quantity: 1, unitPrice: 500, amount: 500 }] }],
  ['credit invoice 88', 'invoices_memos', { id: document('88'), kind: 'CREDIT' }],
  ['remind me tomorrow to call the accountant', 'cannot outside'],
  ['export the general ledger for 2025', 'missing account'],
  ['כמה חייבים לי הלקוחות בסך הכול', 'reports_receivables_aging'],
  ['כמה הכנסנו ברבעון הקודם לעומת השנה שעברה', 'reports_income', { from: '2026-07-01', to: '2026-09-30' }, { compareFrom: '2025-07-01', compareTo: '2025-09-30' }],
  ['מאזן בוחן לסוף ספטמבר', 'reports_trial_balance', { from: '2026-01-01', to: '2026-09-30' }],
  ['תעביר את דרישת תשלום 17 לחשבונית', 'invoices_convert', { id: document('17'), documentType: 'INVOICE' }],
  ['send invoice 1077 to anna@globex.example', 'invoices_send', { id: document('1077'), recipients: ['anna@globex.example'] }],
  ['שלח את חשבונית 1077 ל-anna@globex.example', 'invoices_send', { id: document('1077'), recipients: ['anna@globex.example'] }],
  ['scan my inbox for receipts', 'expenses_email_poll', { connectionId: { $named: 'connection', words: '' } }],
  ['how late does Initech usually pay', 'cannot days-to-pay'],
  ['תכין הצעת מחיר לאלפא, שני מחשבים ב-4,500 כל אחד', 'invoices_create', { customerId: { $named: 'customer', words: 'אלפא' }, documentType: 'PAYMENT_REQUEST', currency: 'ILS', line: '2 × מחשבים 4500', taxRate: 18, total: 10620 }],
  ['תוציא חשבונית לדנה כהן על 600 שקל עבור הסדנה, שוטף פלוס 30', 'invoices_create', { customerId: { $named: 'customer', words: 'דנה כהן' }, documentType: 'INVOICE', currency: 'ILS', line: 'הסדנה 600', taxRate: 18, total: 708, dueDate: '2026-12-30' }],
  ['תוציא חשבונית לדנה כהן על 600 שקל עבור הסדנה, שוטף + 30', 'invoices_create', { customerId: { $named: 'customer', words: 'דנה כהן' }, documentType: 'INVOICE', currency: 'ILS', line: 'הסדנה 600', taxRate: 18, total: 708, dueDate: '2026-12-30' }],
  ['גיול ספקים', 'reports_payables_aging'],
  ['גיול לקוחות', 'reports_receivables_aging'],
  ['מי הלקוח הכי רווחי', 'reports_income', { from: '2026-01-01', to: '2026-11-17', groupBy: 'customer' }, { order: 'largest', first: 1 }],
)
