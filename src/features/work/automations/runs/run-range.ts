import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../../../../core/define/failure.ts'
import { OneOf, optional, Type } from '../../../../core/define/schema.ts'
import { type RunStatus, runStatuses } from '../automation.ts'
import { compareDates, type DayOrInstant, readDate } from '../dates.ts'

const moment = (meaning: string) =>
  Type.String({
    maxLength: 40,
    examples: ['2026-01-31'],
    description: `${meaning}: an instant or a day of the organization.`,
  })

/** The fields that choose runs by their start. */
export const startedFrom = moment('Runs that started at or after this')
export const startedTo = moment('Runs that started before this instant, or until the end of this day')
export const startRange = optional({ from: startedFrom, to: startedTo })

export const runStatusFilter = optional({ status: OneOf(...runStatuses) })

/** A condition on `automation_runs` for the given start, with an index on automation and start. */
export function startedWithin({ from, to }: { from?: string; to?: string }): RawBuilder<boolean> {
  if (from !== undefined && to !== undefined && compareDates(dateOf('from', from), dateOf('to', to)) > 0)
    throw invalid('to', 'to must not be before from.')
  const since = from === undefined ? sql`true` : sql`automation_runs.started_at >= ${instantOf('from', from, 0)}`
  const until = to === undefined ? sql`true` : sql`automation_runs.started_at < ${instantOf('to', to, 1)}`
  return sql<boolean>`${since} and ${until}`
}

/** PostgreSQL does not accept every offset of an instant, so it gets the instant in UTC. */
function dateOf(field: string, text: string): DayOrInstant {
  const read = readDate(text, 'UTC')
  if (!read) throw invalid(field, `${field} must be a day (2026-01-31) or an instant (2026-01-31T09:00:00Z).`)
  return read
}

/** The instant, or the beginning of the day in the time zone of the organization, some days later. */
function instantOf(field: string, text: string, daysLater: number) {
  const { epochMs } = dateOf(field, text)
  if (epochMs !== undefined) return sql`${new Date(epochMs).toISOString()}::timestamptz`
  return sql`((${text}::date + ${sql.lit(daysLater)})::timestamp
    at time zone (select o.timezone from organizations o where o.id = current_organization()))`
}

/**
 * A condition for the status. The value is part of the text of the statement, because PostgreSQL uses a partial index only for
 * statuses that it knows when it plans.
 */
export const hasStatus = (status: RunStatus | undefined): RawBuilder<boolean> =>
  status === undefined ? sql<boolean>`true` : sql<boolean>`automation_runs.status = ${sql.lit(status)}`
