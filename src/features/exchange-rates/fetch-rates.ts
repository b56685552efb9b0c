import { conflict } from '../../core/define/failure.ts'
import { type JobContext, job } from '../../core/define/job.ts'
import { Type } from '../../core/define/schema.ts'
import type { PublishedDay, Span } from '../../core/outside/exchange-rates.ts'
import { addDays, daysBetween, today } from '../../core/values/day.ts'
import type { PublishedRate } from './exchange-rate.ts'
import { newestDay, storeRates } from './store.ts'

const daysPerTransaction = 150 // some five thousand rows
const yearsKept = 10 // the longest retention period for books in our countries

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
    const newest = await tx(({ db }) => newestDay(db, 'ECB'))
    const span = dueSpan(newest, now)
    if (!span) return
    // One day ahead is accepted: the time zone of the bank is one or two hours ahead of UTC.
    const published = await exchangeRates.published(span, addDays(today(now, 'UTC'), 1), signal)
    const since = `${Number(today(now, 'UTC').slice(0, 4)) - yearsKept}-01-01`
    const differing = await storeDays(
      context,
      published.filter(({ date }) => date >= since),
    )
    if (differing.length > 0) {
      throw conflict(
        `The European Central Bank now publishes other rates for ${differing.slice(0, 10).join(', ')}; those that were kept first stay.`,
      )
    }
  },
)

/** The file to fetch, or undefined if no new rates are due. */
export function dueSpan(newest: string | undefined, now: Date): Span | undefined {
  const expected = lastPublication(now)
  if (newest === undefined) return 'all'
  if (newest >= expected) return undefined
  const missed = daysBetween(newest, expected)
  // The daily file has one day, which also covers the gap from Friday to Monday. The other one has ninety days.
  const isNext = missed === 1 || (missed === 3 && weekday(expected) === 1)
  return isNext ? 'day' : missed <= 85 ? 'quarter' : 'all'
}

/** Rates are published on weekdays at about 16:00 in Frankfurt, which is 15:00 UTC at the latest. */
function lastPublication(now: Date): string {
  const day = today(new Date(now.getTime() - 15.25 * 3_600_000), 'UTC')
  return addDays(day, -({ 6: 1, 0: 2 }[weekday(day)] ?? 0))
}

/** Sunday is 0. */
const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

/** Stores whole days in short transactions, the oldest first, so that a failure leaves no gap before the newest stored day. */
async function storeDays({ tx }: Pick<JobContext, 'tx'>, days: PublishedDay[]): Promise<string[]> {
  const sorted = days.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const differing: string[] = []
  for (let at = 0; at < sorted.length; at += daysPerTransaction) {
    const rates = sorted.slice(at, at + daysPerTransaction).flatMap(toRates)
    differing.push(...(await tx(({ db }) => storeRates(db, rates))))
  }
  return differing
}

const toRates = ({ date, rates }: PublishedDay): PublishedRate[] =>
  [['EUR', '1'] as const, ...rates].map(([currency, rate]) => ({ source: 'ECB', base: 'EUR', date, currency, rate }))
