import { type Static, Text, Type } from '../../../../core/define/schema.ts'
import { add, percentOf } from '../../../../core/values/money.ts'
import {
  type FormProblem,
  formProblems,
  rejected,
  toCheck,
} from '../../../../features/pay/payroll-forms/form-problem.ts'
import { amountOf, baseOf, openingOf, type PaidEmployee } from '../../../../features/pay/payroll-forms/paid-payslips.ts'
import { creditReductions, type Tables } from '../../payroll/tables.ts'
import { dollars, type FormLine } from './employer.ts'
import { FormLineSchema } from './form-941.ts'

const Reduction = Type.Object({
  state: Text,
  wages: Type.Number({ description: 'FUTA wages of the year in the state, of people who left during the year too.' }),
  rate: Type.Number({ description: 'In percent.' }),
  amount: Type.Number(),
})

export const Form940 = Type.Object({
  year: Type.Integer(),
  currency: Text,
  lines: Type.Array(FormLineSchema),
  creditReductions: Type.Array(Reduction, { description: 'Schedule A.' }),
  liabilities: Type.Array(Type.Object({ quarter: Type.Integer(), amount: Type.Number() }), {
    description: 'Line 16. The last quarter has the credit reduction, and what rounding each payslip makes.',
  }),
  total: Type.Number({ description: 'Line 12: the tax of the year.' }),
  onPayslips: Type.Number({ description: 'The tax of the payslips of the year.' }),
  difference: Type.Number({
    description: 'What the form has more: credit reductions of people who left before December, and rounding.',
  }),
  ...formProblems,
})

/** FUTA wages of one employee by state; those that name no state belong to the state of the last payslip. */
function wagesByState(employee: PaidEmployee, wageBase: bigint): Map<string | null, bigint> {
  const { payslips, opening } = employee
  const bases = [...payslips.map((payslip) => payslip.bases), opening?.bases ?? {}]
  const byState = new Map<string | null, bigint>()
  const count = (state: string | null, minor: bigint) => byState.set(state, (byState.get(state) ?? 0n) + minor)
  for (const each of bases)
    for (const [name, minor] of Object.entries(each)) {
      const state = /^FUTA_WAGES_(.+)$/.exec(name)?.[1]
      if (state !== undefined) count(state, BigInt(minor))
    }
  const rest = futaWages(employee, wageBase) - add(byState.values())
  if (rest !== 0n) count(payslips.at(-1)?.facts.state ?? null, rest)
  return byState
}

/** Opening balances may have the wages for Medicare alone, which have no limit. */
function futaWages(employee: PaidEmployee, wageBase: bigint): bigint {
  const before = openingOf(employee, 'bases', 'FUTA_WAGES', 'MED_WAGES')
  return baseOf(employee.payslips, 'FUTA_WAGES') + (before < wageBase ? before : wageBase)
}

/** The figures of the form, in minor units. */
export function figuresOf940(employees: readonly PaidEmployee[], year: number, { unemployment }: Tables) {
  const { percent, wageBase } = unemployment
  const base = (name: string) =>
    add(employees.map((each) => baseOf(each.payslips, name) + openingOf(each, 'bases', name)))
  const payments = base('GROSS') - base('REIMBURSEMENTS')
  const exempt = base('BENEFITS')
  const taxable = add(employees.map((each) => futaWages(each, wageBase)))
  const byState = new Map<string | null, bigint>()
  for (const each of employees)
    for (const [state, minor] of wagesByState(each, wageBase)) byState.set(state, (byState.get(state) ?? 0n) + minor)
  const known = creditReductions.find((row) => row.year === year)
  const reductions = Object.entries(known?.percent ?? {}).flatMap(([state, rate]) => {
    const wages = byState.get(state) ?? 0n
    return wages === 0n ? [] : [{ state, wages, rate, minor: percentOf(wages, rate, 'half-up') }]
  })
  const tax = percentOf(taxable, percent, 'half-up')
  const reduction = add(reductions.map(({ minor }) => minor))
  return {
    ...{ payments, exempt, taxable, tax, reductions, reduction, byState, isKnown: known !== undefined },
    excess: payments - exempt - taxable,
    total: tax + reduction,
    ...liabilitiesOf940(employees, tax + reduction),
  }
}
export type Figures940 = ReturnType<typeof figuresOf940>

/** The tax of the payslips by quarter. The last one has the rest, which the law counts as incurred at the end of the year. */
function liabilitiesOf940(employees: readonly PaidEmployee[], total: bigint) {
  const payslips = employees.flatMap((employee) => employee.payslips)
  const opening = add(employees.map((each) => openingOf(each, 'amounts', 'FUTA')))
  const quarters = [1, 2, 3, 4].map((quarter) =>
    amountOf(
      payslips.filter(({ month }) => Math.ceil(Number(month.slice(5, 7)) / 3) === quarter),
      'CONTRIBUTION',
      'FUTA',
    ),
  )
  const onPayslips = add(quarters)
  const rest = total - onPayslips - opening
  const liabilities = quarters.map((minor, at) => minor + (at === 0 ? opening : 0n) + (at === 3 ? rest : 0n))
  return { onPayslips, opening, rest, liabilities }
}

export function linesOf940(figures: Figures940): FormLine[] {
  const { payments, exempt, excess, taxable, tax, reduction, total } = figures
  const line = (number: string, description: string, minor: bigint): FormLine => ({
    ...{ line: number, description, wages: null, amount: dollars(minor) },
  })
  return [
    line('3', 'Total payments to all employees', payments),
    line('4', 'Payments exempt from FUTA tax (fringe benefits)', exempt),
    line('5', 'Payments made to each employee in excess of $7,000', excess),
    line('6', 'Subtotal', exempt + excess),
    line('7', 'Total taxable FUTA wages', taxable),
    line('8', 'FUTA tax before adjustments', tax),
    line('11', 'Credit reduction (Schedule A)', reduction),
    line('12', 'Total FUTA tax after adjustments', total),
  ]
}

export const reductionsOf = ({ reductions }: Figures940): Static<typeof Form940>['creditReductions'] =>
  reductions.map(({ state, wages, rate, minor }) => ({
    ...{ state, wages: dollars(wages), rate: Number(rate), amount: dollars(minor) },
  }))

export function problemsOf940({ byState, isKnown, taxable, excess, opening }: Figures940, year: number): FormProblem[] {
  const withoutState = byState.get(null) ?? 0n
  return [
    ...(taxable < 0n || excess < 0n
      ? [rejected('NEGATIVE_WAGES', 'Corrections or opening balances make a line negative.')]
      : []),
    ...(isKnown
      ? []
      : [
          toCheck(
            'CREDIT_REDUCTION',
            `The credit reductions of ${year} are not known here: compare Schedule A with the list of the Department of Labor.`,
          ),
        ]),
    ...(withoutState === 0n
      ? []
      : [
          toCheck(
            'STATE_MISSING',
            `FUTA wages of ${dollars(withoutState)} belong to no state, so no credit reduction is computed on them.`,
          ),
        ]),
    ...(opening === 0n
      ? []
      : [toCheck('OPENING_BALANCES', 'Tax of opening balances is counted in the first quarter of line 16.')]),
  ]
}
