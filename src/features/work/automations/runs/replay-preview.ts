import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import type { Database, Member } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { nullable, type Static, Type } from '../../../../core/define/schema.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { findAction, markOfAction } from '../actions/action.ts'
import type { Block, Edge, Graph } from '../automation.ts'
import { bindingsIn, findBlockId, resolve } from '../engine/bindings.ts'
import { readableName } from '../engine/elements.ts'
import { type Plan, type PlannedStep, plan } from '../engine/plan.ts'
import { type RecordedStep, recordedSteps } from '../engine/run-record.ts'
import { planInputOf } from '../engine/run-state.ts'
import { toStored } from '../engine/stored-values.ts'
import {
  joinMarks,
  markOfPayload,
  markOfTrigger,
  mayReadStep,
  receivedMark,
  sourcesOfItem,
  visiblePayload,
} from '../protected-steps.ts'
import { currentRights } from '../rights.ts'
import { Why, whyLater, whyStep } from './replay-reasons.ts'

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
    Type.Object({
      ...stepFields,
      key: nullable(
        Type.String({ description: 'The element of the list: its id or content. Null if the reader may not see it.' }),
      ),
      ref: nullable(Type.String()),
      skipped: Type.Boolean(),
      input: Type.Unknown(),
      why: nullable(Why),
    }),
    { description: 'Steps that would be taken first, with what, and why.' },
  ),
  later: Type.Array(
    Type.Object({
      blockId: Type.String(),
      ref: nullable(Type.String()),
      waitsFor: Type.Array(Type.String()),
      why: Why,
      input: Type.Unknown({ description: 'Bindings to what is not known yet stand as they are.' }),
    }),
    { description: 'Blocks that follow, if their guards pass then.' },
  ),
  gone: Type.Array(Type.Object({ ...stepFields, ref: nullable(Type.String()), status: Type.String() }), {
    description: 'Steps whose block is no longer in the graph. Their effects stay.',
  }),
  problem: nullable(Type.String({ description: 'Why the replay would fail at once, if it would.' })),
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
  const { next, waiting, outputs, problem } = planOrProblem(run, steps)
  const inGraph = new Set(run.blocks.map(({ id }) => id))
  const unfinished = new Set(run.blocks.map(({ id }) => id).filter((id) => !outputs.has(id)))
  const scope = next[0]?.scope
  const hides = hidesInput({ catalog, reader, run, steps })
  const maySee = readerOfSteps(run, reader)
  const seesElement = ({ id }: Block) => {
    const sources = new Set(sourcesOfItem(id, run.edges))
    return steps.every((step) => !sources.has(step.blockId) || maySee(step))
  }
  const known = { ...run, steps }
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
      key: step.id && seesElement(step.block) ? readableName(step.id) : null,
      ref: step.block.ref,
      skipped: step.skip,
      input: step.skip || hides(step.block) ? null : toStored(inputOf(step.block, step.scope)).value,
      why: step.skip ? null : whyStep(step, known),
    })),
    later: waiting.map((block) => ({
      blockId: block.id,
      ref: block.ref,
      waitsFor: sourcesOf(run, block),
      why: whyLater(block, known),
      input: scope && !hides(block) ? toStored(inputOf(block, scope, unfinished)).value : null,
    })),
    gone: steps
      .filter(({ blockId }) => !inGraph.has(blockId))
      .map(({ blockId, element, ref, status }) => ({ blockId, element: elementOf(element), ref: ref ?? null, status })),
    problem,
  }
}

type PlannableRun = Parameters<typeof planInputOf>[0] & Graph

/** A condition on an output that was too large to be stored fails the run, and so does its replay. */
function planOrProblem(run: PlannableRun, steps: readonly RecordedStep[]): Plan & { problem: string | null } {
  try {
    return { ...plan(run, planInputOf(run), steps), problem: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { next: [], waiting: [], outputs: new Map(), elements: 0, problem: error.message }
  }
}

function readerOfSteps({ blocks }: Graph, reader: Member) {
  const blockOf = new Map(blocks.map((block) => [block.id, block]))
  return ({ blockId, feature }: RecordedStep) => {
    const { kind, ref = null } = blockOf.get(blockId) ?? {}
    const isOldFilter = kind === 'FILTER' && feature === null
    return mayReadStep(feature ?? markOfTrigger(ref), reader) && !(isOldFilter && reader.scopes)
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

type PlannedRun = Graph & { triggerType: string | null; blocksBefore: readonly Block[] | null }
type ReaderOfRun = { catalog: Catalog; reader: Member; run: PlannedRun; steps: readonly RecordedStep[] }

const hidesInput =
  ({ catalog, reader, run, steps }: ReaderOfRun) =>
  (block: Block) => {
    // The payload of a test is that of the trigger it was started with, whatever the graph has now.
    const before = markOfPayload({ triggerType: run.triggerType, blocks: run.blocksBefore ?? run.blocks })
    const action = block.kind === 'ACTION' ? findAction(catalog, block.ref) : undefined
    const received = receivedMark(block, run.edges, steps, joinMarks(markOfPayload(run), before))
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
      sql<Block[] | null>`(select g.blocks from automation_graphs g
        where g.organization_id = automation_runs.organization_id and g.id = automation_runs.graph_id)`.as(
        'blocksBefore',
      ),
    ])
    .where('automationRuns.id', '=', runId)
    .where('automationId', '=', automationId)
