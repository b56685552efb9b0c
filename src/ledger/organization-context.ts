import { invalid } from '../core/define/failure.ts'
import type { Database } from '../core/define/operation.ts'
import { toDay } from '../core/values/day.ts'

/** The currency and time zone of the organization, in which documents and payments are read, and the country whose rules apply. */
export type OrganizationContext = { currency: string; timezone: string; country: string }

export const organizationContext = (db: Database): Promise<OrganizationContext> =>
  db.selectFrom('organizations').select(['currency', 'timezone', 'country']).executeTakeFirstOrThrow()

/** The calendar day that a text names in the organization's time zone; null for an empty text. */
export function dayOf(field: string, text: string | null, { timezone }: OrganizationContext): string | null {
  if (text === null || text === '') return null
  const day = toDay(text, timezone)
  if (day === undefined) throw invalid(field, `${field} must be a day such as 2026-01-31.`)
  return day
}

/** The same for a field that must have a day. */
export function requiredDay(field: string, text: string, context: OrganizationContext): string {
  const day = dayOf(field, text, context)
  if (day === null) throw invalid(field, `${field} must be a day such as 2026-01-31.`)
  return day
}

/** The calendar day of a filter. A list may cover organizations in several time zones, so an instant means its day in UTC. */
export function filterDay(field: string, text: string): string {
  const day = toDay(text)
  if (day === undefined) throw invalid(field, `${field} must be a day such as 2026-01-31.`)
  return day
}
