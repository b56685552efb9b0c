import { sql } from 'kysely'
import { event } from '../../../../core/define/event.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { Count, Id, Instant, nullable, OneOf, type Static, Type } from '../../../../core/define/schema.ts'

const RunStatus = OneOf('PENDING', 'RUNNING', 'DONE', 'ERROR', 'MANUAL_STOP')
export type RunStatus = Static<typeof RunStatus>

const Outcome = OneOf('CREATED', 'DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DROPPED_NO_DATA', 'FAILED')
export type Outcome = Static<typeof Outcome>

/** What became of a message in a run. */
export const IngestionMessage = Type.Object({
  id: Id,
  messageId: Type.String({ description: 'The Message-ID of the message, or another text if it has none.' }),
  subject: nullable(Type.String()),
  outcome: Outcome,
  reason: nullable(Type.String()),
  expenseId: nullable({ ...Id, description: 'The expense that the message made, now or earlier.' }),
  processedAt: Instant,
})
export type IngestionMessage = Static<typeof IngestionMessage>

export const IngestionRun = Type.Object({
  id: Id,
  connectionId: Id,
  status: RunStatus,
  dateFrom: Instant,
  dateTo: Instant,
  emailsScanned: Count,
  emailsDetected: Type.Integer({ minimum: 0, description: 'How many messages hold a receipt or an invoice.' }),
  expensesCreated: Count,
  errorMessage: nullable(Type.String()),
  startedAt: Instant,
  completedAt: nullable(Instant),
  claimedAt: nullable(Instant),
  lastProgressAt: nullable(Instant),
  messages: Type.Array(IngestionMessage, {
    description: 'The newest 1,000; integrations_fetch_log_messages has all of them.',
  }),
})
export type IngestionRun = Static<typeof IngestionRun>

const runFacts = {
  id: Id,
  organizationId: Id,
  connectionId: Id,
  connectionName: Type.String(),
  dateFrom: Instant,
  dateTo: Instant,
  emailsScanned: Count,
  emailsDetected: Count,
  expensesCreated: Count,
}

export const ingestionCompleted = event('ingestion.completed', Type.Object(runFacts), 'A mailbox was read to the end')
export const ingestionFailed = event(
  'ingestion.failed',
  Type.Object({ ...runFacts, errorMessage: Type.String() }),
  'A mailbox could not be read',
)

const runColumns = [
  'r.id', 'r.organizationId', 'r.connectionId', 'r.status', 'r.dateFrom', 'r.dateTo', 'r.emailsScanned', 'r.emailsDetected',
  'r.expensesCreated', 'r.errorMessage', 'r.startedAt', 'r.completedAt', 'r.claimedAt', 'r.lastProgressAt',
] as const // biome-ignore format: a list of words

/** The runs, without their messages. */
export const runs = (db: Database) => db.selectFrom('ingestionRuns as r').select(runColumns)

const messagesOfRunMax = 1_000

/** The runs with their newest messages, in the order in which they were read. */
export const runsWithMessages = (db: Database) =>
  runs(db).select(
    sql<
      IngestionMessage[]
    >`coalesce((select json_agg(json_build_object('id', m.id, 'messageId', m.message_id, 'subject', m.subject,
        'outcome', m.outcome, 'reason', m.reason, 'expenseId', m.expense_id, 'processedAt', to_char(m.processed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by m.id)
      from (select * from ingestion_messages x where x.organization_id = r.organization_id and x.run_id = r.id
        order by x.id desc limit ${sql.lit(messagesOfRunMax)}) m), '[]')`.as('messages'),
  )
