import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { nouns } from '../words/nouns.ts'
import { aging } from './aging.ts'
import { dashboard } from './dashboard.ts'
import { tellDone } from './done.ts'
import { type Document, explainDocument, tellDocument } from './explain-document.ts'
import { failedRuns } from './explain-run.ts'
import { tellFigures } from './figures.ts'
import { tellFile } from './file.ts'
import { income } from './income.ts'
import { tellOutput } from './list.ts'
import { tellOther } from './other.ts'
import { payrollSummary } from './payroll.ts'
import { tellForms } from './payroll-forms.ts'
import { plainRow, tellRecord } from './record.ts'
import type { Data } from './rows.ts'
import { balanceSheet, generalLedger, profitAndLoss, tax, trialBalance } from './statements.ts'
import { gstF5, journal, salesTax } from './tax-forms.ts'
import { asksWhy } from './why.ts'

type Teller = (talk: Talk, understood: Understood, output: never) => Steps

/** Answers with words of their own, by the tool. */
const tellers: Record<string, Teller> = {
  dashboard_get: dashboard,
  payroll_summary: payrollSummary,
  reports_receivables_aging: aging,
  reports_payables_aging: aging,
  reports_income: income,
  reports_expenses: income,
  reports_profit_and_loss: profitAndLoss,
  reports_balance_sheet: balanceSheet,
  reports_trial_balance: trialBalance,
  reports_general_ledger: generalLedger,
  reports_tax_compliance: tax,
  invoices_get: (talk, _, output: Document) => (asksWhy(talk.turn.text) ? explainDocument : tellDocument)(talk, output),
  automations_preview: (talk, { intent }, output: Parameters<typeof failedRuns>[1]) =>
    failedRuns(talk, output, intent.startsWith('explain')),
  reports_gst_f5: gstF5,
  reports_sales_tax: salesTax,
  reports_journal: journal,
  ...tellForms,
  ...tellOther,
}

/** Tells the result of a call: in words of its own, as a file, as a list, as what was done, or field by field. */
export async function* tell(talk: Talk, understood: Understood, output: unknown): Steps {
  if (typeof output !== 'object' || output === null) return yield* talk.say(talk.in('Done.', 'בוצע.'))
  const data = output as Data
  if ('fileName' in data && 'fileType' in data && !('id' in data)) return yield* tellFile(talk, understood, data)
  const teller = tellers[understood.tool]
  if (teller) return yield* teller(talk, understood, output as never)
  const operation = talk.turn.tools.find(({ name }) => name === understood.tool)
  if (operation && !operation.reads) return yield* tellDone(talk, understood, data)
  const lists = Object.keys(data).filter((key) => Array.isArray(data[key]) && key !== 'warnings')
  const [field] = lists
  const isList = field !== undefined && (data.pagination !== undefined || Object.keys(data).length === 1)
  const view = { field: field ?? '', noun: nouns.record, row: plainRow, isAddedUp: false }
  if (isList) return yield* tellOutput(talk, understood, data, view)
  if ('id' in data) return yield* tellRecord(talk, understood.tool, data)
  yield* tellFigures(talk, data)
}
