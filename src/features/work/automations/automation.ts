import { event } from '../../../core/define/event.ts'
import {
  defaulted,
  Id,
  Instant,
  identity,
  notBlank,
  nullable,
  OneOf,
  optional,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../../core/define/schema.ts'
import { about, exampleGraph } from './graph-help.ts'

export const automationStatuses = ['DRAFT', 'ENABLED', 'PAUSED', 'PAUSED_NO_ACCESS'] as const
const status = OneOf(...automationStatuses)
export type AutomationStatus = Static<typeof status>

const clientId = (list: string) =>
  Type.String({ minLength: 1, maxLength: 200, description: `Chosen by the client, once among the ${list}.` })
const kind = OneOf('TRIGGER', 'FILTER', 'ACTION', 'CUSTOM')
const mode = OneOf('ONCE', 'FOR_EACH')
const NewMode = Type.Unsafe<Static<typeof mode>>({ ...mode, description: about.mode })

const blockFields = {
  ref: nullable(
    Type.String({
      maxLength: 200,
      description: 'The event type of a TRIGGER, the tool of an ACTION, or webhook.post or email.send.',
      examples: ['invoice.paid'],
    }),
  ),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description: '{input} of an ACTION, {spec} of a FILTER. Text may hold bindings such as {{trigger.total}}.',
  }),
  position: Type.Record(Type.String(), Type.Unknown(), { description: 'Where an editor shows it: {x, y}.' }),
}

export const Block = Type.Object({ id: clientId('blocks'), kind, ...blockFields })
export type Block = Static<typeof Block>
const NewBlock = Type.Object({
  id: clientId('blocks'),
  kind,
  ref: defaulted(blockFields.ref, null),
  config: defaulted(Type.Record(Type.String(), Type.Unknown(), { description: about.config }), {}),
  position: defaulted(blockFields.position, {}),
})

const edgeFields = { id: clientId('edges'), fromBlockId: clientId('blocks'), toBlockId: clientId('blocks') }
const cond = nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description: '{left, op, right}, or {all: [...]}, {any: [...]}, {not: ...} of such; null is always followed.',
  }),
)
const NewCond = nullable(
  Type.Record(Type.String(), Type.Unknown(), { description: about.cond, examples: [exampleGraph.edges[1]?.cond] }),
)
const each = Type.Optional(
  nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^{}]+$',
      examples: ['documents'],
      description:
        'With FOR_EACH: the path of the list inside the output of the source; the output itself unless given.',
    }),
  ),
)
export const Edge = Type.Object({ ...edgeFields, cond, mode, each, order: Type.Integer() })
export type Edge = Static<typeof Edge>
const NewEdge = Type.Object({
  ...edgeFields,
  cond: defaulted(NewCond, null),
  mode: defaulted(NewMode, 'ONCE'),
  each,
  order: defaulted(Type.Integer(), 0),
})

export type Graph = { blocks: readonly Block[]; edges: readonly Edge[] }

const name = Type.String({ minLength: 1, maxLength: 200, pattern: notBlank })
const description = nullable(Type.String({ maxLength: 2_000 }))
const NewBlocks = Type.Array(NewBlock, { maxItems: 100, description: about.blocks, examples: [exampleGraph.blocks] })
const NewEdges = Type.Array(NewEdge, { maxItems: 300, description: about.edges, examples: [exampleGraph.edges] })

export const Automation = Type.Object({
  ...identity,
  ownerUserId: Type.String({
    description: 'As whom it acts. Its rights are limited by who saved its graph last, and with which credential.',
  }),
  name,
  description,
  status,
  version: Type.Integer({
    description:
      'Counts the changes of name, description and graph; also the ETag. Sent back it is ignored: to change this version only, send it as If-Match.',
  }),
  blocks: Type.Array(Block),
  edges: Type.Array(Edge),
  warnings: Type.Optional(Warnings),
})
export type Automation = Static<typeof Automation>

export const NewAutomation = Type.Object({
  organizationId: Id,
  name,
  blocks: defaulted(NewBlocks, []),
  edges: defaulted(NewEdges, []),
  ...optional({ description }),
})

export const AutomationChanges = Type.Object({
  id: Id,
  ...optional({ name, description, blocks: NewBlocks, edges: NewEdges }),
})

const stepStatus = OneOf('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED')
export type StepStatus = Static<typeof stepStatus>
export const runStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
const runStatus = OneOf(...runStatuses)
export type RunStatus = Static<typeof runStatus>

export const Step = Type.Object({
  id: Id,
  blockId: nullable(Type.String({ description: 'Null when the block is no longer in the graph.' })),
  element: nullable(Type.Integer({ description: 'Which element of a list, from 0; null where there is none.' })),
  status: stepStatus,
  input: Type.Unknown({ description: 'What it was carried out with, bindings substituted.' }),
  output: Type.Unknown(),
  error: nullable(Text),
  attempt: Type.Integer(),
  latencyMs: nullable(Type.Integer()),
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
  waitsUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When a PENDING step continues that waits for a rate limit; `error` names the limit.',
    }),
  ),
  warnings: Type.Optional(Warnings),
})
export type Step = Static<typeof Step>

const runFields = {
  id: Id,
  automationId: Id,
  organizationId: Id,
  triggerEventId: nullable(Type.String({ description: 'Null for a run that was tried by hand.' })),
  input: Type.Record(Type.String(), Type.Unknown(), { description: 'What {{trigger.*}} stands for.' }),
  status: runStatus,
  error: nullable(Text),
  startedAt: Instant,
  finishedAt: nullable(Instant),
}
export const Run = Type.Object({ ...runFields, steps: Type.Array(Step) })
export type Run = Static<typeof Run>

/** The limits of the steps in a list of runs. Reading a single run returns all of them. */
export const runListLimits = { stepsMax: 100, bytesMax: 1_024 }
export const ListedRun = Type.Object({
  ...runFields,
  steps: Type.Array(Step, {
    description: `The first ${runListLimits.stepsMax}; of input and output what has at most ${runListLimits.bytesMax} bytes. Read the run for all of it.`,
  }),
})

/** The limits of a run (FLT-20), and of the stored input or output of a step. */
export const runLimits = {
  depthMax: 8,
  elementsMax: 1_000,
  comparisonsMax: 300_000,
  stepsMax: 2_000,
  minutesMax: 15,
  outputMaxBytes: 256 * 1024,
}

const FailedPayload = Type.Object({
  id: Type.String({ description: 'The run.' }),
  organizationId: Id,
  automationId: Id,
  automationName: Text,
  triggerEventId: nullable(Text),
  blockId: nullable(Text),
  error: Text,
  paused: Type.Boolean({ description: 'Whether the automation was paused because it lacks a right.' }),
})
export const automationFailed = event('automation.failed', FailedPayload, 'A run of an automation failed')
