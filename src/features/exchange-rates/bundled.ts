import type { Database } from '../../core/define/operation.ts'
import { bundledRates } from './bundled-rates.ts'
import type { PublishedRate } from './exchange-rate.ts'
import { newestDay, storeRates } from './store.ts'

/** Keeps the rates that came along, so that an installation without a source converts too. Costs one look when it has. */
export async function storeBundledRates(db: Database): Promise<void> {
  const rates = bundled()
  const newest = await newestDay(db, 'BUNDLED')
  if (newest !== undefined && newest >= (rates.at(-1)?.date ?? '')) return
  await storeRates(db, rates)
}

/** The table as rates, the earliest day first. A dash is a rate that the source did not have. */
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
  source: 'BUNDLED', base: 'EUR', date, currency, rate,
}) // biome-ignore format: one line a row
