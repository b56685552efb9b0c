import { named, sentences } from './sentence.ts'

/** English in the United States. */
// biome-ignore format: a sentence per line
export const unitedStates = sentences(
  ['sales tax for last quarter', 'reports_sales_tax', { from: '2026-07-01', to: '2026-09-30' }],
  ['how much sales tax do I owe', 'reports_sales_tax', { from: '2026-01-01', to: '2026-11-17' }],
  ['1099 for 2025', 'reports_1099_nec', { year: 2025 }],
  ['form 941 for Q2', 'payroll_form_941', { year: 2026, quarter: 2 }],
  ['w2 for 2025', 'payroll_form_w2', { year: 2025 }],
  ['form 940', 'payroll_form_940', { year: 2025 }],
  ['nacha file for October', 'payroll_bank_file', { month: '2026-10', format: 'nacha' }],
  ['invoice Smith & Sons $2,500 for roofing', 'invoices_create', { customerId: named('customer', 'Smith & Sons'), documentType: 'INVOICE', currency: 'USD', line: 'roofing 2500', taxRate: null, total: 2500 }],
  ['charge Riverside Dental 12 hours of bookkeeping at $85', 'invoices_create', { customerId: named('customer', 'Riverside Dental'), documentType: 'INVOICE', currency: 'USD', line: '12 × bookkeeping 85', taxRate: null, total: 1020 }],
  ['what are my open invoices above $1,000', 'invoices_list', { status: 'SENT', sortBy: 'dueDate', sortOrder: 'asc' }, { over: 1000, open: true }],
  ['how much did we spend on software in q1', 'expenses_list', { dateFrom: '2026-01-01', dateTo: '2026-03-31', categoryId: named('category', 'software', { orSearch: true }) }, { add: true }],
  ['w-3 for last year', 'payroll_form_w3', { year: 2025 }],
)
