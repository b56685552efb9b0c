import { sql } from 'kysely'
import type { Database, Member } from '../../core/define/operation.ts'
import { one } from '../../core/define/query.ts'
import { nullable, type Static, Type } from '../../core/define/schema.ts'
import type { Catalog } from '../../core/define/services.ts'
import { pipeline } from '../../db/pipeline.ts'
import { actionNamed, featureOf } from './actions/action.ts'
import type { Block, Edge, Graph } from './automation.ts'
import { bindingsIn, blockIn, resolve } from './engine/bindings.ts'
import { type PlannedStep, plan } from './engine/plan.ts'
import { type RecordedStep, stepsOf } from './engine/run-record.ts'
import { factsOf } from './engine/run-state.ts'
import { toStored } from './engine/stored-values.ts'
import { readsPayroll, takesPayroll } from './payroll-steps.ts'

const named = {
  blockId: Type.String(),
  element: nullable(Type.Integer()),
}
export const ReplayPreview = Type.Object({
  replayable: Type.Boolean({ description: 'Whether the run has failed; no other one is replayed.' }),
  reused: Type.Array(Type.Object({ ...named, output: Type.Unknown() }), {
    description: 'Steps that succeeded: they are not carried out again.',
  }),
  next: Type.Array(
    Type.Object({ ...named, ref: nullable(Type.String()), skipped: Type.Boolean(), input: Type.Unknown() }),
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

type Wanted = { automationId: string; runId: string }

/** What a replay would do, told from the graph as it is now and the steps as they were recorded. Nothing is carried out. */
export async function replayPreview(
  { db, catalog }: { db: Database; catalog: Catalog },
  wanted: Wanted,
  reader: Member,
): Promise<ReplayPreview> {
  const { run, steps } = await pipeline({
    run: one(known(db, wanted), 'run'),
    steps: stepsOf(db, wanted.runId),
  })
  const { next, waiting, outputs } = plan(run, factsOf(run), steps)
  const inGraph = new Set(run.blocks.map(({ id }) => id))
  const unknown = new Set(run.blocks.map(({ id }) => id).filter((id) => !outputs.has(id)))
  const scope = next[0]?.scope
  const hides = hidesPayroll({ catalog, reader, edges: run.edges, steps })
  return {
    replayable: run.status === 'FAILED',
    reused: steps
      .filter(({ blockId, status }) => status === 'SUCCEEDED' && inGraph.has(blockId))
      .map(({ blockId, element, feature, output }) => ({
        blockId,
        element: elementOf(element),
        output: feature === 'payroll' && !readsPayroll(reader) ? null : output,
      })),
    next: next.map((step) => ({
      blockId: step.block.id,
      element: elementOf(step.element),
      ref: step.block.ref,
      skipped: step.skip,
      input: step.skip || hides(step.block) ? null : toStored(inputOf(step.block, step.scope)),
    })),
    later: waiting.map((block) => ({
      blockId: block.id,
      ref: block.ref,
      waitsFor: sourcesOf(run, block),
      input: scope && !hides(block) ? toStored(inputOf(block, scope, unknown)) : null,
    })),
  }
}

const elementOf = (element: number) => (element < 0 ? null : element)

const sourcesOf = ({ edges }: Graph, { id }: Block) => [
  ...new Set(edges.filter(({ toBlockId }) => toBlockId === id).map(({ fromBlockId }) => fromBlockId)),
]

/** What a block would be carried out with; texts with a binding to an unknown block, or to an element of one, stay. */
function inputOf({ config, kind }: Block, scope: PlannedStep['scope'], unknown?: ReadonlySet<string>): unknown {
  const given = kind === 'FILTER' ? config.spec : config.input
  return unknown ? partly(given ?? null, scope, unknown) : resolve(given ?? null, scope)
}

function partly(value: unknown, scope: PlannedStep['scope'], unknown: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return waits(value, unknown) ? value : resolve(value, scope)
  if (Array.isArray(value)) return value.map((each) => partly(each, scope, unknown))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, partly(each, scope, unknown)]))
}

const waits = (text: string, unknown: ReadonlySet<string>) =>
  bindingsIn(text).some((path) => {
    const [root, ...rest] = path.split('.')
    return root === 'item' || (root === 'blocks' && blockIn(rest, (id) => unknown.has(id)) !== undefined)
  })

type Hiding = { catalog: Catalog; reader: Member; edges: readonly Edge[]; steps: readonly RecordedStep[] }

const hidesPayroll =
  ({ catalog, reader, edges, steps }: Hiding) =>
  (block: Block) => {
    const action = block.kind === 'ACTION' ? actionNamed(catalog, block.ref) : undefined
    const isPayroll = action !== undefined && featureOf(action) === 'payroll'
    return !readsPayroll(reader) && (isPayroll || takesPayroll(block, edges, steps))
  }

const known = (db: Database, { automationId, runId }: Wanted) =>
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
