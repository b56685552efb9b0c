import { add } from '../../../core/values/money.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { PayPeriod, Step } from '../../payroll/payroll.ts'
import { between, forPeriod, percent, share, smaller } from './steps.ts'
import {
  type IncomeTaxTable,
  noFormRate,
  pensionCreditDepositRate,
  pensionCreditRate,
  usualCreditPoints,
} from './tables.ts'

export type Taxed = {
  period: PayPeriod
  facts: PayFacts
  table: IncomeTaxTable
  taxableMinor: bigint
  pensionableMinor: bigint
  /** The employee's own deposits to a pension fund. */
  pensionMinor: bigint
}

/** The steps of the income tax; they add up to the tax, which is never below zero. */
export function incomeTaxSteps(taxed: Taxed): Step[] {
  const { facts, taxableMinor } = taxed
  if (facts.fixedTaxRate !== undefined)
    return [share('Tax at the rate of the certificate', taxableMinor, facts.fixedTaxRate, certificateRule)]
  if (facts.hasTaxForm === false) return [share('Tax without form 101', taxableMinor, noFormRate, noFormRule)]
  const steps = [...bracketSteps(taxed), ...creditSteps(taxed)]
  const sum = add(steps.map(({ amountMinor }) => amountMinor))
  return sum >= 0n ? steps : [...steps, unusedCredit(-sum)]
}

const certificateRule = 'Certificate of tax coordination, Withholding from Wages Regulations, 1993'
const noFormRule = 'Withholding from Wages Regulations, 1993: the highest rate without form 101'

function bracketSteps({ period, table, taxableMinor }: Taxed): Step[] {
  const tops = table.brackets.map(({ upTo }) => (upTo === null ? null : forPeriod(upTo, period)))
  const rule = `Income Tax Ordinance, section 121, table of ${table.since} published ${table.published}`
  return table.brackets.flatMap(({ rate }, at) => {
    const part = between(taxableMinor, tops[at - 1] ?? 0n, tops[at] ?? null)
    return part > 0n ? [share('Income in the bracket', part, rate, rule)] : []
  })
}

function creditSteps(taxed: Taxed): Step[] {
  const { facts, period, table } = taxed
  const points = facts.creditPoints ?? usualCreditPoints
  const value = forPeriod(table.creditPointMinor, period)
  const eligible = eligibleDeposit(taxed)
  const pointsCredit: Step = {
    description: `${points} credit points`,
    baseMinor: value,
    rate: `${points}`,
    amountMinor: -percent(value * 100n, points),
    rule: `Income Tax Ordinance, sections 33A to 40, table of ${table.since}`,
  }
  const pensionCredit: Step = {
    description: 'Credit for pension deposits',
    baseMinor: eligible,
    rate: `${pensionCreditRate} %`,
    amountMinor: -percent(eligible, pensionCreditRate),
    rule: `Income Tax Ordinance, section 45A, table of ${table.since}`,
  }
  return [pointsCredit, pensionCredit].filter(({ amountMinor }) => amountMinor !== 0n)
}

/** Deposits count up to 7 % of the insured wage, and of that wage up to the ceiling of section 47. */
function eligibleDeposit({ period, table, pensionableMinor, pensionMinor }: Taxed): bigint {
  const wage = smaller(pensionableMinor, forPeriod(table.creditWageMinor, period))
  return smaller(pensionMinor, percent(wage, pensionCreditDepositRate))
}

const unusedCredit = (amountMinor: bigint): Step => ({
  description: 'Credit beyond the tax',
  baseMinor: null,
  rate: null,
  amountMinor,
  rule: 'Credits are deducted up to the tax',
})
