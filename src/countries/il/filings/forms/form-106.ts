import { nullable, Text, Type } from '../../../../core/define/schema.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import { EmployeeProblem } from '../../../../features/pay/payroll-forms/employee-problem.ts'
import { finalOnes, type ReportedEmployee } from '../../../../features/pay/payroll-forms/read-payslips.ts'
import { Figures, figureColumns, figureNames, sumsOf, toFigures } from './figures.ts'
import { Person } from './form-126.ts'

const MonthRow = Type.Object({ month: Text, ...Figures.properties })

export const Form106 = Type.Object({
  year: Type.Integer(),
  currency: Text,
  employer: Type.Object({ name: Text, number: nullable(Text), address: nullable(Text) }),
  employee: Person,
  creditPoints: nullable(Type.Number({ description: 'Of the last payslip of the year; null if none are given.' })),
  months: Type.Array(MonthRow, { description: 'The payslips of the year. A correction is in the month that paid it.' }),
  openingBalances: nullable({
    ...Figures,
    description: 'What was paid in the year before the first payslip here; the net pay of it is not known.',
  }),
  totals: Figures,
  problems: Type.Array(EmployeeProblem),
})

export const form106Columns: ReportColumn[] = [
  { key: 'month', title: 'Month', titleHe: 'חודש', type: 'text' },
  ...figureColumns,
]

/** The payslips of the year, the opening balances and the sum of both, to the agora. */
export function form106Figures({ payslips, opening }: ReportedEmployee) {
  const final = finalOnes(payslips)
  return {
    creditPoints: final.at(-1)?.facts.creditPoints ?? null,
    months: final.map((payslip) => ({ month: payslip.month, ...toFigures(sumsOf([payslip])) })),
    openingBalances: opening && toFigures(sumsOf([], opening)),
    totals: toFigures(sumsOf(final, opening)),
  }
}

/** The rows of a file: the months, the opening balances and the total. */
export function form106Cells({ months, openingBalances, totals }: ReturnType<typeof form106Figures>) {
  const cells = (month: string, figures: typeof totals) => [month, ...figureNames.map((name) => figures[name])]
  return [
    ...(openingBalances ? [cells('OPENING', openingBalances)] : []),
    ...months.map((row) => cells(row.month, row)),
    cells('TOTAL', totals),
  ]
}
