import { Temporal } from 'temporal-polyfill'

// A day is text, `2026-01-31`, and a month is `2026-01`: they compare and sort as text and do not depend on a time zone.

// Every run of an automation asks for it, and Temporal takes 30 µs or more, so the last answer for a zone is kept. A day begins
// with a minute of UTC, because offsets have had no seconds since 1972.
export function today(now: Date, zone: string): string {
  const minute = Math.floor(now.getTime() / 60_000)
  const last = lastDays.get(zone)
  if (last?.minute === minute) return last.day
  const day = dayIn(Temporal.Instant.fromEpochMilliseconds(now.getTime()), zone)
  lastDays.set(zone, { minute, day })
  return day
}
const lastDays = new Map<string, { minute: number; day: string }>()

// The day, or the day of an instant in the zone; undefined for anything else, such as 30 February.
export function toDay(text: string, zone = 'UTC'): string | undefined {
  if (isDay(text)) return parsed(() => Temporal.PlainDate.from(text).toString())
  if (!instant.test(text)) return undefined
  const read = parsed(() => Temporal.Instant.from(text))
  const day = read && dayIn(read, zone)
  return day && isDay(day) ? day : undefined
}

export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

// One month after 31 January is the last day of February.
export const addMonths = (day: string, months: number): string =>
  Temporal.PlainDate.from(day).add({ months }).toString()

// Positive when `to` is later.
export const daysBetween = (from: string, to: string): number => Temporal.PlainDate.from(from).until(to).days

export const monthOf = (day: string): string => day.slice(0, 7)

export const firstDay = (month: string): string => `${month}-01`

// Names only, no offsets: PostgreSQL reads the sign of an offset the other way round.
export const isZone = (text: string): boolean =>
  /^[a-z]/i.test(text) && parsed(() => new Intl.DateTimeFormat('en', { timeZone: text })) !== undefined

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i

// PostgreSQL has no year zero.
const isDay = (text: string): boolean => /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)

const dayIn = (at: Temporal.Instant, zone: string): string => at.toZonedDateTimeISO(zone).toPlainDate().toString()

// Temporal throws a RangeError for text that it cannot parse.
function parsed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
