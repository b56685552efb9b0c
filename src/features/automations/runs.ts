import { sql } from 'kysely'
import { atLeast } from '../../core/define/access.ts'
import { conflict, forbidden, invalid } from '../../core/define/failure.ts'
import { type Database, type Inside, type Member, operation } from '../../core/define/operation.ts'
import { Pagination, paging } from '../../core/define/page.ts'
import { one, paged, toUuid } from '../../core/define/query.ts'
import { defaulted, Id, Type } from '../../core/define/schema.ts'
import { newId } from '../../core/values/id.ts'
import { pipeline } from '../../db/pipeline.ts'
import { type Block, ListedRun, Run, runLimits } from './automation.ts'
import { awaitRun, resumeAfterS } from './engine/await-run.ts'
import { enqueueRun } from './engine/run-record.ts'
import { toStored } from './engine/stored-values.ts'
import { joinMarks, markOfTrigger, missingToRead, unknownMark } from './protected-steps.ts'
import { firstSteps, readRun, runsOf, withoutHidden } from './read-run.ts'
import { replayPreview as previewOf, ReplayPreview } from './replay-preview.ts'
import { currentRights, readingRightsOfRun } from './rights.ts'
import { refuseAutomation } from './save-checks.ts'
import { missingScopes } from './save-warnings.ts'

const RunParams = Type.Object({ id: Id, runId: Id })

/** Automations that tested each other would not be stopped: the depth limit counts events, and a test run has none. */
const requirePerson = (caller: Member) => refuseAutomation(caller, 'An automation cannot test or replay automations.')

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
    const steps = await firstSteps(
      db,
      rows.map((run) => run.id),
      await who,
    )
    const reader = await who
    return {
      runs: rows.map((run) => ({ ...withoutHidden(run, reader), steps: steps.get(run.id) ?? [] })),
      pagination,
    }
  },
})

export const run = operation({
  name: 'automations_run',
  http: 'GET /api/automations/{id}/runs/{runId}',
  does: 'Reads one run of an automation with its steps: what each was carried out with, and what it came to.',
  scope: 'automations:read',
  within: 'automations',
  input: RunParams,
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
    const caller = await context.who
    const { catalog } = context
    requirePerson(caller)
    const runId = newId()
    await context.tx(async ({ db }) => {
      await requireMayExecute({ db, catalog }, id, caller)
      const input = JSON.stringify(storedPayload(payload))
      await db.insertInto('automationRuns').values({ id: runId, automationId: id, input, depth: 0 }).execute()
      await enqueueRun(db, runId, resumeAfterS)
    })
    await awaitRun(context, runId)
    return context.tx(({ db }) => readRun(db, { automationId: id, runId }, caller))
  },
})

/**
 * 403 unless the caller may test and replay the automation: its owner or a MANAGER, with a credential that has the scopes which
 * its graph uses. What the graph lacks itself fails in the run.
 */
async function requireMayExecute({ db, catalog }: Pick<Inside, 'db' | 'catalog'>, id: string, caller: Member) {
  const automation = db.selectFrom('automations').where('id', '=', id)
  const { ownerUserId, blocks } = await one(
    automation.select(['ownerUserId', sql<Block[]>`blocks`.as('blocks')]),
    'automation',
  )
  if (ownerUserId !== caller.userId && !atLeast(caller.role, 'MANAGER'))
    throw forbidden(
      'An automation runs with the rights of its owner, so only its owner or a MANAGER may test or replay it.',
      'ROLE',
    )
  if (!caller.scopes) return
  const { rights } = await currentRights(db, id)
  const lacks = (scopes: readonly string[] | null) => missingScopes(catalog, { blocks }, { role: 'OWNER', scopes })
  const lackedByGraph = new Set(lacks(rights?.scopes ?? null).map(({ path }) => path))
  const [missing] = lacks(caller.scopes).filter(({ path }) => !lackedByGraph.has(path))
  if (missing) throw forbidden(`The credential lacks a scope that this automation uses. ${missing.message}`, 'SCOPE')
}

