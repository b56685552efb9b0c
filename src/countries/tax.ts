import type { Warning } from '../core/define/schema.ts'
import { add, convert, exact, percentOf } from '../core/values/money.ts'
import type { OwnCurrencyAmounts, SalesDocument, TaxedLine } from './country.ts'

/** The tax on lines: each rate on the sum of its lines, rounded once, half up. */
export function taxByRate(lines: readonly TaxedLine[]): bigint {
  const rates = new Set(lines.map(({ taxRate }) => taxRate ?? 0))
  return add([...rates].map((rate) => percentOf(add(amountsAt(lines, rate)), rate, 'half-up')))
}

const amountsAt = (lines: readonly TaxedLine[], rate: number) =>
  lines.filter(({ taxRate }) => (taxRate ?? 0) === rate).map(({ amountMinor }) => amountMinor)

/**
 * Warnings about rates that are neither zero nor the standard rate of the day. A credit memo uses the rate of the document
 * it credits, so it gets none.
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

/**
 * The amounts of a foreign-currency document in this currency, for print, e-invoices and requests to the authority. The subtotal
 * and the tax are converted once each, as the journal does (`home_minor`), so that the stated tax is the booked one; the total is
 * their sum.
 */
export function amountsIn(currency: string, document: SalesDocument): OwnCurrencyAmounts | undefined {
  const { exchangeRate } = document
  if (document.currency === currency || exchangeRate === null) return undefined
  const converted = (amount: bigint) => convert(amount, { from: document.currency, to: currency, rate: exchangeRate })
  const [subtotalMinor, taxMinor] = [converted(document.subtotalMinor), converted(document.taxMinor)]
  return { currency, exchangeRate, subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor }
}

/** An exchange rate in print, with all digits that it was used with, so that a reader can compute the amounts again. */
const shownRate = (rate: number): string => exact(rate).toFixed()

/** The printed exchange rate: `1 USD = 3.6512 ILS (2026-06-10)`. */
export function rateSentence(currency: string, { exchangeRate, exchangeRateDate, ...document }: SalesDocument): string {
  const day = exchangeRateDate === null ? '' : ` (${exchangeRateDate})`
  return `1 ${document.currency} = ${shownRate(exchangeRate ?? 0)} ${currency}${day}`
}
