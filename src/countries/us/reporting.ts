import type { SalesTaxRates } from '../country.ts'
import { rowOn } from '../dated.ts'
import { textIn } from './documents/order.ts'

/** Payments to a contractor in a calendar year, in cents, from which on form 1099-NEC is due. */
const contractorThresholds = [
  { since: '2026-01-01', minor: 200_000n }, // act of 4 July 2025, section 70433; indexed from 2027 on, which no row has yet
  { since: '1954-01-01', minor: 60_000n }, // Internal Revenue Code, section 6041, for payments up to 2025
] as const

/** From this year on the threshold follows inflation: a row is added when the IRS publishes it. */
export const contractorThresholdIndexedFrom = 2027

export const contractorThreshold = (year: number): bigint =>
  rowOn(contractorThresholds, `${year}-01-01`)?.minor ?? 60_000n

/** Sales into a state in a year, in cents, above which a seller elsewhere has to collect its tax. */
const nexusThresholds: Record<string, readonly { since: string; minor: bigint }[]> = {
  CA: [{ since: '2019-04-01', minor: 50_000_000n }], // generally known; states change theirs yearly
  NY: [{ since: '2018-06-21', minor: 50_000_000n }], // and more than 100 sales
  TX: [{ since: '2019-10-01', minor: 50_000_000n }], // Tax Foundation
}
// South Dakota v. Wayfair (2018); the usual threshold of the other states (Tax Foundation)
const usualNexus = [{ since: '2018-06-21', minor: 10_000_000n }] as const

/** States without a state sales tax (Tax Foundation). Cities in Alaska have one. */
const statesWithoutTax = new Set(['AK', 'DE', 'MT', 'NH', 'OR'])

export const nexusThreshold = (state: string, day: string): bigint | undefined =>
  statesWithoutTax.has(state) ? undefined : rowOn(nexusThresholds[state] ?? usualNexus, day)?.minor

/** The codes of the states, with the district and the territories (USPS). */
export const states: ReadonlySet<string> = new Set(
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI'.split(
    ' ',
  ),
)

/** The state in an address, which stands before the ZIP code; undefined if there is none. */
export function stateIn(address: string | null | undefined): string | undefined {
  const found = [...(address ?? '').matchAll(/\b([A-Z]{2})[\s,]+\d{5}(?:-\d{4})?\b/g)].at(-1)?.[1]
  return found !== undefined && states.has(found) ? found : undefined
}

type Place = { facts: Record<string, unknown> | null; address: string | null; country: string | null }

/**
 * The state of a sale: that of the place it is shipped to (`countrySpecificData.shipTo.state`, or its text), or else of the address of the
 * customer, where it stands before a ZIP code.
 */
export function stateOfSale({ facts, address, country }: Place): string | null {
  const named = textIn(facts?.shipTo, 'state')?.toUpperCase()
  if (named !== undefined && states.has(named)) return named
  const isAbroad = country !== null && country !== 'US'
  return stateIn(textIn(facts, 'shipTo')) ?? (isAbroad ? undefined : stateIn(address)) ?? null
}

export const salesTaxRateOn = (rates: SalesTaxRates, state: string, day: string): number | undefined =>
  rowOn(
    rates.filter((row) => row.state === state),
    day,
  )?.rate

/** A part of a sale with one rate and category. A rate of null is not known. */
export type RatedSale = {
  state: string
  day: string
  rate: number | null
  isTaxed: boolean
  category: string | null
  facts: Record<string, unknown> | null
}

/** How a sale differs from the rates that the organization collects; undefined if it does not, or if the organization has no table. */
export function rateDifference(
  { state, day, rate, isTaxed, category, facts }: RatedSale,
  rates: SalesTaxRates,
): { code: string; message: string } | undefined {
  if (rates.length === 0) return undefined
  const own = salesTaxRateOn(rates, state, day)
  if (own === undefined)
    return isTaxed
      ? {
          code: 'STATE_NOT_IN_TABLE',
          message: `Tax of ${state} is charged, and the table of rates has none of that day.`,
        }
      : undefined
  const isExempt = category !== null || textIn(facts?.exemption, 'reason') !== undefined
  if (!isTaxed)
    return own > 0 && !isExempt
      ? {
          code: 'TAX_NOT_CHARGED',
          message: `${state} has a rate of ${own} %, and no tax is charged on a sale that names no exemption.`,
        }
      : undefined
  return rate === null || rate === own
    ? undefined
    : {
        code: 'RATE_DIFFERS',
        message: `The rate of ${state} is ${own} % on ${day}, and the document charges ${rate} %.`,
      }
}