/** A payload that is too large is refused, because the run could not be replayed without it. */
function storedPayload(payload: Run['input']): unknown {
  const { value, isTruncated } = toStored(payload)
  if (isTruncated)
    throw invalid('payload', `payload may have at most ${runLimits.outputMaxBytes} bytes.`, 'LIMIT_EXCEEDED')
  return value
}

export const replay = operation({
  name: 'automations_replay',
  http: 'POST /api/automations/{id}/runs/{runId}/replay',
  does: 'Carries a failed run on from the step that failed. Steps that succeeded are not carried out again.',
  scope: 'automations:write',
  role: 'CONTRIBUTOR',
  within: 'automations',
  input: RunParams,
  output: Run,
  rate: 'automationRuns',
  outside: true,
  async run(context, { id, runId }) {
    const caller = await context.who
    requirePerson(caller)
    const { catalog } = context
    await context.tx(async ({ db }) => {
      await requireMayExecute({ db, catalog }, id, caller)
      const ref = { id, runId: toUuid(runId) }
      const run = await one(runsOf(db, id).where('id', '=', ref.runId).forNoKeyUpdate(), 'run')
      await reopenRun(db, ref)
      await requireMayReuse(db, run, caller)
    })
    await awaitRun(context, runId)
    return context.tx(({ db }) => readRun(db, { automationId: id, runId }, caller))
  },
})

/**
 * 403 unless the caller and the graph that the run has from now on may read what is recorded: the payload, and the outputs of
 * the steps that succeeded. Bindings of another graph than the one that recorded them could send them anywhere (THR-07).
 */
async function requireMayReuse(
  db: Database,
  { id, triggerRef }: { id: string; triggerRef: string | null },
  caller: Member,
) {
  const { graph, steps } = await pipeline({
    graph: readingRightsOfRun(db, id),
    steps: db
      .selectFrom('automationSteps')
      .select(['feature', 'ref'])
      .where('runId', '=', id)
      .where('status', '=', 'SUCCEEDED')
      .execute(),
  })
  // Versions before recorded no mark with triggers and filters. A filter has no `ref`.
  const marks = steps.map(({ feature, ref }) => feature ?? (ref === null ? unknownMark : markOfTrigger(ref)))
  const mark = [markOfTrigger(triggerRef), ...marks].reduce(joinMarks, null)
  for (const [reader, name] of [
    [caller, 'The caller'],
    [graph, 'The graph'],
  ] as const) {
    const missing = missingToRead(mark, reader)
    if (missing)
      throw forbidden(
        `${name} lacks ${missing}, which the recorded data of this run needs.`,
        missing.startsWith('the scope') ? 'SCOPE' : 'ROLE',
      )
  }
}

/**
 * Sets a FAILED run to RUNNING. The second of two concurrent replays gets a 409. Failed steps stay FAILED until they are
 * executed again, because their blocks may have been removed.
 */
async function reopenRun(db: Database, { id, runId }: { id: string; runId: string }) {
  const reopened = await db
    .updateTable('automationRuns')
    .set({
      status: 'RUNNING',
      error: null,
      finishedAt: null,
      deadline: null,
      waitingSince: null,
      token: sql<number>`token + 1`,
    })
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
    .set({ status: 'FAILED', error: sql<string>`coalesce(error, 'The step was interrupted.')` })
    .where('runId', '=', runId)
    .where('status', 'in', ['PENDING', 'RUNNING'])
    .execute()
  await enqueueRun(db, runId, resumeAfterS)
}

export const replayPreview = operation({
  name: 'automations_replay_preview',
  http: 'GET /api/automations/{id}/runs/{runId}/replay-preview',
  does: 'Tells what a replay of a run would do with the graph as it is now: which steps are reused, which would run, with what.',
  scope: 'automations:read',
  within: 'automations',
  input: RunParams,
  output: ReplayPreview,
  run: async ({ db, catalog, who }, { id, runId }) =>
    previewOf({ db, catalog }, { automationId: id, runId: toUuid(runId) }, await who),
})
