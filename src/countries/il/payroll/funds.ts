import { daysBetween } from '../../../core/values/day.ts'
import { convertBy } from '../../../core/values/money.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { Pay, Step } from '../../payroll/payroll.ts'
import { atLeastZero, forPeriod, percent, share, smaller } from './steps.ts'
import { type DepositCeilings, taxFreePensionRate, taxFreeStudyRate, usualRates } from './tables.ts'

/** The deposits to the pension fund and the study fund, and what of the employer's deposits is income of the employee. */
export type Deposits = {
  pensionableMinor: bigint
  studyWageMinor: bigint
  pensionEmployee: Step
  pensionEmployer: Step
  severance: Step
  studyEmployee: Step
  studyEmployer: Step
  /** Deposits of the employer above the tax-free ceilings: taxed and insured, not paid. */
  taxedMinor: bigint
}

export const bases = { studyWage: 'STUDY_FUND_WAGE' } as const

export function depositsOf(pay: Pay, wagesMinor: bigint, ceilings: DepositCeilings): Deposits {
  const { facts, period } = pay
  const rates = ratesOf(facts)
  const wages = atLeastZero(wagesMinor)
  const pensionable = smaller(insuredWage(pay) ?? wages, wages)
  const studyWage = rates.studyEmployee > 0 || rates.studyEmployer > 0 ? wages : 0n
  const pensionEmployer = share('Pension, employer', pensionable, rates.employer, pensionOrder)
  const severance = share('Severance', pensionable, rates.severance, severanceRule)
  const studyEmployer = share('Study fund, employer', studyWage, rates.studyEmployer, studyRule)
  const taxed = [
    pensionEmployer.amountMinor -
      taxFreePension(pensionable, rates.employer, forPeriod(ceilings.pensionWageMinor, period)),
    severance.amountMinor - forPeriod(ceilings.severanceMinor, period),
    studyEmployer.amountMinor - taxFreeStudy(pay, studyWage, rates, ceilings),
  ]
  return {
    pensionableMinor: pensionable,
    studyWageMinor: studyWage,
    pensionEmployee: share('Pension, employee', pensionable, rates.employee, pensionOrder),
    pensionEmployer,
    severance,
    studyEmployee: share('Study fund, employee', studyWage, rates.studyEmployee, studyRule),
    studyEmployer,
    taxedMinor: taxed.map(atLeastZero).reduce((sum, amount) => sum + amount, 0n),
  }
}

/** The agreed insured wage for the days of employment in the period. */
function insuredWage({ facts, period, from, to, employment }: Pay): bigint | undefined {
  if (facts.insuredWageMinor === undefined) return undefined
  const first = employment.startDate > from ? employment.startDate : from
  const last = employment.endDate !== null && employment.endDate < to ? employment.endDate : to
  const days = BigInt(Math.max(daysBetween(first, last) + 1, 0))
  return convertBy(forPeriod(facts.insuredWageMinor, period), { rate: days, per: BigInt(daysBetween(from, to) + 1) })
}

const pensionOrder = 'Extension order on pensions in the economy, rates since January 2017, or the contract'
const severanceRule = 'Severance Pay Law, 1963, section 14, and the extension order on pensions'
const studyRule = 'Contract; tax by section 3(e) of the Income Tax Ordinance'

type Rates = ReturnType<typeof ratesOf>

/** An employee without a pension has no deposits of the employer either, unless their rates are given. */
function ratesOf(facts: PayFacts) {
  const usual = facts.pensionRate === 0 ? { employee: 0, employer: 0, severance: 0 } : usualRates
  return {
    employee: facts.pensionRate ?? usual.employee,
    employer: facts.pensionEmployerRate ?? usual.employer,
    severance: facts.severanceRate ?? usual.severance,
    studyEmployee: facts.studyFundRate ?? 0,
    studyEmployer: facts.studyFundEmployerRate ?? 0,
  }
}

const taxFreePension = (pensionable: bigint, rate: number, ceiling: bigint): bigint =>
  percent(smaller(pensionable, ceiling), Math.min(rate, taxFreePensionRate))

/**
 * The employer's deposit is free of tax on the wages of the year up to the ceiling, at up to 7.5 % and three times the
 * employee's rate. With a monthly ceiling, wages of every month count up to a twelfth of it.
 */
function taxFreeStudy(pay: Pay, studyWage: bigint, rates: Rates, ceilings: DepositCeilings): bigint {
  const { facts, period, earlier } = pay
  const left =
    facts.studyFundCeiling === 'MONTHLY'
      ? forPeriod(ceilings.studyWageYearMinor / 12n, period)
      : atLeastZero(ceilings.studyWageYearMinor - (earlier[bases.studyWage] ?? 0n))
  const rate = Math.min(rates.studyEmployer, taxFreeStudyRate, 3 * rates.studyEmployee)
  return percent(smaller(studyWage, left), rate)
}
