import { conflict, invalid } from '../../../../core/define/failure.ts'
import { type Database, type Member, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../../core/define/query.ts'
import { defaulted, Id, Type } from '../../../../core/define/schema.ts'
import { newId } from '../../../../core/values/id.ts'
import { ListedRun, Run, runLimits } from '../automation.ts'
import { awaitRun, resumeAfterS } from '../engine/await-run.ts'
import { enqueueRun } from '../engine/run-record.ts'
import { toStored } from '../engine/stored-values.ts'
import { refusalsToReuse, requireMayExecute } from '../may-execute.ts'
import { readingRightsOfRun } from '../rights.ts'
import { refuseAutomation } from '../save-checks.ts'
import { firstSteps, readRun, runsOf, withoutHidden } from './read-run.ts'
import { reopenRuns } from './reopen-runs.ts'
import { replayPreview as previewOf, ReplayPreview } from './replay-preview.ts'
import { hasStatus, runStatusFilter, startedWithin, startRange } from './run-range.ts'

const RunParams = Type.Object({ id: Id, runId: Id })

/** Automations that tested each other would not be stopped: the depth limit counts events, and a test run has none. */
const requirePerson = (caller: Member) => refuseAutomation(caller, 'An automation cannot test or replay automations.')

export const runs = operation({
  name: 'automations_runs',
  http: 'GET /api/automations/{id}/runs',
  does: 'Lists the runs of an automation, the newest first: all of them, or those with a status or that started in a period.',
  scope: 'automations:read',
  within: 'automations',
  input: Type.Object({ id: Id, ...runStatusFilter, ...startRange, ...paging({ limit: 25 }) }),
  output: Type.Object({ runs: Type.Array(ListedRun), pagination: Pagination }),
  async run({ db, who }, { id, status, from, to, ...page }) {
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    const all = runsOf(db, id).orderBy('startedAt', 'desc').orderBy('id', 'desc')
    const isFiltered = status !== undefined || from !== undefined || to !== undefined
    const chosen = isFiltered ? all.where(hasStatus(status)).where(startedWithin(range)) : all
    const { rows, pagination } = await paged(chosen, page)
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
  does: 'Runs an automation now with the given payload, really carrying out its actions, and waits for it. They are carried out in the name of the caller, with the lowest of the roles of the caller, the owner and the author.',
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
      const startedBy = [caller.userId]
      await db
        .insertInto('automationRuns')
        .values({ id: runId, automationId: id, input, depth: 0, startedBy })
        .execute()
      await enqueueRun(db, runId, resumeAfterS)
    })
    await awaitRun(context, runId)
    return context.tx(({ db }) => readRun(db, { automationId: id, runId }, caller))
  },
})

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
  does: 'Carries a failed run on from the step that failed, in the name of the caller and with no more than their role. Steps that succeeded are not carried out again.',
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
      await reopenRun(db, ref, caller)
      await requireMayReuse(db, run, caller)
    })
    await awaitRun(context, runId)
    return context.tx(({ db }) => readRun(db, { automationId: id, runId }, caller))
  },
})

/** 403 unless the caller and the graph that the run has from now on may read what is recorded. */
async function requireMayReuse(db: Database, run: { id: string; triggerRef: string | null }, caller: Member) {
  const graph = await readingRightsOfRun(db, run.id)
  const refusals = await refusalsToReuse(db, [run], { caller, graph })
  const refusal = refusals.get(run.id)
  if (refusal) throw refusal
}

/** The second of two concurrent replays gets a 409. A worker takes over if this request ends early. */
async function reopenRun(db: Database, { id, runId }: { id: string; runId: string }, caller: Member) {
  if ((await reopenRuns(db, [runId], { by: caller.userId, afterS: resumeAfterS })) === 1) return
  const { status } = await one(runsOf(db, id).where('id', '=', runId), 'run')
  throw conflict(`Only a FAILED run can be replayed; this one is ${status}.`, 'NOT_FAILED')
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
