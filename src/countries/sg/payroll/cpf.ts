import { add } from '../../../core/values/money.ts'
import { rowOn } from '../../dated.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import type { PayLine, Step } from '../../payroll/payroll.ts'
import { ageLimits, fullRates, graduatedRates, type RatePair, wageBands } from './tables.ts'
import { monthNumber } from './working-days.ts'

/** The rates of an employee in a month, and the table that has them. */
export type CpfRates = { employer: number; employee: number; rule: string }

/** Wages of a month. `totalMinor` chooses the wage band; the others are what is subject to CPF, within the ceilings. */
export type CpfWages = {
  totalMinor: bigint
  ordinaryMinor: bigint
  additionalMinor: bigint
  /** Additional wages of earlier months that became subject after all, or negative if too much was subject. */
  correctionMinor: bigint
  /** What the wages are, for the steps. */
  ordinaryWords: string
  additionalWords: string
}

export type Contributions = { employerMinor: bigint; lines: PayLine[] }

/** Undefined for a month before the first table. Who has no birth date counts as 55 or younger. */
export function ratesIn(month: string, facts: PayFacts): CpfRates | undefined {
  const full = rowOn(fullRates, month)
  const graduated = rowOn(graduatedRates, month)
  if (!full || !graduated) return undefined
  const age = ageBand(month, facts.birthDate)
  const [employer, employee] = full.rates[age]
  const year = residencyYear(month, facts)
  if (year > 2 || facts.cpfRates === 'FULL') return { employer, employee, rule: `CPF Board, table 1 of ${full.since}` }
  const reduced: RatePair = (year === 1 ? graduated.first : graduated.second)[age]
  if (facts.cpfRates === 'FULL_EMPLOYER')
    return { employer, employee: reduced[1], rule: `CPF Board, table ${year + 3} of ${full.since}` }
  return { employer: reduced[0], employee: reduced[1], rule: `CPF Board, table ${year + 1} of ${graduated.since}` }
}

/** The band above an age begins in the month after the birthday. */
function ageBand(month: string, birthDate: string | undefined): 0 | 1 | 2 | 3 | 4 {
  if (!birthDate) return 0
  const months = monthNumber(month) - monthNumber(birthDate)
  return ageLimits.filter((age) => months > age * 12).length as 0 | 1 | 2 | 3 | 4
}

/** The first year of a permanent resident ends with the month of the first anniversary, and so on; 3 has full rates. */
function residencyYear(month: string, { residencyStatus, residencySince }: PayFacts): 1 | 2 | 3 {
  if (residencyStatus !== 'PERMANENT_RESIDENT' || !residencySince) return 3
  const months = monthNumber(month) - monthNumber(residencySince)
  return months <= 12 ? 1 : months <= 24 ? 2 : 3
}

/**
 * The total is rounded once, to the nearest dollar; the cents of the employee's share are dropped; the employer pays the
 * difference.
 */
export function contributionsOn(month: string, wages: CpfWages, rates: CpfRates): Contributions {
  const parts = partsOf(month, wages, rates)
  const employeeMinor = (add(parts.map(({ employee }) => employee)) / dollar) * 100n
  const totalMinor = ((add(parts.map(({ total }) => total)) + dollar / 2n) / dollar) * 100n
  const employerMinor = totalMinor - employeeMinor
  const ofEmployee = stepsOf(parts, 'employee', rates)
  const ofTotal = stepsOf(parts, 'total', rates)
  const dropped = balance('Cents are dropped', employeeMinor, ofEmployee)
  const rounded = balance('Total to the nearest dollar', totalMinor, ofTotal)
  const less = employeeMinor > 0n ? [roundingStep("Less the employee's share", -employeeMinor)] : []
  const lines: PayLine[] = [
    { kind: 'DEDUCTION', code: 'CPF_EE', description: 'CPF, employee', amountMinor: employeeMinor, steps: [...ofEmployee, ...dropped] },
    { kind: 'CONTRIBUTION', code: 'CPF_ER', description: 'CPF, employer', amountMinor: employerMinor, steps: [...ofTotal, ...rounded, ...less] },
  ] // biome-ignore format: one line for each
  return { employerMinor, lines: lines.filter(({ amountMinor }) => amountMinor > 0n) }
}

// Exact amounts are thousandths of a cent: every rate is a multiple of a tenth of a percent.
const cent = 1_000n
const dollar = 100n * cent
const tenthsOf = (percent: number) => BigInt(Math.round(percent * 10))

/** A part of the wages at a rate in percent: what both pay, and what the employee pays of it. */
type WagePart = { words: string; baseMinor: bigint; rates: Shares<number> } & Shares<bigint>
type Shares<T> = { total: T; employee: T }

function partsOf(month: string, wages: CpfWages, { employer, employee }: CpfRates): WagePart[] {
  const bands = rowOn(wageBands, month) ?? wageBands[0]
  const { totalMinor, ordinaryMinor, additionalMinor, correctionMinor } = wages
  const full = (words: string, base: bigint) => wagePart(words, base, { total: employer + employee, employee })
  const correction = correctionMinor === 0n ? [] : [full(correctionWords(correctionMinor), correctionMinor)]
  if (totalMinor <= bands.noneMinor) return correction
  if (totalMinor > bands.reducedMinor)
    return [
      full(wages.ordinaryWords, ordinaryMinor),
      ...(additionalMinor > 0n ? [full(wages.additionalWords, additionalMinor)] : []),
      ...correction,
    ]
  const subject = ordinaryMinor + additionalMinor
  const ofEmployer = wagePart('Total wages', subject, { total: employer, employee: 0 })
  if (subject <= bands.employerMinor) return [ofEmployer, ...correction]
  const phased = { total: 3 * employee, employee: 3 * employee }
  return [ofEmployer, wagePart('Total wages above 500', subject - bands.employerMinor, phased), ...correction]
}

const correctionWords = (minor: bigint) =>
  `Additional wages of earlier months, ${minor > 0n ? 'subject' : 'not subject'} after the year was added up`

const wagePart = (words: string, baseMinor: bigint, rates: Shares<number>): WagePart => ({
  words,
  baseMinor,
  rates,
  total: baseMinor * tenthsOf(rates.total),
  employee: baseMinor * tenthsOf(rates.employee),
})

/** Sums are cut to cents, not each step, so that the steps add up to what is then rounded. */
function stepsOf(parts: readonly WagePart[], share: keyof Shares<bigint>, { rule }: CpfRates): Step[] {
  let before = 0n
  const steps = parts.map(({ words, baseMinor, rates, [share]: exact }) => {
    const after = before + exact
    const amountMinor = after / cent - before / cent
    before = after
    return { description: words, baseMinor, rate: `${rates[share]} %`, amountMinor, rule }
  })
  return steps.filter(({ amountMinor }) => amountMinor !== 0n)
}

const rounding = 'CPF Board: rounding of contributions'
const roundingStep = (description: string, amountMinor: bigint): Step => ({
  description,
  baseMinor: null,
  rate: null,
  amountMinor,
  rule: rounding,
})

function balance(description: string, amountMinor: bigint, steps: readonly Step[]): Step[] {
  const rest = amountMinor - add(steps.map((step) => step.amountMinor))
  return rest === 0n ? [] : [roundingStep(description, rest)]
}
