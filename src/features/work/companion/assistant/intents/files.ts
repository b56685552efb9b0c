import type { Input } from './intent.ts'
import type { Said } from './said.ts'

/** Reports that are also given as a file. */
const files = new Set(
  `reports_income reports_expenses reports_profit_and_loss reports_balance_sheet reports_trial_balance reports_general_ledger reports_journal
   reports_payables_aging reports_receivables_aging reports_stock_valuation reports_tax_compliance reports_gst_f5 reports_sales_tax`.split(
    /\s+/,
  ),
)

export const isFile = (tool: string): boolean => files.has(tool)

/** "As excel", לאקסל, csv: the format of the file. */
export function fileOf(tool: string, { text }: Said): Input {
  if (!isFile(tool)) return {}
  if (/\bcsv\b/i.test(text)) return { format: 'csv' }
  return /\b(excel|xlsx|spreadsheet)\b|אקסל/i.test(text) ? { format: 'xlsx' } : {}
}
