import { invalid } from '../../../core/define/failure.ts'
import { Type } from '../../../core/define/schema.ts'
import { addDays, addMonths, firstDay, monthOf, today } from '../../../core/values/day.ts'

export const Month = Type.String({ maxLength: 40, description: 'A month, such as 2026-03.', examples: ['2026-03'] })

/** A month of payroll, with its first and last day. */
export type PayMonth = { month: string; from: string; to: string }

/** The months that reports can show. */
const [firstMonth, lastMonth] = ['1900-01', '2999-12']

/** The month that a text names, or the current one of the organization. */
export function payMonth(text: string | undefined, { now, timezone }: { now: Date; timezone: string }): PayMonth {
  const month = text ?? monthOf(today(now, timezone))
  if (!/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw invalid('month', 'month must be a month such as 2026-03.')
  if (month < firstMonth || month > lastMonth)
    throw invalid('month', `month must be between ${firstMonth} and ${lastMonth}.`)
  return monthOfDay(firstDay(month))
}

/** The month of a day. */
export function monthOfDay(day: string): PayMonth {
  const from = firstDay(monthOf(day))
  return { month: monthOf(day), from, to: addDays(addMonths(from, 1), -1) }
}
