import type { Database } from '../../../core/define/operation.ts'
import { bundledRates } from './bundled-rates.ts'
import type { PublishedRate } from './exchange-rate.ts'
import { newestDay, storeRates } from './store.ts'

/** Stores the bundled rates, so that an installation without a source can convert too. One query if they are stored already. */
export async function storeBundledRates(db: Database): Promise<void> {
  const rates = bundled()
  const newest = await newestDay(db, 'BUNDLED')
  if (newest !== undefined && newest >= (rates.at(-1)?.date ?? '')) return
  await storeRates(db, rates)
}

/** The bundled table as rates, the earliest day first. A dash marks a rate that the source did not have. */
export function bundled(): PublishedRate[] {
  const [head = [], ...days] = bundledRates
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const currencies = head.slice(1)
  return days.flatMap(([date = '', ...rates]) => [
    line(date, 'EUR', '1'),
    ...currencies.flatMap((currency, at) => {
      const rate = rates[at] ?? '-'
      return rate === '-' ? [] : [line(date, currency, rate)]
    }),
  ])
}

const line = (date: string, currency: string, rate: string): PublishedRate => ({
  source: 'BUNDLED',
  base: 'EUR',
  date,
  currency,
  rate,
})
