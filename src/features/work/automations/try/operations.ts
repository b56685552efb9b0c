import { example } from '../../../../core/contract/example.ts'
import { forbidden, invalid, notFound } from '../../../../core/define/failure.ts'
import { type Database, type Member, operation } from '../../../../core/define/operation.ts'
import { one, toUuid } from '../../../../core/define/query.ts'
import { Count, Id, nullable, OneOf, optional, type Static, Type, Warnings } from '../../../../core/define/schema.ts'
import type { Catalog } from '../../../../core/define/services.ts'
import { newId } from '../../../../core/values/id.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { AutomationChanges, type Graph } from '../automation.ts'
import { planInputOf } from '../engine/run-state.ts'
import { markOfTrigger, missingToRead, visiblePayload } from '../protected-steps.ts'
import { currentRights, problemSentence } from '../rights.ts'
import { requireValidGraph } from '../save-checks.ts'
import { saveWarnings } from '../save-warnings.ts'
import { automationById } from '../store.ts'
import { eventById } from './events.ts'
import { tryGraph } from './try-graph.ts'
import { outcomes } from './try-step.ts'

const callsMax = 30
const timeMs = 15_000

const Payload = Type.Record(Type.String(), Type.Unknown(), {
  description: 'What {{trigger.*}} stands for.',
  examples: [{}],
})
const Problem = Type.Object({ path: Type.String(), message: Type.String(), code: Type.Optional(Type.String()) })

const Step = Type.Object({
  element: nullable(Type.Integer({ description: 'Which element of a list, from 0; null where there is none.' })),
  key: nullable(Type.String({ description: 'The element of the list: its id or content.' })),
  outcome: OneOf(...outcomes),
  input: Type.Unknown({ description: 'With its bindings resolved.' }),
  output: Type.Unknown(),
  assumed: Type.Boolean({ description: 'The output is an example, because nothing was called.' }),
  rows: nullable(Type.Integer({ description: 'How many rows a filter found.' })),
  problems: Type.Array(Problem, { description: 'Why it would be refused, and bindings without a value.' }),
})

const Trial = Type.Object({
  succeeds: Type.Boolean({ description: 'Whether a run would get through, as far as can be foreseen.' }),
  problem: nullable(Type.String({ description: 'Why it would fail, and at which block.' })),
  payload: Payload,
  payloadFrom: OneOf('GIVEN', 'EVENT', 'EXAMPLE'),
  blocks: Type.Array(
    Type.Object({
      blockId: Type.String(),
      kind: Type.String(),
      ref: nullable(Type.String()),
      count: Type.Integer({ minimum: 0, description: 'How many steps it has; 0 if it was not reached.' }),
      steps: Type.Array(Step, { description: 'The first 20.' }),
    }),
  ),
  edges: Type.Array(
    Type.Object({
      edgeId: Type.String(),
      fromBlockId: Type.String(),
      toBlockId: Type.String(),
      outcome: OneOf('PASSED', 'NOT_PASSED', 'NOT_REACHED'),
      passed: Count,
      all: Count,
    }),
    { description: 'What the guards say: of how many elements they let how many through.' },
  ),
  callsLeft: Type.Integer({ minimum: 0, description: 'Of the 30 reads that a trial makes.' }),
  warnings: Warnings,
})

const { blocks, edges } = AutomationChanges.properties

const TrialInput = Type.Object({
  organizationId: Id,
  ...optional({
    automationId: Type.String({
      description: 'A saved automation; its graph is tried unless blocks and edges are given.',
    }),
    blocks,
    edges,
    payload: Payload,
    eventId: Type.String({ description: 'A past event (automations_trigger_events), in place of a payload.' }),
    triggerType: Type.String({ maxLength: 200, description: 'Which trigger fires; the first unless given.' }),
  }),
})

