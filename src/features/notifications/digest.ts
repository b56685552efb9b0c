import { Temporal } from 'temporal-polyfill'

/** From this hour on, where the person is. */
const hour = 8

/** Which day's digests are due in a zone, and whether weekly ones are too: those come on Mondays. */
export function dueIn(zone: string, now: Date): { zone: string; day: string; weekly: boolean } | undefined {
  const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
  if (there.hour < hour) return undefined
  return { zone, day: there.toPlainDate().toString(), weekly: there.dayOfWeek === 1 }
}
