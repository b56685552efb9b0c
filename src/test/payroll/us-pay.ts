import type { PayFacts } from '../../countries/payroll/facts.ts'
import type { ComputedPay, Pay } from '../../countries/payroll/payroll.ts'
import { payroll } from '../../countries/us/payroll/payroll.ts'

/** `5000.25` as cents. Amounts in tests are dollars, as in the publications. */
export const cents = (dollars: number): bigint => BigInt(Math.round(dollars * 100))

type Given = Partial<Omit<Pay, 'wages' | 'facts' | 'earlier'>> & {
  wage?: bigint
  facts?: PayFacts
  earlier?: Record<string, number>
}

/** A pay of 2026 in Texas, which has no state income tax, of somebody who is single. */
export const usPay = ({ wage = cents(5000), facts = {}, earlier = {}, ...pay }: Given = {}): Pay => ({
  period: 'MONTHLY',
  from: '2026-01-01',
  to: '2026-01-31',
  payDay: '2026-01-31',
  wages: [{ description: 'Salary', amountMinor: wage, steps: [] }],
  additionalWageMinor: 0n,
  adjustments: [],
  facts: { filingStatus: 'SINGLE', state: 'TX', ...facts },
  employment: { startDate: '2020-01-01', endDate: null },
  earlier: Object.fromEntries(Object.entries(earlier).map(([name, amount]) => [name, cents(amount)])),
  knownOn: pay.payDay ?? '2026-01-31',
  ...pay,
})

export function computed(given?: Given): ComputedPay {
  const result = payroll.compute(usPay(given))
  if ('problem' in result) throw new Error(result.problem)
  return result
}

const amounts = (pay: ComputedPay, kinds: readonly string[]) =>
  pay.lines.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
export const grossOf = (pay: ComputedPay): bigint => amounts(pay, ['EARNING', 'REIMBURSEMENT'])
export const netOf = (pay: ComputedPay): bigint => grossOf(pay) - amounts(pay, ['DEDUCTION'])
export const costOf = (pay: ComputedPay): bigint => grossOf(pay) + amounts(pay, ['CONTRIBUTION'])
export const lineOf = (pay: ComputedPay, code: string): bigint =>
  pay.lines.filter((line) => line.code === code).reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
