import { invalid } from '../../../../core/define/failure.ts'
import { Type } from '../../../../core/define/schema.ts'
import { addDays, addMonths, firstDay, monthOf, today } from '../../../../core/values/day.ts'
import { dayOf, type OrganizationContext } from '../../../../ledger/organization-context.ts'

const Day = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: ['2026-01-31'] }))

/** The fields `from` and `to` of a statement. */
export const periodFields = {
  from: Day('The first day; the first day of the year of `to` if not given.'),
  to: Day('The last day; today in the zone of the organization if not given.'),
}

type GivenDays = { from?: string | undefined; to?: string | undefined }

/** The days of a statement: the current year so far, if none are given. */
export function periodOf(given: GivenDays, organization: OrganizationContext, now: Date): { from: string; to: string } {
  const to = dayOf('to', given.to ?? null, organization) ?? today(now, organization.timezone)
  const from = dayOf('from', given.from ?? null, organization) ?? yearStart(to)
  if (to < from) throw invalid('to', 'to is before from.')
  requireUsual('from', from)
  requireUsual('to', to)
  return { from, to }
}

const [firstUsual, lastUsual] = ['1900-01-01', '2999-12-31']

/** Refuses days that have no day before or after them. */
export function requireUsual(field: string, day: string): void {
  if (day < firstUsual || day > lastUsual)
    throw invalid(field, `${field} must be between ${firstUsual} and ${lastUsual}.`)
}

export const yearStart = (day: string): string => `${day.slice(0, 4)}-01-01`

/** The same days a year before. The last day of a month stays the last day of it. */
export const yearBefore = (day: string): string => {
  const before = addMonths(day, -12)
  return isMonthEnd(day) ? addDays(firstDay(monthOf(addMonths(firstDay(monthOf(before)), 1))), -1) : before
}

const isMonthEnd = (day: string): boolean => monthOf(addDays(day, 1)) !== monthOf(day)

/** The months of a period, such as `2026-01`. */
export function monthsOf({ from, to }: { from: string; to: string }): string[] {
  const months: string[] = []
  for (let month = firstDay(monthOf(from)); month <= to; month = addMonths(month, 1)) months.push(monthOf(month))
  return months
}
