import { conflict } from '../../../../core/define/failure.ts'
import type { JobContext } from '../../../../core/define/job.ts'
import type { PublishedDay } from '../../../../core/outside/exchange-rates.ts'
import { addDays, today } from '../../../../core/values/day.ts'
import type { PublishedRate } from '../exchange-rate.ts'
import { storeRates } from '../store.ts'

const daysPerTransaction = 150 // some five thousand rows
const yearsKept = 10 // the longest retention period for books in our countries

type Publisher = { source: PublishedRate['source']; base: string; name: string }

/** The first day whose rates are stored. */
export const firstDayKept = (now: Date) => `${Number(today(now, 'UTC').slice(0, 4)) - yearsKept}-01-01`

/** The last weekday whose rates are out at a time. Rates are published on weekdays, at this hour of UTC at the latest. */
export function lastPublication(now: Date, hourUtc: number): string {
  const day = today(new Date(now.getTime() - hourUtc * 3_600_000), 'UTC')
  return addDays(day, -({ 6: 1, 0: 2 }[weekday(day)] ?? 0))
}

/** Sunday is 0. */
export const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

/**
 * Stores whole days in short transactions, the oldest first, so that a failure leaves no gap before the newest stored day.
 * Rates that differ from those that were stored earlier make the job fail, after everything else is stored.
 */
export async function storeDays({ tx }: Pick<JobContext, 'tx'>, publisher: Publisher, days: readonly PublishedDay[]) {
  const sorted = days.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  const differing: string[] = []
  for (let at = 0; at < sorted.length; at += daysPerTransaction) {
    const rates = sorted.slice(at, at + daysPerTransaction).flatMap((day) => toRates(publisher, day))
    differing.push(...(await tx(({ db }) => storeRates(db, rates))))
  }
  if (differing.length > 0)
    throw conflict(
      `${publisher.name} now publishes other rates for ${differing.slice(0, 10).join(', ')}; those that were kept first stay.`,
    )
}

/** The base is among its rates, so that every pair is a ratio of two rows. */
const toRates = ({ source, base }: Publisher, { date, rates }: PublishedDay): PublishedRate[] =>
  [[base, '1'] as const, ...rates].map(([currency, rate]) => ({ source, base, date, currency, rate }))