export const tryOut = operation({
  name: 'automations_try',
  http: 'POST /api/automations/try',
  does: 'Tries a saved or unsaved graph without effects. Reads are really made, with the rights of the caller; of writes it tells what would be called with what. Without a payload or event, an example is used.',
  scope: 'automations:read',
  role: 'CONTRIBUTOR',
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  reads: true,
  within: 'organizationId',
  input: TrialInput,
  output: Trial,
  rate: 'heavyReads',
  outside: true,
  async run({ tx, heavyTx, run, catalog, who, now }, given) {
    const reader = await who
    const { organizationId } = reader
    const { timezone, saved, event } = await tx(({ db }) => readSubject(db, given))
    const graph = graphOf(given, saved)
    requireValidGraph(graph)
    const current = saved?.rights ?? { rights: { ...rightsOf(reader), source: 'AUTOMATION' as const }, problem: null }
    const triggerType = event?.type ?? given.triggerType ?? null
    const start = payloadOf(catalog, graph, { event, payload: given.payload, triggerType })
    if (start.payloadFrom === 'EVENT') requireReadable(triggerType, reader)
    const payload = visiblePayload({ trigger: start.payload, triggerType, blocks: graph.blocks }, rightsOf(reader))
    const input = { ...graph, triggerType, trigger: payload, startedAt: now.toISOString(), organizationId, timezone }
    const left = { calls: callsMax, until: performance.now() + timeMs }
    const caller = { source: reader.source, credential: reader.credential, requestId: newId() }
    const trial = {
      ...{ run, heavyTx, catalog, caller, left, organizationId, timezone, trigger: payload },
      reader: rightsOf(reader),
      rights: current.rights ?? { ...rightsOf(reader), source: 'AUTOMATION' as const },
    }
    const tried = await tryGraph(trial, graph, planInputOf(input))
    const problem = current.problem ? problemSentence[current.problem] : tried.problem
    const warnings = saveWarnings(catalog, graph, current)
    return { ...tried, ...start, payload, problem, succeeds: problem === null, callsLeft: left.calls, warnings }
  },
})

type Given = Static<typeof TrialInput>
type Saved = Graph & { rights: Awaited<ReturnType<typeof currentRights>> }

const rightsOf = ({ role, scopes }: Member) => ({ role, scopes: scopes ? [...scopes] : null })

async function readSubject(db: Database, { automationId: id, eventId }: Given) {
  const { organization, automation, rights, event } = await pipeline({
    organization: db.selectFrom('organizations').select('timezone').executeTakeFirstOrThrow(),
    automation: id === undefined ? undefined : one(automationById(db, toUuid(id)), 'automation'),
    rights: id === undefined ? undefined : currentRights(db, toUuid(id)),
    event: eventId === undefined ? undefined : one(eventById(db, toUuid(eventId)), 'event'),
  })
  const saved = automation && rights ? { ...automation, rights } : undefined
  return { ...organization, saved, event }
}

function graphOf({ blocks, edges }: Given, saved: Saved | undefined): Graph {
  if (blocks && edges) return { blocks, edges }
  if (blocks || edges) throw invalid(blocks ? 'edges' : 'blocks', 'Give blocks and edges together.')
  if (!saved) throw invalid('automationId', 'Give a saved automation, or blocks and edges.')
  return saved
}

type Start = { payload: Record<string, unknown>; payloadFrom: 'GIVEN' | 'EVENT' | 'EXAMPLE' }

function payloadOf(
  catalog: Catalog,
  { blocks }: Graph,
  { event, payload, triggerType }: { event: Start | undefined; payload: Given['payload']; triggerType: string | null },
): Start {
  const triggers = blocks.filter(({ kind }) => kind === 'TRIGGER')
  const fired = triggerType ? triggers.find(({ ref }) => ref === triggerType) : triggers[0]
  if (!fired) throw invalid(event ? 'eventId' : 'triggerType', 'The graph has no such trigger.')
  if (event) return { payload: event.payload, payloadFrom: 'EVENT' }
  if (payload) return { payload, payloadFrom: 'GIVEN' }
  const type = catalog.events.find((each) => each.type === fired.ref)
  if (!type) throw notFound('event type')
  return { payload: example(type.payload, { optional: true }) as Start['payload'], payloadFrom: 'EXAMPLE' }
}

/** A person reads past events that hold what they may read. */
function requireReadable(type: string | null, reader: Member) {
  const missing = missingToRead(markOfTrigger(type), reader)
  if (missing)
    throw forbidden(`To read this event takes ${missing}.`, missing.startsWith('the scope') ? 'SCOPE' : 'ROLE')
}
