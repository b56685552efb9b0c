import { sql } from 'kysely'
import type { Database, Member } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { nullable, type Static, Type } from '../../core/define/schema.ts'
import type { Catalog } from '../../core/define/services.ts'
import { pipeline } from '../../db/pipeline.ts'
import { findAction, markOfAction } from './actions/action.ts'
import type { Block, Edge, Graph } from './automation.ts'
import { bindingsIn, findBlockId, resolve } from './engine/bindings.ts'
import { type PlannedStep, plan } from './engine/plan.ts'
import { type RecordedStep, recordedSteps } from './engine/run-record.ts'
import { planInputOf } from './engine/run-state.ts'
import { toStored } from './engine/stored-values.ts'
import { markOfPayload, markOfTrigger, mayReadStep, receivedMark, visiblePayload } from './protected-steps.ts'
import { currentRights } from './rights.ts'

const stepFields = {
  blockId: Type.String(),
  element: nullable(Type.Integer()),
}
export const ReplayPreview = Type.Object({
  replayable: Type.Boolean({ description: 'Whether the run has failed; no other one is replayed.' }),
  reused: Type.Array(Type.Object({ ...stepFields, output: Type.Unknown() }), {
    description: 'Steps that succeeded: they are not carried out again.',
  }),
  next: Type.Array(
    Type.Object({ ...stepFields, ref: nullable(Type.String()), skipped: Type.Boolean(), input: Type.Unknown() }),
    {
      description: 'Steps that would be taken first, with what.',
    },
  ),
  later: Type.Array(
    Type.Object({
      blockId: Type.String(),
      ref: nullable(Type.String()),
      waitsFor: Type.Array(Type.String()),
      input: Type.Unknown({ description: 'Bindings to what is not known yet stand as they are.' }),
    }),
    { description: 'Blocks that follow, if their guards pass then.' },
  ),
})
type ReplayPreview = Static<typeof ReplayPreview>

type RunRef = { automationId: string; runId: string }

/** Shows what a replay would do, from the current graph and the recorded steps. Nothing is executed. */
export async function replayPreview(
  { db, catalog }: { db: Database; catalog: Catalog },
  ref: RunRef,
  reader: Member,
): Promise<ReplayPreview> {
  const { stored, steps, current } = await pipeline({
    stored: one(runWithGraph(db, ref), 'run'),
    steps: recordedSteps(db, ref.runId),
    current: currentRights(db, ref.automationId),
  })
  const run = current.rights ? { ...stored, trigger: visiblePayload(stored, current.rights) } : stored
  const { next, waiting, outputs } = plan(run, planInputOf(run), steps)
  const inGraph = new Set(run.blocks.map(({ id }) => id))
  const unfinished = new Set(run.blocks.map(({ id }) => id).filter((id) => !outputs.has(id)))
  const scope = next[0]?.scope
  const hides = hidesInput({ catalog, reader, run, steps })
  const blockOf = new Map(run.blocks.map((block) => [block.id, block]))
  const maySee = ({ blockId, feature }: RecordedStep) => {
    const { kind, ref = null } = blockOf.get(blockId) ?? {}
    const isOldFilter = kind === 'FILTER' && feature === null
    return mayReadStep(feature ?? markOfTrigger(ref), reader) && !(isOldFilter && reader.scopes)
  }
  return {
    replayable: run.status === 'FAILED',
    reused: steps
      .filter(({ blockId, status }) => status === 'SUCCEEDED' && inGraph.has(blockId))
      .map((step) => ({
        blockId: step.blockId,
        element: elementOf(step.element),
        output: maySee(step) ? step.output : null,
      })),
    next: next.map((step) => ({
      blockId: step.block.id,
      element: elementOf(step.element),
      ref: step.block.ref,
      skipped: step.skip,
      input: step.skip || hides(step.block) ? null : toStored(inputOf(step.block, step.scope)).value,
    })),
    later: waiting.map((block) => ({
      blockId: block.id,
      ref: block.ref,
      waitsFor: sourcesOf(run, block),
      input: scope && !hides(block) ? toStored(inputOf(block, scope, unfinished)).value : null,
    })),
  }
}

const elementOf = (element: number) => (element < 0 ? null : element)

const sourcesOf = ({ edges }: Graph, { id }: Block) => [
  ...new Set(edges.filter(({ toBlockId }) => toBlockId === id).map(({ fromBlockId }) => fromBlockId)),
]

/** The input of a block. Texts that are bound to the output of an unfinished block, or to an element, stay as they are. */
function inputOf({ config, kind }: Block, scope: PlannedStep['scope'], unfinished?: ReadonlySet<string>): unknown {
  const given = kind === 'FILTER' ? config.spec : config.input
  return unfinished ? resolveKnown(given ?? null, scope, unfinished) : resolve(given ?? null, scope)
}

function resolveKnown(value: unknown, scope: PlannedStep['scope'], unfinished: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return isUnresolved(value, unfinished) ? value : resolve(value, scope)
  if (Array.isArray(value)) return value.map((each) => resolveKnown(each, scope, unfinished))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveKnown(each, scope, unfinished)]))
}

const isUnresolved = (text: string, unfinished: ReadonlySet<string>) =>
  bindingsIn(text).some((path) => {
    const [root, ...rest] = path.split('.')
    return root === 'item' || (root === 'blocks' && findBlockId(rest, (id) => unfinished.has(id)) !== undefined)
  })

type PlannedRun = Graph & { triggerType: string | null }
type ReaderOfRun = { catalog: Catalog; reader: Member; run: PlannedRun; steps: readonly RecordedStep[] }

const hidesInput =
  ({ catalog, reader, run, steps }: ReaderOfRun) =>
  (block: Block) => {
    const action = block.kind === 'ACTION' ? findAction(catalog, block.ref) : undefined
    const received = receivedMark(block, run.edges, steps, markOfPayload(run))
    return !mayReadStep(action ? markOfAction(action) : null, reader) || !mayReadStep(received, reader)
  }

const runWithGraph = (db: Database, { automationId, runId }: RunRef) =>
  db
    .selectFrom('automationRuns')
    .innerJoin('automations', 'automations.id', 'automationId')
    .innerJoin('organizations', 'organizations.id', 'automations.organizationId')
    .select(['automationRuns.status', 'triggerType', 'startedAt', 'automationRuns.organizationId', 'timezone'])
    .select([
      sql<Record<string, unknown>>`automation_runs.input`.as('trigger'),
      sql<Block[]>`automations.blocks`.as('blocks'),
      sql<Edge[]>`automations.edges`.as('edges'),
    ])
    .where('automationRuns.id', '=', runId)
    .where('automationId', '=', automationId)
