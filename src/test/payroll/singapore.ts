import type { PayFacts } from '../../countries/payroll/facts.ts'
import type { ComputedPay, Pay, PayLine } from '../../countries/payroll/payroll.ts'
import { payroll } from '../../countries/sg/payroll/payroll.ts'

/** Somebody of 30 in 2026. */
export const young: PayFacts = { birthDate: '1996-01-10' }

export type PayOfMonth = Partial<Pay> & { wage?: number; bonus?: number }

/** The pay of a month such as 2026-06, by default of a citizen of 30. Amounts are dollars. */
export function payOf(month: string, { wage = 0, bonus = 0, ...rest }: PayOfMonth): Pay {
  const to = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
  return {
    period: 'MONTHLY',
    from: `${month}-01`,
    to,
    payDay: to,
    wages: [{ description: 'Basic salary', amountMinor: cents(wage), steps: [] }],
    additionalWageMinor: cents(bonus),
    adjustments: [],
    facts: young,
    employment: { startDate: '2015-01-01', endDate: null },
    earlier: {},
    knownOn: to,
    ...rest,
  }
}

export function computed(pay: Pay): ComputedPay {
  const result = payroll.compute(pay)
  if ('problem' in result) throw new Error(result.problem)
  return result
}

/** The amounts of a payslip in dollars. */
export function figures({ lines }: ComputedPay) {
  const of = (code: string) => dollars(lines.filter((line) => line.code === code))
  const kind = (...kinds: PayLine['kind'][]) => dollars(lines.filter((line) => kinds.includes(line.kind)))
  return {
    employee: of('CPF_EE'),
    employer: of('CPF_ER'),
    funds: round(kind('DEDUCTION') - of('CPF_EE')),
    sdl: of('SDL'),
    levy: of('FWL'),
    net: round(kind('EARNING', 'REIMBURSEMENT') - kind('DEDUCTION')),
    statutory: kind('DEDUCTION', 'CONTRIBUTION'),
    cost: kind('EARNING', 'REIMBURSEMENT', 'CONTRIBUTION'),
  }
}

/** Employee and employer CPF of a month in dollars. */
export function cpf(month: string, pay: PayOfMonth): [employee: number, employer: number] {
  const { employee, employer } = figures(computed(payOf(month, pay)))
  return [employee, employer]
}

export const cents = (amount: number): bigint => BigInt(Math.round(amount * 100))
const dollars = (lines: readonly PayLine[]) => Number(lines.reduce((sum, line) => sum + line.amountMinor, 0n)) / 100
const round = (amount: number) => Math.round(amount * 100) / 100
