import { sql } from 'kysely'
import { operation } from '../../../core/define/operation.ts'
import { Count, InOrganization, Type } from '../../../core/define/schema.ts'
import { today } from '../../../core/values/day.ts'
import { capsOf } from '../../company/settings/settings.ts'

export const usage = operation({
  name: 'expenses_usage',
  http: 'GET /api/expenses/usage',
  does: 'Reads how many scans were used in the current month and how many the plan allows; over all organizations of the caller unless one is named.',
  scope: 'expenses:read',
  within: 'organizationId',
  input: InOrganization,
  output: Type.Object({
    used: Count,
    limit: Count,
    period: Type.String({ description: 'The month, such as 2026-01, in the time zone of the organization.' }),
  }),
  async run({ db, now }) {
    const organizations = await db
      .selectFrom('organizations as o')
      .leftJoin('organizationSettings as s', 's.organizationId', 'o.id')
      .select(['o.timezone', 's.plan'])
      .select(({ selectFrom }) =>
        selectFrom('scanUsage as u')
          .select('u.used')
          .whereRef('u.organizationId', '=', 'o.id')
          .where(
            'u.period',
            '=',
            sql<string>`to_char(${now.toISOString()}::timestamptz at time zone o.timezone, 'YYYY-MM')`,
          )
          .as('used'),
      )
      .execute()
    const [only, ...others] = organizations
    return {
      used: sum(organizations.map(({ used }) => used ?? 0)),
      limit: sum(organizations.map(({ plan }) => capsOf(plan ?? 'FREE').scansPerMonth)),
      period: today(now, only && others.length === 0 ? only.timezone : 'UTC').slice(0, 7),
    }
  },
})

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
