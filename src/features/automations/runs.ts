import { sql } from 'kysely'
import { atLeast } from '../../core/define/access.ts'
import { conflict, forbidden, invalid } from '../../core/define/failure.ts'
import { type Database, type Member, operation } from '../../core/define/operation.ts'
import { Pagination, paging } from '../../core/define/page.ts'
import { one, paged, toUuid } from '../../core/define/query.ts'
import { defaulted, Id, Type } from '../../core/define/schema.ts'
import { newId } from '../../core/values/id.ts'
import { ListedRun, limits, Run } from './automation.ts'
import { awaitRun, resumeAfterS } from './engine/await-run.ts'
import { enqueueRun } from './engine/run-record.ts'
import { isTruncated, toStored } from './engine/stored-values.ts'
import { listedSteps, readRun, runsOf } from './read-run.ts'
import { replayPreview as previewOf, ReplayPreview } from './replay-preview.ts'
import { refuseAutomation } from './save.ts'

const OfRun = Type.Object({ id: Id, runId: Id })

/** No event would count how deep automations go that try each other. */
const requirePerson = (reader: Member) => refuseAutomation(reader, 'An automation does not try or replay automations.')

export const runs = operation({
  name: 'automations_runs',
  http: 'GET /api/automations/{id}/runs',
  does: 'Lists the runs of an automation, the newest first.',
  scope: 'automations:read',
  within: 'automations',
  input: Type.Object({ id: Id, ...paging({ limit: 25 }) }),
  output: Type.Object({ runs: Type.Array(ListedRun), pagination: Pagination }),
  async run({ db, who }, { id, ...page }) {
    const { rows, pagination } = await paged(runsOf(db, id).orderBy('startedAt', 'desc').orderBy('id', 'desc'), page)
    const steps = await listedSteps(
      db,
      rows.map((run) => run.id),
      await who,
    )
    return { runs: rows.map((run) => ({ ...run, steps: steps.get(run.id) ?? [] })), pagination }
  },
})

export const run = operation({
  name: 'automations_run',
  http: 'GET /api/automations/{id}/runs/{runId}',
  does: 'Reads one run of an automation with its steps: what each was carried out with, and what it came to.',
  scope: 'automations:read',
  within: 'automations',
  input: OfRun,
  output: Run,
  run: async ({ db, who }, { id, runId }) => readRun(db, { automationId: id, runId }, await who),
})

export const test = operation({
  name: 'automations_test',
  http: 'POST /api/automations/{id}/test',
  does: 'Runs an automation now with the given payload and waits for it. Its actions are really carried out, with the rights of its owner.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: Type.Object({
    id: Id,
    payload: defaulted(
      Type.Record(Type.String(), Type.Unknown(), { description: 'What {{trigger.*}} stands for.', examples: [{}] }),
      {},
    ),
  }),
  output: Run,
  rate: 'automationRuns',
  outside: true,
  async run(context, { id, payload }) {
    const reader = await context.who
    requirePerson(reader)
    const runId = newId()
    await context.tx(async ({ db }) => {
      const owner = db.selectFrom('automations').select('ownerUserId').where('id', '=', id)
      const { ownerUserId } = await one(owner, 'automation')
      if (ownerUserId !== reader.userId && !atLeast(reader.role, 'MANAGER'))
        throw forbidden(
          'An automation runs with the rights of its owner, so its owner or a MANAGER may try it.',
          'ROLE',
        )
      const input = JSON.stringify(keptWhole(payload))
      await db.insertInto('automationRuns').values({ id: runId, automationId: id, input, depth: 0 }).execute()
      await enqueueRun(db, runId, resumeAfterS)
    })
    await awaitRun(context, runId)
    return context.tx(({ db }) => readRun(db, { automationId: id, runId }, reader))
  },
})

/** A run without what fired it would be another one. */
function keptWhole(payload: Run['input']): unknown {
  const found = toStored(payload)
  if (isTruncated(found))
    throw invalid('payload', `payload has at most ${limits.outputMaxBytes} bytes.`, 'LIMIT_EXCEEDED')
  return found
}

export const replay = operation({
  name: 'automations_replay',
  http: 'POST /api/automations/{id}/runs/{runId}/replay',
  does: 'Carries a failed run on from the step that failed. Steps that succeeded are not carried out again.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: OfRun,
  output: Run,
  rate: 'automationRuns',
  outside: true,
  async run(context, { id, runId }) {
    const reader = await context.who
    requirePerson(reader)
    await context.tx(({ db }) => reopen(db, { id, runId: toUuid(runId) }))
    await awaitRun(context, runId)
    return context.tx(({ db }) => readRun(db, { automationId: id, runId }, reader))
  },
})

/**
 * A run that failed is under way again; of two who ask at once, one is told it is too late. Its failed steps stay so until
 * they are taken again: the blocks of some may be gone.
 */
async function reopen(db: Database, { id, runId }: { id: string; runId: string }) {
  const reopened = await db
    .updateTable('automationRuns')
    .set({ status: 'RUNNING', error: null, finishedAt: null, deadline: null, token: sql<number>`token + 1` })
    .where('id', '=', runId)
    .where('automationId', '=', id)
    .where('status', '=', 'FAILED')
    .returning('id')
    .executeTakeFirst()
  if (!reopened) {
    const { status } = await one(runsOf(db, id).where('id', '=', runId), 'run')
    throw conflict(`Only a FAILED run can be replayed; this one is ${status}.`, 'NOT_FAILED')
  }
  await db
    .updateTable('automationSteps')
    .set({ status: 'FAILED', error: 'The step was broken off.' })
    .where('runId', '=', runId)
    .where('status', '=', 'RUNNING')
    .execute()
  await enqueueRun(db, runId, resumeAfterS)
}

export const replayPreview = operation({
  name: 'automations_replay_preview',
  http: 'GET /api/automations/{id}/runs/{runId}/replay-preview',
  does: 'Tells what a replay of a run would do with the graph as it is now: which steps are reused, which would run, with what.',
  scope: 'automations:read',
  within: 'automations',
  input: OfRun,
  output: ReplayPreview,
  run: async ({ db, catalog, who }, { id, runId }) =>
    previewOf({ db, catalog }, { automationId: id, runId: toUuid(runId) }, await who),
})
