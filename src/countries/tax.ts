import type { Warning } from '../core/define/schema.ts'
import { add, convert, percentOf } from '../core/values/money.ts'
import type { OwnCurrencyAmounts, SalesDocument, TaxedLine } from './country.ts'

/** The tax on lines: each rate on the sum of its lines, rounded once, half up. */
export function taxByRate(lines: readonly TaxedLine[]): bigint {
  const rates = new Set(lines.map(({ taxRate }) => taxRate ?? 0))
  return add([...rates].map((rate) => percentOf(add(amountsAt(lines, rate)), rate, 'half-up')))
}

const amountsAt = (lines: readonly TaxedLine[], rate: number) =>
  lines.filter(({ taxRate }) => (taxRate ?? 0) === rate).map(({ amountMinor }) => amountMinor)

/**
 * Doubts about rates that are neither zero nor the standard one of the day. A credit goes by the rate of what it credits.
 */
export function unusualRates(
  document: SalesDocument,
  { name, standard }: { name: string; standard: number | undefined },
): Warning[] {
  if (standard === undefined || document.documentType === 'CREDIT_MEMO') return []
  const message = (rate: number) => `${name} is ${standard} % or zero on ${document.issueDate}, not ${rate} %.`
  const isOdd = (rate: number | null): rate is number => rate !== null && rate !== 0 && rate !== standard
  const rates = [
    { path: 'taxRate', rate: document.taxRate },
    ...document.lines.map(({ taxRate }, at) => ({ path: `items.${at}.taxRate`, rate: taxRate })),
  ]
  return rates.flatMap(({ path, rate }) => (isOdd(rate) ? [{ code: 'TAX_RATE', path, message: message(rate) }] : []))
}

/** The rates that lines are taxed with: their own, or the document's. */
const ratesOf = ({ lines, taxRate }: SalesDocument): (number | null)[] =>
  lines.length === 0 ? [taxRate] : [...new Set(lines.map((line) => line.taxRate ?? taxRate))]

/**
 * A document in a foreign currency in this one. The amount before tax is converted and, where one rate holds for all of it,
 * taxed anew, so that the tax is the rate of what stands beside it; otherwise the tax is converted too.
 */
export function amountsIn(currency: string, document: SalesDocument): OwnCurrencyAmounts | undefined {
  const { exchangeRate } = document
  if (document.currency === currency || exchangeRate === null) return undefined
  const home = (amount: bigint) => convert(amount, { from: document.currency, to: currency, rate: exchangeRate })
  const subtotalMinor = home(document.subtotalMinor)
  const [rate, ...others] = ratesOf(document)
  const taxMinor =
    others.length === 0 && document.taxMinor > 0n
      ? percentOf(subtotalMinor, rate ?? 0, 'half-up')
      : home(document.taxMinor)
  return { currency, exchangeRate, subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor }
}

/** A rate as it is printed: to six decimals, which is more than any bank publishes. One made from two others has no end. */
export const shownRate = (rate: number): string => String(Number(rate.toFixed(6)))
