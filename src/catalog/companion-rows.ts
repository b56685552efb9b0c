import type { ColumnType } from 'kysely'
import type { Role } from '../core/define/access.ts'
import type { Attachment, Step, TurnStatus } from '../features/work/companion/sessions/session.ts'

type Generated<T> = ColumnType<T, T | undefined, T>

/** The rows of the companion. Each belongs to one person of the organization. */
export type CompanionTables = {
  companionSessions: SessionRow
  companionTurns: TurnRow
  companionMessages: MessageRow
  companionSteps: StepRow
  companionEvents: EventRow
  companionUsage: {
    organizationId: Generated<string>
    day: string
    inputTokens: Generated<number>
    outputTokens: Generated<number>
    costMicros: Generated<number>
    updatedAt: Generated<string>
  }
}

type Owned = { organizationId: Generated<string>; userId: Generated<string>; updatedAt: Generated<string> }

type SessionRow = Owned & {
  key: string
  id: string
  title: string
  icon: Generated<string | null>
  archived: Generated<boolean>
  lastSeq: Generated<number>
  lastIndex: Generated<number>
  memory: Generated<object | null>
  lastActivityAt: Generated<string>
  createdAt: Generated<string>
}

type TurnRow = Owned & {
  id: string
  sessionKey: string
  number: number
  source: 'SESSION' | 'API_KEY' | 'OAUTH'
  credentialHash: Generated<Buffer | null>
  confirmsStepId: Generated<string | null>
  fedBy: Generated<string[]>
  fedRole: Generated<Role | null>
  fedScopes: Generated<string[] | null>
  status: Generated<TurnStatus>
  lease: Generated<string | null>
  heldUntil: Generated<string | null>
  error: Generated<string | null>
  startedAt: Generated<string>
  finishedAt: Generated<string | null>
}

type MessageRow = Owned & {
  id: string
  sessionKey: string
  turnId: Generated<string | null>
  role: 'user' | 'assistant'
  index: number
  text: string | null
  attachments: Generated<Attachment[] | null>
  createdAt: Generated<string>
}

type StepRow = Owned & {
  id: string
  sessionKey: string
  turnId: string
  executedByTurnId: Generated<string | null>
  kind: Step['kind']
  ref: string | null
  parentId: Generated<string | null>
  order: number
  input: object | null
  output: Generated<object | null>
  status: Step['status']
  error: Generated<string | null>
  expiresAt: Generated<string | null>
  interrupted: Generated<boolean>
  createdAt: Generated<string>
  finishedAt: Generated<string | null>
}

type EventRow = Owned & {
  sessionKey: string
  seq: number
  turnId: string
  kind: 'token' | 'step' | 'turn'
  stepId: Generated<string | null>
  delta: Generated<string | null>
  data: Generated<object | null>
  createdAt: Generated<string>
}
