import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../../core/define/query.ts'
import { ById, Id, Instant, OneOf, Success, success, Type } from '../../../../core/define/schema.ts'
import { newId } from '../../../../core/values/id.ts'
import { connectionById } from '../connection.ts'
import { startNext } from '../poll/end-run.ts'
import { IngestionMessage, IngestionRun, type Outcome, runs, runsWithMessages } from './run.ts'

export const poll = operation({
  name: 'expenses_email_poll',
  http: 'POST /api/expenses/email-poll',
  does: 'Queues a run that reads the receipts of a mailbox: since the last poll (30 days at first), or between two dates. integrations_fetch_logs shows its progress.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    connectionId: Id,
    dateFrom: Type.Optional(Instant),
    dateTo: Type.Optional(Instant),
  }),
  output: Type.Object({ runId: Id, status: OneOf('PENDING') }),
  rate: 'polls',
  async run({ db, now }, { connectionId: given, dateFrom, dateTo }) {
    const { id: connectionId } = await one(connectionById(db, toUuid(given)), 'mail connection')
    const until = dateTo ?? now.toISOString()
    if (dateFrom && Date.parse(dateFrom) > Date.parse(until))
      throw invalid('dateFrom', 'dateFrom must not be after dateTo.')
    const id = newId()
    const from = dateFrom ?? sql<string>`poll_from(${connectionId}::uuid, ${until}::timestamptz)`
    const isContinued = dateFrom === undefined
    await db
      .insertInto('ingestionRuns')
      .values({ id, connectionId, dateFrom: from, dateTo: until, isContinued })
      .execute()
    await sql`select enqueue_poll(${id}::uuid)`.execute(db)
    return { runId: id, status: 'PENDING' as const }
  },
})

const runsMax = 50

export const list = operation({
  name: 'integrations_fetch_logs',
  http: 'GET /api/expenses/fetch-logs',
  does: 'Lists the newest 50 runs over mailboxes, with what became of each message.',
  scope: 'integrations:read',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, connectionId: Type.Optional(Id) }),
  output: Type.Object({ runs: Type.Array(IngestionRun, { maxItems: runsMax }) }),
  heavy: true,
  async run({ db }, { connectionId }) {
    const newest = runsWithMessages(db).orderBy('r.startedAt', 'desc').orderBy('r.id', 'desc').limit(sql.lit(runsMax))
    const query = connectionId ? newest.where('r.connectionId', '=', toUuid(connectionId)) : newest
    return { runs: await query.execute() }
  },
})

export const get = operation({
  name: 'integrations_fetch_log_get',
  http: 'GET /api/expenses/fetch-logs/{id}',
  does: 'Reads one run over a mailbox, with its newest 1,000 messages.',
  scope: 'integrations:read',
  within: 'ingestionRuns',
  input: ById,
  output: IngestionRun,
  run: ({ db }, { id }) => one(runsWithMessages(db).where('r.id', '=', id), 'run'),
})

const outcomes = [
  'CREATED',
  'DUPLICATE',
  'SKIPPED_NOT_EXPENSE',
  'DROPPED_NO_DATA',
  'FAILED',
] as const satisfies Outcome[]

export const messages = operation({
  name: 'integrations_fetch_log_messages',
  http: 'GET /api/expenses/fetch-logs/{id}/messages',
  does: 'Lists what became of the messages of a run, in the order in which they were read.',
  scope: 'integrations:read',
  within: 'ingestionRuns',
  input: Type.Object({ ...ById.properties, outcome: Type.Optional(OneOf(...outcomes)), ...paging({ limit: 50 }) }),
  output: Type.Object({ messages: Type.Array(IngestionMessage), pagination: Pagination }),
  async run({ db }, { id, outcome, ...page }) {
    const ordered = db
      .selectFrom('ingestionMessages as m')
      .select(['m.id', 'm.messageId', 'm.subject', 'm.outcome', 'm.reason', 'm.expenseId', 'm.processedAt'])
      .where('m.runId', '=', id)
      .orderBy('m.id')
    const { rows, pagination } = await paged(outcome ? ordered.where('m.outcome', '=', outcome) : ordered, page)
    return { messages: rows, pagination }
  },
})

export const stop = operation({
  name: 'integrations_stop',
  http: 'POST /api/expenses/fetch-logs/{id}/stop',
  does: 'Stops a run over a mailbox. What it has read so far stays.',
  scope: 'integrations:write',
  role: 'CONTRIBUTOR',
  within: 'ingestionRuns',
  input: ById,
  output: Success,
  async run({ db }, { id }) {
    const run = await one(runs(db).where('r.id', '=', id).forNoKeyUpdate(), 'run')
    if (run.status === 'MANUAL_STOP') return success
    if (run.completedAt !== null) throw conflict('The run has ended already.')
    // A worker that is at a message writes nothing of it any more.
    await db
      .updateTable('ingestionRuns')
      .set({ status: 'MANUAL_STOP', completedAt: sql<string>`now()` })
      .where('id', '=', id)
      .execute()
    await startNext({ db }, run.connectionId)
    return success
  },
})
