import { add } from '../../../core/values/money.ts'
import type { Pay, Step } from '../../payroll/payroll.ts'

/** The wages of a payslip as each tax counts them. Reimbursements are in none of them. */
export type Wages = {
  /** Everything that was earned, before deductions. */
  total: bigint
  /** Benefits of section 125, which reduce every tax base. */
  benefits: bigint
  /** Deferrals of section 401(k), which reduce the base of income tax alone. */
  deferral: bigint
  /** Wages for Social Security, Medicare and unemployment tax. */
  social: bigint
  /** Wages for income tax: the regular ones of the period, and the supplemental ones. */
  regular: bigint
  supplemental: bigint
}

export function wagesOf({ wages, adjustments, additionalWageMinor, facts }: Pay): Wages {
  const earned = adjustments.filter(({ kind }) => kind !== 'REIMBURSEMENT')
  const ordinary = add([...wages, ...earned].map(({ amountMinor }) => amountMinor))
  const total = ordinary + additionalWageMinor
  // Nothing can be withheld from somebody who earned nothing.
  const benefits = total > 0n ? (facts.pretaxBenefitsMinor ?? 0n) : 0n
  const deferral = total > 0n ? (facts.retirementDeferralMinor ?? 0n) : 0n
  const taxable = atLeastZero(total - benefits - deferral)
  // Deductions and absences reduce the regular wages first; what is left of them reduces the supplemental wages.
  const regular = smaller(atLeastZero(ordinary - benefits - deferral), taxable)
  return { total, benefits, deferral, social: atLeastZero(total - benefits), regular, supplemental: taxable - regular }
}

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
export const atLeastZero = (amount: bigint): bigint => larger(amount, 0n)

/** `amount` ÷ `divisor`, half up. Both are positive. */
export const divided = (amount: bigint, divisor: bigint): bigint => (2n * amount + divisor) / (2n * divisor)

/** `19,900.00`, without Intl, because a payslip has many of them. */
export function dollars(minor: bigint): string {
  const digits = `${minor < 0n ? -minor : minor}`.padStart(3, '0')
  const grouped = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${minor < 0n ? '-' : ''}${grouped}.${digits.slice(-2)}`
}

/** A step that shows a figure and adds nothing to the amount of its line. */
export const shown = (description: string, baseMinor: bigint, rule: string, rate: string | null = null): Step => ({
  description,
  baseMinor,
  rate,
  amountMinor: 0n,
  rule,
})
