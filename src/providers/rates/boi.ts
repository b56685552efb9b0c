import type { PublishedDay } from '../../core/outside/exchange-rates.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { exact } from '../../core/values/money.ts'
import { checkedDay, unreadable } from './unreadable.ts'

const zone = 'Asia/Jerusalem'

/**
 * Parses the current representative rates of the Bank of Israel: JSON with `key`, `currentExchangeRate`, `unit` and
 * `lastUpdate` for each currency. A rate is the price of `unit` units in shekels, such as 100 yen. Anything unexpected makes
 * the whole response invalid.
 */
export function readBoiRates(text: string, { until }: { until: string }): PublishedDay[] {
  const { exchangeRates } = objectIn(text)
  if (!Array.isArray(exchangeRates) || exchangeRates.length === 0) throw unreadable('they contain no list of rates')
  const lines = exchangeRates.map((each: unknown) => {
    const { key, currentExchangeRate, unit, lastUpdate } = (each ?? {}) as Record<string, unknown>
    if (typeof key !== 'string' || !/^[A-Z]{3}$/.test(key)) throw unreadable('a rate has no currency')
    if (typeof unit !== 'number' || !Number.isInteger(unit) || unit < 1)
      throw unreadable(`the unit of ${key} is not a number`)
    const date = checkedDay(String(lastUpdate), { until, zone })
    return { date, currency: key, rate: priceOf(key, String(currentExchangeRate), unit) }
  })
  return byDay(lines)
}

const columns = ['SERIES_CODE', 'FREQ', 'BASE_CURRENCY', 'COUNTER_CURRENCY', 'UNIT_MULT', 'TIME_PERIOD', 'OBS_VALUE']

/**
 * Parses the history that the bank publishes as SDMX in CSV: a row for each currency and day, with the columns by name. The
 * value is the price of 10 to the power of UNIT_MULT units. Rows without a value are days without a publication.
 */
export function readBoiHistory(text: string, { until }: { until: string }): PublishedDay[] {
  const [head = '', ...rows] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const names = head.split(',')
  const places = columns.map((name) => names.indexOf(name))
  if (places.includes(-1)) throw unreadable('they do not have the columns of the Bank of Israel')
  if (rows.at(-1) === '') rows.pop()
  const lines = rows.flatMap((row) => {
    const fields = row.split(',')
    if (fields.length !== names.length) throw unreadable('a row has other columns than the first one')
    const [series = '', frequency, currency = '', counter, power = '', day = '', value = ''] = places.map(
      (place) => fields[place],
    )
    if (series !== `RER_${currency}_ILS` || counter !== 'ILS') throw unreadable(`${series.slice(0, 40)} is not a rate`)
    if (frequency !== 'D' || !/^[0-6]$/.test(power)) throw unreadable(`the unit of ${currency} is not known`)
    const date = checkedDay(day, { until })
    return value === '' ? [] : [{ date, currency, rate: priceOf(currency, value, 10 ** Number(power)) }]
  })
  return byDay(lines)
}

/** The price of one unit as decimal text. */
function priceOf(currency: string, value: string, unit: number): string {
  if (!/^\d{1,9}(\.\d{1,12})?$/.test(value)) throw unreadable(`the rate of ${currency} is not a number`)
  const price = exact(value).div(unit).toDecimalPlaces(12)
  if (price.isZero()) throw unreadable(`the rate of ${currency} is zero`)
  return price.toFixed()
}

/** Former currencies are left out. */
function byDay(lines: { date: string; currency: string; rate: string }[]): PublishedDay[] {
  const days = new Map<string, Map<string, string>>()
  for (const { date, currency, rate } of lines) {
    const rates = days.get(date) ?? new Map<string, string>()
    if (currency === 'ILS' || rates.has(currency)) throw unreadable(`they contain ${currency} twice for one day`)
    if (isCurrency(currency)) rates.set(currency, rate)
    days.set(date, rates)
  }
  return [...days].filter(([, rates]) => rates.size > 0).map(([date, rates]) => ({ date, rates }))
}

/** The object in a JSON text. */
export function objectIn(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw unreadable('they are not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null) throw unreadable('they are not an object')
  return parsed as Record<string, unknown>
}
