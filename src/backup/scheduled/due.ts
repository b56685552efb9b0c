import { Temporal } from 'temporal-polyfill'

/** When backups are taken: a local time of the day as HH:MM, and the time zone. */
export type Schedule = { at: string; zone: string }

/**
 * Whether a backup is to be taken now: none was since the last time it should have been. So a machine that was off at that
 * time takes one when it is on again. `taken` are the times of the backups that are there. One of the future is of a clock that
 * was wrong and does not count: it must neither stop backups nor let one be taken every minute.
 */
export function isDue(now: Date, taken: readonly Date[], schedule: Schedule): boolean {
  const [from, to] = [lastTime(now, schedule).getTime(), now.getTime() + clockErrorMs]
  return !taken.some((at) => at.getTime() >= from && at.getTime() <= to)
}

const clockErrorMs = 60 * 60 * 1000

/** The last time, up to now, at which a backup should have been taken. */
function lastTime(now: Date, { at, zone }: Schedule): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
  const today = timeOn(here.toPlainDate(), { at, zone })
  return today <= now ? today : timeOn(here.toPlainDate().subtract({ days: 1 }), { at, zone })
}

/** A time that the clocks leave out in spring is an hour later on that day. */
const timeOn = (day: Temporal.PlainDate, { at, zone }: Schedule) =>
  new Date(day.toZonedDateTime({ timeZone: zone, plainTime: at }).epochMilliseconds)
