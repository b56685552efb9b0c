import { named, sentences } from './sentence.ts'

/** English in Singapore. */
// biome-ignore format: a sentence per line
export const singapore = sentences(
  ['how much gst do I owe for last quarter', 'reports_gst_f5', { from: '2026-07-01', to: '2026-09-30' }],
  ['GST F5 for jul-sep pls', 'reports_gst_f5', { from: '2026-07-01', to: '2026-09-30' }],
  ['gst f5 for Q3', 'reports_gst_f5', { from: '2026-07-01', to: '2026-09-30' }],
  ['show me the gst return for July to September', 'reports_gst_f5', { from: '2026-07-01', to: '2026-09-30' }],
  ['iras audit file for 2025', 'reports_iras_audit_file', { from: '2025-01-01', to: '2025-12-31' }],
  ['cpf contributions for October', 'payroll_form_cpf', { month: '2026-10' }],
  ['ir8a for 2025', 'payroll_form_ir8a', { year: 2025 }],
  ['giro file for October salaries', 'payroll_bank_file', { month: '2026-10', format: 'giro' }],
  ['invoice Ah Seng Trading 1,200 for delivery plus gst', 'invoices_create', { customerId: named('customer', 'Ah Seng Trading'), documentType: 'INVOICE', currency: 'SGD', line: 'delivery 1200', taxRate: 9, total: 1308 }],
  ['bill Marina Pte Ltd S$500 including GST for catering', 'invoices_create', { customerId: named('customer', 'Marina Pte Ltd'), documentType: 'INVOICE', currency: 'SGD', line: 'catering 458.715596', taxRate: 9, total: 500 }],
  ['who owes us more than S$2k', 'reports_receivables_aging', {}, { over: 2000 }],
  ['expenses on transport this month', 'expenses_list', { dateFrom: '2026-11-01', dateTo: '2026-11-30', categoryId: named('category', 'transport', { orSearch: true }) }],
  ['payroll for September', 'payroll_summary', { month: '2026-09' }],
)
