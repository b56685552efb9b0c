import { job } from '../../../core/define/job.ts'
import { Type } from '../../../core/define/schema.ts'
import type { PublishedDay } from '../../../core/outside/exchange-rates.ts'
import { addDays } from '../../../core/values/day.ts'
import { storedDays } from '../store.ts'
import { lastPublication, storeDays, weekday } from './store-days.ts'

const mas = { source: 'MAS', base: 'SGD', name: 'The Monetary Authority of Singapore' } as const

const daysBack = 30 // each day is a request; older documents use the rates of the European Central Bank
const requestsMax = 12 // per run

/**
 * Fetches the rates that the Monetary Authority of Singapore has published for weekdays without stored rates, one request per
 * day, the oldest first. Runs every hour; a day that has no rates or preliminary ones is asked for again.
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

/** The weekdays to ask for. Holidays have no rates, so a day is given up once rates of ten days later are known. */
export function missingDays(stored: readonly string[], last: string): string[] {
  const newest = stored.toSorted().at(-1)
  const first = addDays(newest ?? last, newest === undefined ? -daysBack : -10)
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1))
    if (weekday(day) % 6 !== 0 && !stored.includes(day)) days.push(day)
  return days.slice(0, requestsMax)
}

const publishedAt = 10 // quoted around midday in Singapore and published in the afternoon
