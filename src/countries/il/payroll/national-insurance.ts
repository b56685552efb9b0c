import type { PayFacts } from '../../payroll/facts.ts'
import type { PayPeriod, Step } from '../../payroll/payroll.ts'
import { between, forPeriod, share } from './steps.ts'
import type { Banded, InsuranceTable } from './tables.ts'

export type Insurance = {
  category: Category
  /** The parts of the base in the reduced band and from there up to the ceiling. */
  reducedMinor: bigint
  fullMinor: bigint
  employee: Step[]
  health: Step[]
  employer: Step[]
  /** The tables at hand do not show all rates of the category. */
  unconfirmed: boolean
}
type Category = NonNullable<PayFacts['insuranceCategory']>

type Insurable = { period: PayPeriod; facts: PayFacts; from: string; table: InsuranceTable; baseMinor: bigint }

export function insuranceOf({ period, facts, from, table, baseMinor }: Insurable): Insurance {
  const category = categoryOn(facts, from)
  if (category === 'NOT_INSURED')
    return { category, reducedMinor: 0n, fullMinor: 0n, employee: [], health: [], employer: [], unconfirmed: false }
  const rates = table.rates[category]
  const band = forPeriod(table.bandMinor, period)
  const reducedMinor = between(baseMinor, 0n, band)
  const fullMinor = between(baseMinor, band, forPeriod(table.ceilingMinor, period))
  const steps = ({ reduced, full }: Banded, law: string): Step[] =>
    [
      share('Up to the end of the reduced band', reducedMinor, reduced, `${law}, reduced rate since ${table.since}`),
      share('From the reduced band to the ceiling', fullMinor, full, `${law}, full rate since ${table.since}`),
    ].filter(({ amountMinor }) => amountMinor > 0n)
  return {
    category,
    reducedMinor,
    fullMinor,
    employee: steps(rates.employee, insuranceLaw),
    health: steps(rates.health, 'National Health Insurance Law, 1994, section 14'),
    employer: steps(rates.employer, insuranceLaw),
    unconfirmed: rates.unconfirmed === true,
  }
}

const insuranceLaw = 'National Insurance Law, 1995, schedule 10'

/**
 * The category for a period that begins on the day: the given one, or by age. The rates of somebody who reaches an age apply
 * from the first month that begins at that age. Before 70 an old-age pension depends on the income, so it has to be given.
 */
export function categoryOn({ insuranceCategory, birthDate }: PayFacts, day: string): Category {
  if (insuranceCategory !== undefined) return insuranceCategory
  const age = ageOn(birthDate, day)
  if (age === undefined) return 'REGULAR'
  if (age < 18) return 'UNDER_18'
  if (age < 67) return 'REGULAR'
  return age < 70 ? 'AGE_67_TO_70' : 'OLD_AGE_PENSION'
}

/** Whole years, reached at the beginning of the birthday; undefined without a birth date. */
export function ageOn(birthDate: string | undefined, day: string): number | undefined {
  if (birthDate === undefined) return undefined
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}
