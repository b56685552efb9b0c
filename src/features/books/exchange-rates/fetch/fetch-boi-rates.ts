import { job } from '../../../../core/define/job.ts'
import { Type } from '../../../../core/define/schema.ts'
import { addDays, daysBetween, today } from '../../../../core/values/day.ts'
import { newestDay } from '../store.ts'
import { firstDayKept, lastPublication, storeDays, weekday } from './store-days.ts'

const boi = { source: 'BOI', base: 'ILS', name: 'The Bank of Israel' } as const

/**
 * Fetches the representative rates that the Bank of Israel has published since the newest stored day: the last publication,
 * and the history if more than that is missing. Runs every hour, and sends a request only if new rates are due.
 */
export const fetchBoiRates = job(
  'fetch-boi-rates',
  Type.Object({}, { additionalProperties: true }),
  async (context) => {
    const { boiRates, tx, signal } = context
    if (!boiRates) return
    const now = new Date()
    const due = dueBoiRates(await tx(({ db }) => newestDay(db, boi.source)), now)
    if (!due) return
    // One day ahead is accepted: the time zone of the bank is two or three hours ahead of UTC.
    const published = await boiRates.published(due.since, addDays(today(now, 'UTC'), 1), signal)
    await storeDays(context, boi, published)
  },
)

/** Undefined if no new rates are due. `since` is the first missing day, unless the last publication closes the gap. */
export function dueBoiRates(newest: string | undefined, now: Date): { since: string | undefined } | undefined {
  if (newest === undefined) return { since: firstDayKept(now) }
  const expected = lastPublication(now, publishedAt)
  if (newest >= expected) return undefined
  const missed = daysBetween(newest, expected)
  const isNext = missed === 1 || (missed === 3 && weekday(expected) === 1)
  return { since: isNext ? undefined : addDays(newest, 1) }
}

const publishedAt = 14 // about 15:30 in Jerusalem, earlier on Fridays, is 13:30 UTC at the latest
