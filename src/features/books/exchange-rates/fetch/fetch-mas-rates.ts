import { job } from '../../../../core/define/job.ts'
import { Type } from '../../../../core/define/schema.ts'
import type { PublishedDay } from '../../../../core/outside/exchange-rates.ts'
import { addDays } from '../../../../core/values/day.ts'
import { storedDays } from '../store.ts'
import { lastPublication, storeDays, weekday } from './store-days.ts'

const mas = { source: 'MAS', base: 'SGD', name: 'The Monetary Authority of Singapore' } as const

const daysBack = 30 // each day is a request; older documents use the rates of the European Central Bank

/**
 * Fetches the rates that the Monetary Authority of Singapore has published for weekdays without stored rates, one request per
 * day, the oldest first. Runs every hour; a day that has no rates, such as a holiday, or preliminary ones is asked for again.
 */
export const fetchMasRates = job(
  'fetch-mas-rates',
  Type.Object({}, { additionalProperties: true }),
  async (context) => {
    const { masRates, tx, signal } = context
    if (!masRates) return
    const last = lastPublication(new Date(), publishedAt)
    const since = addDays(last, -daysBack)
    const stored = await tx(({ db }) => storedDays(db, { source: mas.source, since }))
    const published: PublishedDay[] = []
    try {
      for (const day of missingDays(stored, last)) {
        const found = await masRates.publishedOn(day, signal)
        if (found) published.push(found)
      }
    } finally {
      await storeDays(context, mas, published) // what was published before a failure is valid
    }
  },
)

/** The weekdays of the last thirty days without stored rates. */
export function missingDays(stored: readonly string[], last: string): string[] {
  const days = Array.from({ length: daysBack + 1 }, (_, at) => addDays(last, at - daysBack))
  return days.filter((day) => weekday(day) % 6 !== 0 && !stored.includes(day))
}

const publishedAt = 10 // quoted around midday in Singapore and published in the afternoon
