import { invalid } from '../../core/define/failure.ts'
import { toDay } from '../../core/values/day.ts'

/** The response of a source is not what it publishes. */
export const unreadable = (reason: string) =>
  invalid('', `The exchange rates cannot be read: ${reason}.`, 'EXCHANGE_RATES_UNREADABLE')

/** The day that a text or an instant names, if it exists and is not in the future. */
export function checkedDay(text: string, { until, zone = 'UTC' }: { until: string; zone?: string }): string {
  const day = toDay(text, zone)
  if (!day) throw unreadable(`${text.slice(0, 40)} is not a date`)
  if (day > until) throw unreadable(`${day} is in the future`)
  return day
}
