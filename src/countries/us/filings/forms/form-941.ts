import { Count, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { addMonths, monthOf } from '../../../../core/values/day.ts'
import { add, exact, percentOf } from '../../../../core/values/money.ts'
import {
  type FormProblem,
  formProblems,
  rejected,
  toCheck,
} from '../../../../features/pay/payroll-forms/form-problem.ts'
import {
  amountOf,
  baseOf,
  type PaidEmployee,
  type PaidPayslip,
} from '../../../../features/pay/payroll-forms/paid-payslips.ts'
import type { Tables } from '../../payroll/tables.ts'
import { dollars, type FormLine } from './employer.ts'

export const FormLineSchema = Type.Object({
  line: Text,
  description: Text,
  wages: nullable(Type.Number({ description: 'Column 1, of lines that have two columns.' })),
  amount: nullable(Type.Number()),
})

export const Form941 = Type.Object({
  year: Type.Integer(),
  quarter: Type.Integer(),
  from: Text,
  to: Text,
  currency: Text,
  employees: Count,
  lines: Type.Array(FormLineSchema),
  liabilities: Type.Array(Type.Object({ month: Text, amount: Type.Number() }), {
    description: 'Line 16: the tax of each month of the quarter. A wage is paid on the last day of its month.',
  }),
  total: Type.Number({ description: 'Line 12: the total tax of the quarter.' }),
  ...formProblems,
})

/** The tax of payslips as the payslips have it: withheld and paid by the employer. */
const liabilityOf = (payslips: readonly PaidPayslip[]): bigint =>
  amountOf(payslips, 'DEDUCTION', 'FIT', 'SS_EE', 'MED_EE', 'MED_ADDL') +
  amountOf(payslips, 'CONTRIBUTION', 'SS_ER', 'MED_ER')

/** The first days of the months of a quarter. */
export const monthsOfQuarter = (year: number, quarter: number): string[] => {
  const first = `${year}-${String(quarter * 3 - 2).padStart(2, '0')}-01`
  return [first, addMonths(first, 1), addMonths(first, 2)]
}

/** The figures of the form, in minor units. */
export function figuresOf(employees: readonly PaidEmployee[], months: readonly string[], { security, health }: Tables) {
  const payslips = employees.flatMap((employee) => employee.payslips)
  const both = (wages: bigint, percent: string) => percentOf(wages, exact(percent).times(2), 'half-up')
  const [secured, medical, additional] = [
    baseOf(payslips, 'SS_WAGES'),
    baseOf(payslips, 'MED_WAGES'),
    baseOf(payslips, 'MED_ADDL_WAGES'),
  ]
  const taxes = {
    secured: both(secured, security.percent),
    medical: both(medical, health.percent),
    additional: percentOf(additional, health.additionalPercent, 'half-up'),
  }
  const withheld = amountOf(payslips, 'DEDUCTION', 'FIT')
  const insurance = taxes.secured + taxes.medical + taxes.additional
  const liabilities = months.map((month) => ({
    month,
    minor: liabilityOf(payslips.filter((payslip) => payslip.month === month)),
  }))
  const total = add(liabilities.map(({ minor }) => minor))
  const beforeAdjustments = withheld + insurance
  return {
    payslips,
    employees: new Set(payslips.filter(({ month }) => month === months.at(-1)).map(({ employeeId }) => employeeId))
      .size,
    wages: baseOf(payslips, 'FIT_WAGES'),
    ...{ withheld, secured, medical, additional, taxes, insurance, beforeAdjustments, liabilities, total },
    /** What rounding each payslip makes, so that the form has what the payslips have. */
    fractions: total - beforeAdjustments,
  }
}
export type Figures = ReturnType<typeof figuresOf>

export function linesOf(figures: Figures): FormLine[] {
  const { wages, withheld, secured, medical, additional, taxes, insurance, beforeAdjustments, fractions, total } =
    figures
  const line = (number: string, description: string, minor: bigint, column1: bigint | null = null): FormLine => ({
    ...{ line: number, description, wages: column1 === null ? null : dollars(column1), amount: dollars(minor) },
  })
  return [
    { line: '1', description: 'Number of employees', wages: null, amount: figures.employees },
    line('2', 'Wages, tips, and other compensation', wages),
    line('3', 'Federal income tax withheld', withheld),
    line('5a', 'Taxable social security wages', taxes.secured, secured),
    line('5b', 'Taxable social security tips', 0n, 0n),
    line('5c', 'Taxable Medicare wages and tips', taxes.medical, medical),
    line('5d', 'Wages subject to Additional Medicare Tax withholding', taxes.additional, additional),
    line('5e', 'Total social security and Medicare taxes', insurance),
    line('6', 'Total taxes before adjustments', beforeAdjustments),
    line('7', "Current quarter's adjustment for fractions of cents", fractions),
    line('10', 'Total taxes after adjustments', total),
    line('12', 'Total taxes after adjustments and nonrefundable credits', total),
  ]
}

export const liabilitiesOf = ({ liabilities }: Figures): Static<typeof Form941>['liabilities'] =>
  liabilities.map(({ month, minor }) => ({ month: monthOf(month), amount: dollars(minor) }))

export function problemsOf941(figures: Figures): FormProblem[] {
  const { payslips, fractions, wages, secured, medical } = figures
  // Of a payslip the four taxes by percentage are rounded, each by half a cent at most; so are three lines of the form.
  const most = BigInt(2 * payslips.length + 2)
  const isLarge = fractions > most || -fractions > most
  return [
    ...(wages < 0n || secured < 0n || medical < 0n
      ? [
          rejected(
            'NEGATIVE_WAGES',
            'Corrections make wages of the quarter negative: file Form 941-X for the earlier quarter.',
          ),
        ]
      : []),
    ...(isLarge
      ? [
          toCheck(
            'FRACTIONS',
            `Line 7 is ${dollars(fractions)}, more than rounding makes: payslips have corrections that could not be taken in full, or taxes that were computed otherwise.`,
          ),
        ]
      : []),
    ...(payslips.some(({ hasCorrections }) => hasCorrections)
      ? [
          toCheck(
            'CORRECTIONS',
            'Payslips have differences of earlier months. They count on the day on which they were paid; an error of an earlier quarter may need Form 941-X.',
          ),
        ]
      : []),
  ]
}

export const openingNotCounted = toCheck(
  'OPENING_BALANCES',
  'Employees have opening balances of the year. They belong to no quarter, and are not in this form.',
)
