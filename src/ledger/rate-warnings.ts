import type { Warning } from '../core/define/schema.ts'
import { daysBetween } from '../core/values/day.ts'

const daysFresh = 7

/** Warnings about the rate of a currency that is older than a week, or newer than the day that it is used for. */
export function rateDayWarnings(currency: string, { date, day }: { date: string; day: string }): Warning[] {
  const age = daysBetween(date, day)
  if (age > daysFresh)
    return [rateDate('EXCHANGE_RATE_OLD', `The exchange rate of ${currency} is of ${date}, ${age} days before ${day}.`)]
  if (age < 0) return [rateDate('EXCHANGE_RATE_LATER', `The exchange rate of ${currency} is of ${date}, after ${day}.`)]
  return []
}

const rateDate = (code: string, message: string): Warning => ({ code, path: 'exchangeRateDate', message })
