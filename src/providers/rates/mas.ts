import type { PublishedDay } from '../../core/outside/exchange-rates.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { exact } from '../../core/values/money.ts'
import { objectIn } from './boi.ts'
import { checkedDay, unreadable } from './unreadable.ts'

/**
 * Parses the rates that the Monetary Authority of Singapore publishes for the end of a day. `usd_sgd` is the price of one unit
 * in Singapore dollars, `jpy_sgd_100` that of a hundred. Values are text; an empty one or a dash means that there is none.
 * Undefined if the day has no rates yet, or preliminary ones, which may change and so are not stored.
 */
export function readMasRates(text: string, day: string): PublishedDay | undefined {
  const { elements } = objectIn(text)
  if (!Array.isArray(elements)) throw unreadable('they contain no list of days')
  const days = elements.map((each: unknown) => {
    const fields = (each ?? {}) as Record<string, unknown>
    return { date: checkedDay(String(fields.end_of_day), { until: day }), fields }
  })
  const found = days.filter(({ date }) => date === day)
  if (found.length > 1) throw unreadable('they contain a day twice')
  const [published] = found
  if (!published || isPreliminary(published.fields)) return undefined
  const rates = new Map(Object.entries(published.fields).flatMap(([name, value]) => rateOf(name, value)))
  if (rates.size === 0) return undefined
  return { date: day, rates }
}

function isPreliminary({ preliminary }: Record<string, unknown>): boolean {
  const flag = String(preliminary ?? '0')
  if (flag !== '0' && flag !== '1') throw unreadable('whether they are preliminary is not known')
  return flag === '1'
}

/** The currency and price of a field; nothing for other fields and missing values. */
function rateOf(name: string, value: unknown): [string, string][] {
  const [, code = '', hundred] = /^([a-z]{3})_sgd(_100)?$/.exec(name) ?? []
  const currency = code.toUpperCase()
  if (!isCurrency(currency)) return []
  const text = String(value ?? '').trim()
  if (text === '' || text === '-') return []
  if (!/^\d{1,9}(\.\d{1,12})?$/.test(text)) throw unreadable(`the rate of ${currency} is not a number`)
  const price = exact(text)
    .div(hundred ? 100 : 1)
    .toDecimalPlaces(12)
  if (price.isZero()) throw unreadable(`the rate of ${currency} is zero`)
  return [[currency, price.toFixed()]]
}
