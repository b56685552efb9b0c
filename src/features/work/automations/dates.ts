import { toDay } from '../../../core/values/day.ts'

/** A day, or an instant with the day on which it is in the organization's time zone. */
export type DayOrInstant = { day: string; epochMs?: number }

const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/i

/** Temporal reads the second 60 as 59, and PostgreSQL as the next minute. */
const leapSecond = /:60[.Z+-]/i

/** Whether a text has the form of a day or an instant. It may be an impossible one, such as 30 February or 25:00. */
export const looksLikeDate = (text: string): boolean => form.test(text)

/**
 * Reads a day or an instant, for conditions and filters alike. Undefined for an impossible one, which is plain text. The day
 * of an instant has to have four digits in UTC and in the zone, because PostgreSQL has no year zero.
 */
export function readDate(text: string, zone: string): DayOrInstant | undefined {
  if (!form.test(text) || leapSecond.test(text)) return undefined
  const day = toDay(text, zone)
  if (day === undefined || text.length === 10) return day === undefined ? undefined : { day }
  return toDay(text) === undefined ? undefined : { day, epochMs: epochMsOf(text) }
}

/** Digits below the millisecond are cut off, as everywhere in the API. */
function epochMsOf(text: string): number {
  const [, before = '', fraction = '', offset = ''] = /^(.{10}T\d{2}:\d{2}(?::\d{2})?)(\.\d+)?(.+)$/i.exec(text) ?? []
  return Date.parse(`${before.toUpperCase()}${fraction.slice(0, 4)}${offset.toUpperCase()}`)
}

/** Negative if `left` is earlier. Two instants compare as points in time. If either side is a day, days are compared. */
export function compareDates(left: DayOrInstant, right: DayOrInstant): number {
  if (left.epochMs !== undefined && right.epochMs !== undefined) return left.epochMs - right.epochMs
  return left.day === right.day ? 0 : left.day < right.day ? -1 : 1
}
