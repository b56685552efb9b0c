import type { Warning } from '../../../core/define/schema.ts'
import { rowOn } from '../../dated.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { Employment, Pay } from '../../payroll/payroll.ts'
import { states } from '../reporting.ts'
import { creditReductions, minimumWages, statesWithoutIncomeTax, withholdingTables } from './tables.ts'
import { dollars } from './wages.ts'

const warning = (code: string, path: string, message: string): Warning => ({ code, path, message })

/** Facts that are missing or contradict each other, and a wage below the federal minimum. */
export const factWarnings = (facts: PayFacts, employment: Employment, day: string): Warning[] => [
  ...formWarnings(facts),
  ...stateWarnings(facts),
  ...unemploymentWarnings(facts),
  ...minimumWageWarnings(facts, employment, day),
]

/** What the reader of a payslip has to know about how it was computed. */
export const payWarnings = (pay: Pay): Warning[] => [
  ...formWarnings(pay.facts),
  ...stateWarnings(pay.facts),
  ...tableWarnings(pay),
]

function formWarnings({ filingStatus, allowances, nonresidentAlien, taxExempt }: PayFacts): Warning[] {
  const found: Warning[] = []
  if (filingStatus === undefined) {
    found.push(warning('FILING_STATUS', 'filingStatus', 'The filing status of Form W-4 is missing; single is assumed.'))
  }
  if (filingStatus === 'HEAD_OF_HOUSEHOLD' && allowances !== undefined) {
    const message = 'A Form W-4 of 2019 or earlier knows no head of household; single is used.'
    found.push(warning('FILING_STATUS', 'filingStatus', message))
  }
  const isMarried = filingStatus === 'MARRIED_JOINTLY' || filingStatus === 'HEAD_OF_HOUSEHOLD'
  if (nonresidentAlien && isMarried) {
    const message = 'A nonresident alien files as single or married filing separately (Notice 1392).'
    found.push(warning('FILING_STATUS', 'filingStatus', message))
  }
  if (nonresidentAlien && taxExempt) {
    const message = 'A nonresident alien cannot claim to be exempt on Form W-4 (Notice 1392).'
    found.push(warning('TAX_EXEMPT', 'taxExempt', message))
  }
  return found
}

function stateWarnings({ state, stateRate, stateTaxMinor }: PayFacts): Warning[] {
  const hasTax = (stateRate ?? 0) !== 0 || (stateTaxMinor ?? 0n) !== 0n
  if (state === undefined) {
    const tax = hasTax ? '' : '; no state income tax is withheld'
    return [warning('STATE', 'state', `The state of work is missing${tax}.`)]
  }
  if (!states.has(state)) {
    return [warning('STATE', 'state', `${state} is not the two-letter code of a state, such as CA.`)]
  }
  if (statesWithoutIncomeTax.has(state)) {
    const message = `${state} has no income tax on wages, but state income tax is withheld.`
    return hasTax ? [warning('STATE_RATE', 'stateRate', message)] : []
  }
  const message = `No state income tax is withheld: neither a rate nor an amount for ${state} is known.`
  return stateRate === undefined && stateTaxMinor === undefined ? [warning('STATE_RATE', 'stateRate', message)] : []
}

function unemploymentWarnings({ unemploymentRate, unemploymentWageBaseMinor }: PayFacts): Warning[] {
  if (unemploymentRate === undefined) {
    const message = 'No state unemployment insurance is computed: the rate of the employer is missing.'
    return [warning('UNEMPLOYMENT_RATE', 'unemploymentRate', message)]
  }
  if (unemploymentRate === 0 || unemploymentWageBaseMinor !== undefined) return []
  const message = 'The wage base of state unemployment insurance is missing; the federal one, 7,000.00, is used.'
  return [warning('UNEMPLOYMENT_WAGE_BASE', 'unemploymentWageBase', message)]
}

/** The minimum for 40 hours a week, or the part of them that the position has. */
function minimumWageWarnings(
  { positionPercent = 100 }: PayFacts,
  { monthlyWageMinor }: Employment,
  day: string,
): Warning[] {
  const hour = rowOn(minimumWages, day)?.hourMinor
  if (hour === undefined || monthlyWageMinor === undefined) return []
  const leastMinor = Math.round((Number(hour) * 40 * 52 * positionPercent) / 1200)
  if (Number(monthlyWageMinor) >= leastMinor) return []
  const message = `The wage is below the federal minimum wage of ${dollars(hour)} an hour, ${dollars(BigInt(leastMinor))} a month for ${positionPercent} % of a full position; the state may have a higher one.`
  return [warning('MINIMUM_WAGE', 'monthlyWage', message)]
}

/** Tables of a year that is not known yet: those of the year before are used. */
function tableWarnings({ payDay, facts: { state } }: Pay): Warning[] {
  const year = Number(payDay.slice(0, 4))
  const latest = Math.max(...withholdingTables.map(({ since }) => Number(since.slice(0, 4))))
  const found: Warning[] = []
  if (year > latest) {
    const message = `The tables of ${year} are not known yet; those of ${latest} are used.`
    found.push(warning('TABLES', 'payDay', message))
  }
  const last = creditReductions[0]
  if (last && state !== undefined && state in last.percent && year > last.year && payDay >= `${year}-12-01`) {
    const message = `The FUTA credit reduction of ${state} for ${year} is not known yet: Form 940 may ask for more than the payslips have.`
    found.push(warning('FUTA_CREDIT', 'state', message))
  }
  return found
}
