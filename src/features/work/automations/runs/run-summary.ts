import { sql } from 'kysely'
import { Count, Id, Instant, nullable, OneOf, type Static, Type } from '../../../../core/define/schema.ts'
import { runStatuses } from '../automation.ts'

/** The runs that the share of success counts at most: an automation may run thousands of times a day. */
const countedMax = 1_000

const LastRun = Type.Object({
  id: Id,
  status: OneOf(...runStatuses),
  startedAt: Instant,
  finishedAt: nullable(Instant),
})

/** How the runs of an automation went; fields of a row in a list. */
export const runSummaryFields = {
  lastRun: Type.Optional(nullable(LastRun)),
  success30Days: Type.Optional(
    Type.Object(
      { succeeded: Count, failed: Count, share: nullable(Type.Number({ minimum: 0, maximum: 1 })) },
      {
        description: `Of the runs that ended in the last 30 days, tests too, the newest ${countedMax} at most. The share is null if there were none.`,
      },
    ),
  ),
}

type Stored = { id: string; status: Static<typeof LastRun>['status']; startedAt: string; finishedAt: string | null }

const ofAutomation = sql`r.organization_id = automations.organization_id and r.automation_id = automations.id`

/** For each automation on a page by the index of its runs; PostgreSQL computes it for that page only. */
export const runSummaryColumns = [
  sql<Stored | null>`(select json_build_object('id', r.id, 'status', r.status, 'startedAt', r.started_at, 'finishedAt', r.finished_at)
    from automation_runs r where ${ofAutomation} order by r.started_at desc, r.id desc limit 1)`.as('newestRun'),
  sql<{
    succeeded: number
    failed: number
  }>`(select json_build_object('succeeded', count(*) filter (where n.status = 'SUCCEEDED'),
      'failed', count(*) filter (where n.status = 'FAILED'))
    from (select r.status from automation_runs r where ${ofAutomation} and r.started_at >= now() - interval '30 days'
      order by r.started_at desc, r.id desc limit ${sql.lit(countedMax)}) n)`.as('outcomes'),
] as const

type Row = { newestRun?: Stored | null; outcomes?: { succeeded: number; failed: number } }

/** The row with the summary, if it was read. */
export function withRunSummary<R extends Row>({ newestRun, outcomes, ...row }: R) {
  if (!outcomes) return row
  const { succeeded, failed } = outcomes
  const share = succeeded + failed > 0 ? succeeded / (succeeded + failed) : null
  return { ...row, lastRun: newestRun ? toLastRun(newestRun) : null, success30Days: { succeeded, failed, share } }
}

/** PostgreSQL writes times into JSON with the offset of its zone. */
const toLastRun = ({ startedAt, finishedAt, ...run }: Stored) => ({
  ...run,
  startedAt: new Date(startedAt).toISOString(),
  finishedAt: finishedAt && new Date(finishedAt).toISOString(),
})
