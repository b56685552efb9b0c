import { Count, Id, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { compact } from '../../../../core/values/compact.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import { EmployeeProblem, rejected, toCheck } from '../../../../features/pay/payroll-forms/employee-problem.ts'
import { finalOnes, type ReportedEmployee } from '../../../../features/pay/payroll-forms/read-payslips.ts'
import { numberProblem } from '../../documents/numbers.ts'
import { addSums, Figures, figureColumns, figureNames, inShekels, sumsOf, toFigures } from './figures.ts'

/** The employee on a form of the year. */
export const Person = Type.Object({
  employeeId: Id,
  name: Text,
  idNumber: nullable(Text),
  employeeNumber: nullable(Text),
  startDate: Text,
  endDate: nullable(Text),
  months: Type.Integer({ minimum: 0, maximum: 12, description: 'Months with a payslip.' }),
})

const Line = Type.Object({ ...Person.properties, ...Figures.properties })
type Line = Static<typeof Line>

export const Form126 = Type.Object({
  year: Type.Integer(),
  through: Type.String({ description: 'The last month that is reported, such as 2026-12.' }),
  currency: Text,
  employees: Type.Array(Line, { description: 'By name; every figure is in whole shekels, half up.' }),
  totals: { ...Figures, description: 'The sums of the lines.' },
  payslipTotals: { ...Figures, description: 'The sums of the payslips and opening balances, before rounding.' },
  count: Count,
  problems: Type.Array(EmployeeProblem),
  problemsIncomplete: Type.Boolean(),
})

const personColumns: ReportColumn[] = [
  { key: 'idNumber', title: 'Identity number', titleHe: 'מספר זהות', type: 'text' },
  { key: 'name', title: 'Name', titleHe: 'שם', type: 'text' },
  { key: 'employeeNumber', title: 'Employee number', titleHe: 'מספר עובד', type: 'text' },
  { key: 'startDate', title: 'Employed since', titleHe: 'תחילת עבודה', type: 'date' },
  { key: 'endDate', title: 'Employed until', titleHe: 'סיום עבודה', type: 'date' },
  { key: 'months', title: 'Months', titleHe: 'חודשי עבודה', type: 'number' },
]
export const form126Columns: ReportColumn[] = [...personColumns, ...figureColumns]

export const form126Cells = (line: Line) => [
  ...[line.idNumber, line.name, line.employeeNumber, line.startDate, line.endDate, line.months],
  ...figureNames.map((name) => line[name]),
]

export const personOf = ({ payslips, opening: _, ...employee }: ReportedEmployee) => ({
  ...employee,
  months: finalOnes(payslips).length,
})

/** The lines of the form and their sums. Somebody without a final payslip and opening balances has none. */
export function form126Lines(all: readonly ReportedEmployee[]) {
  const reported = all.filter(({ payslips, opening }) => finalOnes(payslips).length > 0 || opening !== null)
  const exact = reported.map(({ payslips, opening }) => sumsOf(finalOnes(payslips), opening))
  const rounded = exact.map(inShekels)
  return {
    employees: reported.map((employee, at) => ({
      ...personOf(employee),
      ...toFigures(rounded[at] ?? inShekels(sumsOf([]))),
    })),
    totals: toFigures(addSums(rounded)),
    payslipTotals: toFigures(addSums(exact)),
    count: reported.length,
  }
}

/** What the authority would reject, and what is not in the form yet. */
export function formProblems(all: readonly ReportedEmployee[], { numbers }: { numbers: boolean }): EmployeeProblem[] {
  return all.flatMap((employee) => {
    const drafts = employee.payslips.filter(({ isDraft }) => isDraft).map(({ month }) => month)
    const message = `The payslip of ${drafts.join(', ')} is a draft and not in the form.`
    return [
      ...(numbers && drafts.length < employee.payslips.length ? identityProblems(employee) : []),
      ...(drafts.length > 0 ? [toCheck('month', 'DRAFT', message, employee)] : []),
    ]
  })
}

function identityProblems(employee: ReportedEmployee): EmployeeProblem[] {
  const number = compact(employee.idNumber ?? '')
  const problem = number === '' ? 'The identity number is missing.' : numberProblem(number)
  return problem === undefined ? [] : [rejected('idNumber', 'ID_NUMBER', problem, employee)]
}
