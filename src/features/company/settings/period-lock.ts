import { atLeast } from '../../../core/define/access.ts'
import { forbidden, invalid } from '../../../core/define/failure.ts'
import type { Database, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { today } from '../../../core/values/day.ts'
import { dayOf, organizationContext } from '../../../ledger/organization-context.ts'

/** The last locked day that a text names, up to today in the time zone of the organization; null for none. */
export async function lockDay(db: Database, text: string | null, now: Date): Promise<string | null> {
  const organization = await organizationContext(db)
  const day = dayOf('lockedUntil', text, organization)
  const current = today(now, organization.timezone)
  if (day !== null && day > current)
    throw invalid(
      'lockedUntil',
      `lockedUntil is after today, ${current}. Lock the books until today or an earlier day.`,
    )
  return day
}

/** Moving the lock back or removing it opens a period again, which needs the role OWNER. */
export function requireUnlocking({ role }: Pick<Member, 'role'>, before: string | null, after: string | null) {
  if (before === null || (after !== null && after >= before) || atLeast(role, 'OWNER')) return
  throw forbidden(
    `The books are locked until ${before}. Moving lockedUntil back or removing it needs the role OWNER; yours is ${role}.`,
    'ROLE',
  )
}

/** The row of the current lock; the database writes it with the setting. */
export const lockOf = async (db: Database, lastDay: string): Promise<string> =>
  (await one(db.selectFrom('periodLocks').select('id').where('lastDay', '=', lastDay), 'lock')).id
