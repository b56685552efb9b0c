import { type Static, Type } from '../../../../core/define/schema.ts'
import { convertBy, toMajor } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import type { Opening } from '../../../../features/pay/payroll/employees/employee.ts'
import type { ReportedPayslip } from '../../../../features/pay/payroll-forms/read-payslips.ts'

/** Where a figure comes from: a base of the payslips, a line of them, or their net pay. */
type Source = { base: string } | { line: string } | { net: true }
type Figure = { title: string; titleHe: string; source: Source }

/** What forms 126 and 106 report of an employee. docs/payroll-israel.md explains the bases and lines. */
export const figures = {
  gross: { title: 'Gross pay', titleHe: 'שכר ברוטו', source: { base: 'GROSS' } },
  benefitsInKind: { title: 'Benefits in kind', titleHe: 'שווי הטבות', source: { base: 'BENEFITS_IN_KIND' } },
  taxedDeposits: { title: 'Taxed deposits', titleHe: 'הפקדות חייבות במס', source: { base: 'TAXED_DEPOSITS' } },
  taxable: { title: 'Taxable income', titleHe: 'הכנסה חייבת', source: { base: 'TAXABLE' } },
  incomeTax: { title: 'Income tax', titleHe: 'מס הכנסה', source: { line: 'INCOME_TAX' } },
  insurable: { title: 'Insurable income', titleHe: 'הכנסה חייבת בדמי ביטוח', source: { base: 'INSURABLE' } },
  insurableReduced: { title: 'At the reduced rate', titleHe: 'בשיעור מופחת', source: { base: 'INSURABLE_REDUCED' } },
  insurableFull: { title: 'At the full rate', titleHe: 'בשיעור מלא', source: { base: 'INSURABLE_FULL' } },
  nationalInsurance: { title: 'National Insurance, employee', titleHe: 'ביטוח לאומי – חלק העובד', source: { line: 'NI_EE' } },
  health: { title: 'Health insurance', titleHe: 'ביטוח בריאות', source: { line: 'HEALTH' } },
  nationalInsuranceEmployer: { title: 'National Insurance, employer', titleHe: 'ביטוח לאומי – חלק המעסיק', source: { line: 'NI_ER' } },
  pensionable: { title: 'Pensionable wage', titleHe: 'שכר מבוטח לפנסיה', source: { base: 'PENSIONABLE' } },
  pension: { title: 'Pension, employee', titleHe: 'פנסיה – חלק העובד', source: { line: 'PENSION_EE' } },
  pensionEmployer: { title: 'Pension, employer', titleHe: 'פנסיה – חלק המעסיק', source: { line: 'PENSION_ER' } },
  severance: { title: 'Severance', titleHe: 'פיצויים', source: { line: 'SEVERANCE' } },
  studyFundWage: { title: 'Wage for the study fund', titleHe: 'שכר לקרן השתלמות', source: { base: 'STUDY_FUND_WAGE' } },
  studyFund: { title: 'Study fund, employee', titleHe: 'קרן השתלמות – חלק העובד', source: { line: 'STUDY_EE' } },
  studyFundEmployer: { title: 'Study fund, employer', titleHe: 'קרן השתלמות – חלק המעסיק', source: { line: 'STUDY_ER' } },
  net: { title: 'Net pay', titleHe: 'שכר נטו', source: { net: true } },
} as const satisfies Record<string, Figure> // biome-ignore format: one figure a line

export type FigureName = keyof typeof figures
export const figureNames = Object.keys(figures) as FigureName[]

/** The figures of a row, in shekels. */
export const Figures = Type.Object(
  Object.fromEntries(figureNames.map((name) => [name, Type.Number({ description: figures[name].title })])) as Record<
    FigureName,
    ReturnType<typeof Type.Number>
  >,
)
export type Figures = Static<typeof Figures>
export type FigureSums = Record<FigureName, bigint>

export const figureColumns: ReportColumn[] = figureNames.map((name) => ({
  ...{ key: name, title: figures[name].title, titleHe: figures[name].titleHe, type: 'money' },
}))

/** The sums of payslips, and of what was paid before the first payslip here. */
export function sumsOf(payslips: readonly ReportedPayslip[], opening: Opening | null = null): FigureSums {
  const sumOf = (source: Source): bigint => {
    if ('net' in source) return total(payslips.map(({ netMinor }) => netMinor))
    if ('base' in source)
      return total([...payslips.map(({ bases }) => bases[source.base]), opening?.bases?.[source.base]])
    return total([...payslips.map(({ amounts }) => amounts[source.line]), opening?.amounts?.[source.line]])
  }
  return mapped((name) => sumOf(figures[name].source))
}

const total = (minors: readonly (number | undefined)[]): bigint =>
  minors.reduce((sum: bigint, minor) => sum + BigInt(minor ?? 0), 0n)

const mapped = <T>(of: (name: FigureName) => T) =>
  Object.fromEntries(figureNames.map((name) => [name, of(name)])) as Record<FigureName, T>

export const addSums = (all: readonly FigureSums[]): FigureSums =>
  mapped((name) => all.reduce((sum, each) => sum + each[name], 0n))

/** Each figure in whole shekels, half up. */
export const inShekels = (sums: FigureSums): FigureSums => mapped((name) => wholeShekels(sums[name]))

/** Agorot rounded to whole shekels, half up. */
export const wholeShekels = (minor: bigint): bigint => convertBy(minor, { rate: 1n, per: 100n }) * 100n

export const shekels = (minor: bigint): number => toMajor(minor, 'ILS')

export const toFigures = (sums: FigureSums): Figures => mapped((name) => shekels(sums[name]))
