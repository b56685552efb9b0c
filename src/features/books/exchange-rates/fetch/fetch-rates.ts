import { job } from '../../../../core/define/job.ts'
import { Type } from '../../../../core/define/schema.ts'
import type { Span } from '../../../../core/outside/exchange-rates.ts'
import { addDays, daysBetween, today } from '../../../../core/values/day.ts'
import { newestDay } from '../store.ts'
import { firstDayKept, lastPublication, storeDays, weekday } from './store-days.ts'

const ecb = { source: 'ECB', base: 'EUR', name: 'The European Central Bank' } as const

/**
 * Fetches the rates that the European Central Bank has published since the newest stored day. Runs every hour, and sends a
 * request only if new rates are due, so the next run makes up for an outage.
 */
export const fetchRates = job(
  'fetch-exchange-rates',
  Type.Object({}, { additionalProperties: true }),
  async (context) => {
    const { exchangeRates, tx, signal } = context
    if (!exchangeRates) return
    const now = new Date()
    const newest = await tx(({ db }) => newestDay(db, ecb.source))
    const span = dueSpan(newest, now)
    if (!span) return
    // One day ahead is accepted: the time zone of the bank is one or two hours ahead of UTC.
    const published = await exchangeRates.published(span, addDays(today(now, 'UTC'), 1), signal)
    const since = firstDayKept(now)
    await storeDays(
      context,
      ecb,
      published.filter(({ date }) => date >= since),
    )
  },
)

/** The file to fetch, or undefined if no new rates are due. */
export function dueSpan(newest: string | undefined, now: Date): Span | undefined {
  const expected = lastPublication(now, publishedAt)
  if (newest === undefined) return 'all'
  if (newest >= expected) return undefined
  const missed = daysBetween(newest, expected)
  // The daily file has one day, which also covers the gap from Friday to Monday. The other one has ninety days.
  const isNext = missed === 1 || (missed === 3 && weekday(expected) === 1)
  return isNext ? 'day' : missed <= 85 ? 'quarter' : 'all'
}

const publishedAt = 15.25 // about 16:00 in Frankfurt is 15:00 UTC at the latest
