import type { Warning } from '../../../core/define/schema.ts'
import { toMajor } from '../../../core/values/money.ts'
import { rowOn } from '../../dated.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { Employment } from '../../payroll/payroll.ts'
import { ageOn } from './national-insurance.ts'
import { percent } from './steps.ts'
import { minimumWages, usualRates, youthWages } from './tables.ts'

export const factWarnings = (facts: PayFacts, employment: Employment, day: string): Warning[] => [
  ...minimumWageWarnings(facts, employment, day),
  ...categoryWarnings(facts, day),
  ...rateWarnings(facts),
]

function minimumWageWarnings(facts: PayFacts, { monthlyWageMinor }: Employment, day: string): Warning[] {
  const minimum = minimumWage(facts, day)
  if (minimum === undefined || monthlyWageMinor === undefined || monthlyWageMinor >= minimum) return []
  const position = facts.positionPercent ?? 100
  const message = `The monthly wage of ${shown(monthlyWageMinor)} is below the minimum wage of ${shown(minimum)} for ${position} % of a position on ${day}.`
  return [{ code: 'MINIMUM_WAGE', message, path: 'monthlyWage' }]
}

/** The minimum for the position on the day, less for young people; undefined before the first row of the table. */
function minimumWage({ birthDate, positionPercent = 100 }: PayFacts, day: string): bigint | undefined {
  const row = rowOn(minimumWages, day)
  if (!row) return undefined
  const age = ageOn(birthDate, day) ?? 18
  const youth = youthWages.find(({ below }) => age < below)?.percent ?? 100
  return percent(percent(row.monthlyMinor, youth), positionPercent)
}

function categoryWarnings({ insuranceCategory, birthDate }: PayFacts, day: string): Warning[] {
  const age = ageOn(birthDate, day)
  const warning = (message: string): Warning[] => [{ code: 'INSURANCE_CATEGORY', message, path: 'insuranceCategory' }]
  if (age === undefined)
    return insuranceCategory === undefined
      ? warning('Without a birth date the rates of National Insurance for ages 18 to retirement are used.')
      : []
  if (insuranceCategory === undefined && age >= 67 && age < 70)
    return warning('The employee is past retirement age: say whether an old-age pension is received.')
  if (insuranceCategory === 'UNDER_18' && age >= 18) return warning(`The employee is ${age} years old on ${day}.`)
  if (insuranceCategory === 'REGULAR' && (age < 18 || age >= 67))
    return warning(`The employee is ${age} years old on ${day}, to which other rates apply.`)
  return []
}

/** Rates of deposits below those that the extension order obliges employers to pay. */
function rateWarnings({ pensionRate, pensionEmployerRate, severanceRate }: PayFacts): Warning[] {
  const given = [
    { path: 'pensionRate', rate: pensionRate, least: usualRates.employee },
    { path: 'pensionEmployerRate', rate: pensionEmployerRate, least: usualRates.employer },
    { path: 'severanceRate', rate: severanceRate, least: usualRates.severance },
  ]
  return given.flatMap(({ path, rate, least }) =>
    rate !== undefined && rate > 0 && rate < least
      ? [{ code: 'PENSION_RATE', message: `The extension order on pensions requires at least ${least} %.`, path }]
      : [],
  )
}

const shown = (minor: bigint): string => `${toMajor(minor, 'ILS').toFixed(2)} ILS`
