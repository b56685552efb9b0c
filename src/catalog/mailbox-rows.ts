import type { ColumnType } from 'kysely'
import type { Provider } from '../features/buying/mailboxes/connection.ts'
import type { Outcome, RunStatus } from '../features/buying/mailboxes/runs/run.ts'

type Generated<T> = ColumnType<T, T | undefined, T>
type Computed<T> = ColumnType<T, never, never>

/** The rows of mailboxes, their runs and messages. */
export type MailboxTables = {
  mailConnections: MailConnectionRow
  mailConnects: MailConnectRow
  ingestionRuns: IngestionRunRow
  ingestionMessages: IngestionMessageRow
  mailMessages: MailMessageRow
  mailPlaces: {
    organizationId: Generated<string>
    connectionId: string
    folder: string
    place: string
    key: string
    createdAt: Generated<string>
  }
  mailDocuments: { organizationId: Generated<string>; hash: string; messageKey: string; createdAt: Generated<string> }
}

type MailConnectionRow = {
  organizationId: Generated<string>
  id: string
  name: string
  provider: Provider
  enabled: Generated<boolean>
  host: Generated<string | null>
  port: Generated<number | null>
  useTls: Generated<boolean>
  username: Generated<string | null>
  password: Generated<Buffer | null>
  passwordKeyId: Computed<string | null>
  tokens: Generated<Buffer | null>
  tokensKeyId: Computed<string | null>
  tokenExpiresAt: Generated<string | null>
  refreshingUntil: Generated<string | null>
  folderOrLabel: Generated<string | null>
  subjectFilter: Generated<string | null>
  senderWhitelist: Generated<string[]>
  autoPollEnabled: Generated<boolean>
  pollIntervalDays: Generated<number>
  nextPollOn: Generated<string | null>
  retryAt: Generated<string | null>
  failures: Generated<number>
  lastPolledAt: Generated<string | null>
  attention: Generated<string | null>
  autoScanAutomationId: Generated<string | null>
  createdBy: Generated<string | null>
  createdAt: Generated<string>
  updatedAt: Generated<string>
  deletedAt: Generated<string | null>
}

type MailConnectRow = {
  organizationId: Generated<string>
  stateHash: Buffer
  provider: 'GMAIL' | 'OUTLOOK'
  name: string
  userId: Generated<string>
  sessionId: string
  createdAt: Generated<string>
  expiresAt: Generated<string>
}

type IngestionRunRow = {
  organizationId: Generated<string>
  id: string
  connectionId: string
  status: Generated<RunStatus>
  dateFrom: string
  dateTo: string
  emailsScanned: Generated<number>
  emailsDetected: Generated<number>
  expensesCreated: Generated<number>
  errorMessage: Generated<string | null>
  startedAt: Generated<string>
  claimedAt: Generated<string | null>
  lastProgressAt: Generated<string | null>
  completedAt: Generated<string | null>
  lease: Generated<string | null>
  leaseUntil: Generated<string | null>
  resumed: Generated<number>
  isAutomatic: Generated<boolean>
  isContinued: Generated<boolean>
  createdBy: Generated<string | null>
  updatedAt: Generated<string>
}

type IngestionMessageRow = {
  organizationId: Generated<string>
  id: string
  runId: string
  folder: string
  place: string
  messageId: string
  subject: string | null
  outcome: Outcome
  reason: string | null
  isDetected: boolean
  expenseId: string | null
  processedAt: Generated<string>
}

type MailMessageRow = {
  organizationId: Generated<string>
  key: string
  messageId: string | null
  subject: string | null
  outcome: Outcome
  reason: string | null
  isDetected: boolean
  expenseId: string | null
  connectionId: string
  receivedAt: string | null
  isRetried: Generated<boolean>
  attempts: Generated<number>
  createdAt: Generated<string>
  updatedAt: Generated<string>
}
