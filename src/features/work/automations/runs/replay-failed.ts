import { sql } from 'kysely'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { Count, defaulted, Id, nullable, optional, Type } from '../../../../core/define/schema.ts'
import { refusalsToReuse, requireMayExecute } from '../may-execute.ts'
import { currentReadingRights } from '../rights.ts'
import { refuseAutomation } from '../save-checks.ts'
import { runsOf } from './read-run.ts'
import { reopenRuns } from './reopen-runs.ts'
import { hasStatus, startedFrom, startedTo, startedWithin } from './run-range.ts'

const Skipped = Type.Object({ runId: Id, reason: Type.String() })

export const replayFailed = operation({
  name: 'automations_replay_failed',
  http: 'POST /api/automations/{id}/replay-failed',
  does: 'Replays the failed runs of an automation that started in a period, the oldest first, and does not wait for them. automations_runs with a status and the same period shows how far they are.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: Type.Object({
    id: Id,
    from: startedFrom,
    ...optional({ to: startedTo }),
    after: Type.Optional(
      Type.String({ maxLength: 100, description: 'The lastRunId of the answer before: only runs after this one.' }),
    ),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1_000 }), 100),
  }),
  output: Type.Object({
    replayed: Count,
    remaining: Type.Integer({
      description: 'Failed runs of the period after lastRunId. Call again with it as `after`.',
    }),
    skipped: Type.Array(Skipped, { description: 'Runs that stay as they are, and why.' }),
    lastRunId: nullable(Type.String({ description: 'The last run that was looked at; null if there was none.' })),
  }),
  rate: 'automationRuns',
  async run({ db, who, catalog, audit }, { id, from, to, after, limit }) {
    const caller = await who
    refuseAutomation(caller, 'An automation cannot test or replay automations.')
    await sql`select from automations where id = ${id} for share`.execute(db) // its graph stays as it is checked
    await requireMayExecute({ db, catalog }, id, caller)
    const range = { from, ...(to !== undefined && { to }) }
    if (after !== undefined) await one(runsOf(db, id).where('id', '=', toUuid(after)), 'run')
    const failed = (last: string | undefined) => failedRuns(db, id, range, last)
    const runs = await failed(after).orderBy('startedAt').orderBy('id').limit(limit).execute()
    const locked = await lockFailed(
      db,
      runs.map((run) => run.id),
    )
    const free = runs.filter((run) => locked.has(run.id))
    const graph = await currentReadingRights(db, id)
    const refusals = free.length > 0 ? await refusalsToReuse(db, free, { caller, graph }) : new Map()
    const replayed = free.map((run) => run.id).filter((runId) => !refusals.has(runId))
    await reopenRuns(db, replayed, { by: caller.userId, afterS: 0 })
    audit({ replayed: replayed.length, ...range })
    const lastRunId = runs.at(-1)?.id ?? null
    const remaining = await failed(lastRunId ?? after)
      .clearSelect()
      .select(sql<number>`count(*)`.as('count'))
      .execute()
    return {
      replayed: replayed.length,
      remaining: lastRunId === null ? 0 : (remaining[0]?.count ?? 0),
      skipped: runs
        .filter((run) => !replayed.includes(run.id))
        .map((run) => ({ runId: run.id, reason: refusals.get(run.id)?.message ?? replayedElsewhere })),
      lastRunId,
    }
  },
})

const replayedElsewhere = 'It is being replayed by another request.'

const failedRuns = (db: Database, id: string, range: { from?: string; to?: string }, after: string | undefined) =>
  runsOf(db, id)
    .where(hasStatus('FAILED'))
    .where(startedWithin(range))
    .where(
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(automation_runs.started_at, automation_runs.id) >
            (select r.started_at, r.id from automation_runs r where r.automation_id = ${id} and r.id = ${toUuid(after)})`,
    )

/** Locks the runs that are still FAILED, except those that another request has locked. */
async function lockFailed(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from automation_runs
    where id = any (${[...ids]}::uuid[]) and status = 'FAILED' order by id for no key update skip locked`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
