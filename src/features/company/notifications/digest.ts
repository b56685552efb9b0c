import { Temporal } from 'temporal-polyfill'

/** The hour in the person's time zone from which digests are sent. */
const hour = 8

/** The day whose digests are due in a time zone, and whether weekly ones are due too (on Mondays). */
export function dueIn(zone: string, now: Date): { zone: string; day: string; weekly: boolean } | undefined {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
  if (local.hour < hour) return undefined
  return { zone, day: local.toPlainDate().toString(), weekly: local.dayOfWeek === 1 }
}
