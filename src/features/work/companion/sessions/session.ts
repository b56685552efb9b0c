import { Instant, nullable, OneOf, type Static, Type } from '../../../../core/define/schema.ts'

export const SessionId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Chosen by the client: 1 to 64 letters, digits, hyphens and underscores.',
  examples: ['books-2026'],
})

export const Attachment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  size: Type.Number({ minimum: 0, description: 'In bytes.' }),
  type: Type.String({ maxLength: 255, description: 'The media type.' }),
  storageKey: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'From an upload of a file (organizations_file_upload). An unknown one is a label that opens nothing.',
  }),
})
export type Attachment = Static<typeof Attachment>
export const Attachments = Type.Array(Attachment, { maxItems: 20 })

export const SessionSummary = Type.Object({
  id: SessionId,
  title: Type.String(),
  icon: nullable(Type.String()),
  lastActivityAt: Instant,
  archived: Type.Boolean(),
  live: Type.Boolean({ description: 'Whether a turn is RUNNING, or waits for another one.' }),
})
export type SessionSummary = Static<typeof SessionSummary>

export const Message = Type.Object({
  id: Type.String(),
  role: OneOf('user', 'assistant'),
  index: Type.Integer(),
  text: nullable(Type.String()),
  attachments: nullable(Type.Array(Attachment)),
  turnRunId: nullable(Type.String()),
  createdAt: Instant,
})
export type Message = Static<typeof Message>

export const stepStatuses = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED'] as const
export type StepStatus = (typeof stepStatuses)[number]

export const Step = Type.Object({
  id: Type.String(),
  kind: OneOf('TOOL', 'AGENT', 'WORKFLOW', 'TEXT'),
  ref: nullable(Type.String({ description: 'The name of the tool.' })),
  parentId: nullable(Type.String()),
  order: Type.Integer(),
  input: Type.Unknown(),
  output: Type.Unknown({ description: 'The result. While the step is PENDING: what will happen after a yes.' }),
  status: Type.Unsafe<StepStatus>({ type: 'string', enum: [...stepStatuses] }),
  error: nullable(Type.String()),
  turnRunId: Type.String(),
})
export type Step = Static<typeof Step>

export const SessionDetail = Type.Object({
  ...SessionSummary.properties,
  organizationId: Type.String(),
  createdAt: Instant,
  messages: Type.Array(Message),
  steps: Type.Array(Step, { description: 'The latest 1000 at most; the run log has all.' }),
  activeTurnRunId: nullable(Type.String()),
})

export const turnStatuses = ['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const
export type TurnStatus = (typeof turnStatuses)[number]
export const TurnStatus = Type.Unsafe<TurnStatus>({ type: 'string', enum: [...turnStatuses] })

export const Token = Type.Object({
  seq: Type.Integer({ description: 'Its place in the session; increases.' }),
  stepId: nullable(Type.String()),
  delta: Type.String(),
})

export const Turn = Type.Object({
  turnRunId: Type.String(),
  sessionId: SessionId,
  status: TurnStatus,
  startedAt: Instant,
  finishedAt: nullable(Instant),
  error: nullable(Type.String()),
  steps: Type.Array(Step),
  tokens: Type.Array(Token),
})
