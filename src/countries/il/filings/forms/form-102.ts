import { Count, nullable, OneOf, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { addDays, addMonths } from '../../../../core/values/day.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import { toPayFacts } from '../../../../features/pay/payroll/stored-facts.ts'
import { EmployeeProblem } from '../../../../features/pay/payroll-forms/employee-problem.ts'
import type { ReportedPayslip } from '../../../../features/pay/payroll-forms/read-payslips.ts'
import { insuranceCategories } from '../../../payroll/facts.ts'
import { categoryOn } from '../../payroll/national-insurance.ts'
import { type FigureName, type FigureSums, shekels, sumsOf, wholeShekels } from './figures.ts'

const Row = Type.Object({
  section: OneOf('INCOME_TAX', 'NATIONAL_INSURANCE'),
  category: nullable({
    ...OneOf(...insuranceCategories),
    description: 'The category of the employees at National Insurance; null for the whole section.',
  }),
  code: Text,
  name: Text,
  nameHe: Text,
  count: nullable(Count),
  amount: nullable(Type.Number({ description: 'The sum of the payslips.' })),
  reported: nullable(Type.Number({ description: 'What the form shows: whole shekels, half up.' })),
})
type Row = Static<typeof Row>

export const Form102 = Type.Object({
  month: Text,
  currency: Text,
  payslips: Count,
  rows: Type.Array(Row),
  due: Type.Object(
    { nationalInsurance: Text, incomeTax: Text },
    { description: 'The last days to report and pay, without holidays.' },
  ),
  problems: Type.Array(EmployeeProblem),
  problemsIncomplete: Type.Boolean(),
})

export const form102Columns: ReportColumn[] = [
  { key: 'section', title: 'Section', titleHe: 'חלק', type: 'text' },
  { key: 'category', title: 'Category', titleHe: 'סוג מבוטח', type: 'text' },
  { key: 'code', title: 'Code', titleHe: 'קוד', type: 'text' },
  { key: 'name', title: 'Name', titleHe: 'שם באנגלית', type: 'text' },
  { key: 'nameHe', title: 'Name in Hebrew', titleHe: 'שם', type: 'text' },
  { key: 'count', title: 'Count', titleHe: 'מספר', type: 'number' },
  { key: 'amount', title: 'Sum of the payslips', titleHe: 'סכום התלושים', type: 'money' },
  { key: 'reported', title: 'Reported', titleHe: 'לדיווח', type: 'money' },
]

export const form102Cells = ({ section, category, code, name, nameHe, count, amount, reported }: Row) => [
  ...[section, category, code, name, nameHe, count, amount, reported],
]

/** The rows of form 102: the withheld income tax, and National Insurance by the category of the employees. */
export function form102Rows(payslips: readonly ReportedPayslip[]): Row[] {
  const groups = insuranceCategories
    .map((category) => ({ category, of: payslips.filter((each) => categoryOf(each) === category) }))
    .filter(({ of }) => of.length > 0)
  const insured = groups.flatMap(({ category, of }) => insuranceRows(category, of))
  return [...taxRows(payslips), ...insured, ...insuranceTotals(insured)]
}

const categoryOf = ({ facts, month }: ReportedPayslip) => categoryOn(toPayFacts(facts), `${month}-01`)

type Named = Pick<Row, 'code' | 'name' | 'nameHe'>
const called = (code: string, name: string, nameHe: string): Named => ({ code, name, nameHe })
const employees = called('EMPLOYEES', 'Employees', 'מספר עובדים')

function taxRows(payslips: readonly ReportedPayslip[]): Row[] {
  const sums = sumsOf(payslips)
  const section = { section: 'INCOME_TAX', category: null } as const
  const taxed = payslips.filter(({ amounts }) => (amounts.INCOME_TAX ?? 0) > 0)
  return [
    { ...section, ...employees, ...counted(payslips) },
    {
      ...section,
      ...called('TAXED_EMPLOYEES', 'Employees with tax withheld', 'עובדים שנוכה להם מס'),
      ...counted(taxed),
    },
    { ...section, ...called('TAXABLE', 'Taxable payments', 'תשלומים חייבים במס'), ...summed(sums.taxable) },
    { ...section, ...called('INCOME_TAX', 'Income tax withheld', 'מס הכנסה שנוכה'), ...summed(sums.incomeTax) },
  ]
}

const counted = (payslips: readonly ReportedPayslip[]) => ({ count: payslips.length, amount: null, reported: null })
const summed = (minor: bigint) => ({ count: null, amount: shekels(minor), reported: shekels(wholeShekels(minor)) })

/** The wages of a category before the ceiling, the parts that are insured at each rate, and what is due. */
const insuranceParts: readonly (Named & { figure: FigureName })[] = [
  { ...called('TAXABLE', 'Wages', 'שכר'), figure: 'taxable' },
  { ...called('INSURABLE_REDUCED', 'Insured at the reduced rate', 'שכר בשיעור מופחת'), figure: 'insurableReduced' },
  { ...called('INSURABLE_FULL', 'Insured at the full rate', 'שכר בשיעור מלא'), figure: 'insurableFull' },
  { ...called('NI_EE', 'National Insurance, employee', 'ביטוח לאומי – חלק העובד'), figure: 'nationalInsurance' },
  { ...called('HEALTH', 'Health insurance', 'ביטוח בריאות'), figure: 'health' },
  {
    ...called('NI_ER', 'National Insurance, employer', 'ביטוח לאומי – חלק המעסיק'),
    figure: 'nationalInsuranceEmployer',
  },
]
const dueCodes = ['NI_EE', 'HEALTH', 'NI_ER']

function insuranceRows(category: Row['category'], payslips: readonly ReportedPayslip[]): Row[] {
  const sums: FigureSums = sumsOf(payslips)
  const section = { section: 'NATIONAL_INSURANCE', category } as const
  const rows = insuranceParts.map(({ figure, ...named }) => ({ ...section, ...named, ...summed(sums[figure]) }))
  return [{ ...section, ...employees, ...counted(payslips) }, ...rows]
}

/** What the section comes to: the sums of its rows as they are reported, so that the form adds up. */
function insuranceTotals(rows: readonly Row[]): Row[] {
  const section = { section: 'NATIONAL_INSURANCE', category: null } as const
  const sum = (of: readonly Row[], field: 'amount' | 'reported') =>
    of.reduce((all, row) => all + BigInt(Math.round((row[field] ?? 0) * 100)), 0n)
  const totalOf = (of: readonly Row[]) => ({
    ...{ count: null, amount: shekels(sum(of, 'amount')), reported: shekels(sum(of, 'reported')) },
  })
  const parts = insuranceParts.map(({ figure: _, ...named }) => ({
    ...{ ...section, ...named },
    ...totalOf(rows.filter(({ code }) => code === named.code)),
  }))
  const count = rows.reduce((all, row) => all + (row.count ?? 0), 0)
  const due = rows.filter(({ code }) => dueCodes.includes(code))
  return [
    { ...section, ...employees, count, amount: null, reported: null },
    ...parts,
    { ...section, ...called('TOTAL', 'National Insurance and health due', 'סך הכול לתשלום'), ...totalOf(due) },
  ]
}

/** National Insurance by the 15th and income tax by the 16th of the next month; Friday to Sunday become the next Monday. */
export function form102Due(month: string) {
  const next = addMonths(`${month}-01`, 1).slice(0, 8)
  return { nationalInsurance: workingDay(`${next}15`), incomeTax: workingDay(`${next}16`) }
}

function workingDay(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  const later = { 5: 3, 6: 2, 0: 1 }[weekday]
  return later === undefined ? day : addDays(day, later)
}
