import { csvFile } from '../../../features/books/reports/report-file.ts'
import type { StatutoryFile } from '../../../features/books/statutory/statutory-file.ts'
import { buildContractors, buildSalesTax } from './tax/build.ts'

export const salesTaxFile: StatutoryFile = {
  id: 'us-sales-tax',
  name: { en: 'Sales tax by state', he: 'מס מכירה לפי מדינה' },
  does: 'Sales and sales tax by state and rate, for the returns of the states. How often a state wants one is its decision.',
  fileType: 'text/csv',
  period: 'any',
  report: 'reports_sales_tax',
  async build({ db, organization, from, to }) {
    const { table, report } = await buildSalesTax({ db, organization, period: { from, to } })
    const { states, totals: all, problems, problemsIncomplete } = await report()
    const totals = [
      { code: 'SALES', name: 'Sales before tax', count: null, amount: all.sales },
      { code: 'TAX', name: 'Sales tax', count: null, amount: all.tax },
      ...states.map(({ state, tax, count }) => ({
        ...{ code: state ?? '-', name: `Sales tax of ${state ?? 'sales without a state'}`, count, amount: tax },
      })),
    ]
    return { file: csvFile(table), problems, totals, isWhole: !problemsIncomplete }
  },
}

export const form1099NecFile: StatutoryFile = {
  id: 'us-1099-nec',
  name: { en: 'Form 1099-NEC', he: 'טופס 1099-NEC' },
  does: 'What was paid to each contractor in a calendar year, above the threshold of the year.',
  fileType: 'text/csv',
  period: 'year',
  report: 'reports_1099_nec',
  async build({ db, from }) {
    const { table, report } = await buildContractors(db, Number(from.slice(0, 4)))
    const { totals: all, problems, problemsIncomplete } = report()
    const totals = [
      { code: 'PAID', name: 'Paid to contractors that are reported', count: all.reported, amount: all.paid },
      { code: 'WITHHELD', name: 'Withheld from them', count: null, amount: all.withheld },
    ]
    return { file: csvFile(table), problems, totals, isWhole: !problemsIncomplete }
  },
}
