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

/** The rate of a payment, as it is stored; in the home currency it has none. */
type PaymentRate = {
  currency: string
  paidAt: string
  rateCurrency: string | null
  exchangeRate: string | null
  exchangeRateDate: string | null
}

/** Warnings about the rate that the journal books a payment with. */
export function paymentRateWarnings(payment: PaymentRate): Warning[] {
  const { currency, paidAt, rateCurrency, exchangeRate, exchangeRateDate } = payment
  if (rateCurrency === null) return []
  if (exchangeRate !== null)
    return exchangeRateDate === null ? [] : rateDayWarnings(currency, { date: exchangeRateDate, day: paidAt })
  const message = `No exchange rate of ${currency} is known for ${paidAt}, so the journal books the face value of the payment.`
  return [{ code: 'EXCHANGE_RATE_MISSING', path: 'currency', message }]
}

const rateDate = (code: string, message: string): Warning => ({ code, path: 'exchangeRateDate', message })
