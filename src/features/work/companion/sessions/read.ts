import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { listMax } from '../../../../core/define/page.ts'
import type { MessageOfTurn, StepOfTurn } from './readable.ts'
import type { Attachment, SessionSummary, StepStatus } from './session.ts'

/** What a turn holds (see readable.ts). */
const fed = (turn: string) =>
  `jsonb_build_object('fedBy', ${turn}.fed_by, 'fedRole', ${turn}.fed_role, 'fedScopes', ${turn}.fed_scopes)`

/** Whether a turn of the session has not ended. */
const live = sql<boolean>`exists (select from companion_turns t where t.organization_id = companion_sessions.organization_id
  and t.session_key = companion_sessions.key and t.status = 'RUNNING')`

export const summaries = (db: Database) =>
  db
    .selectFrom('companionSessions')
    .select(['id', 'title', 'icon', 'lastActivityAt', 'archived', live.as('live')])
    .$castTo<SessionSummary>()

/** The session that the caller calls by this id. Others have sessions of the same id, which row security hides. */
export const sessionNamed = (db: Database, id: string) =>
  db.selectFrom('companionSessions').select(['key', 'id', 'organizationId', 'createdAt']).where('id', '=', id)

export async function messagesOf(db: Database, sessionKey: string): Promise<MessageOfTurn[]> {
  const messages = db.selectFrom('companionMessages').where('sessionKey', '=', sessionKey)
  return await messages
    .select(['id', 'role', 'index', 'text', 'turnId as turnRunId', 'createdAt'])
    .select([
      sql<Attachment[] | null>`attachments`.as('attachments'),
      sql<MessageOfTurn['fed']>`(select ${sql.raw(fed('t'))} from companion_turns t
        where t.organization_id = companion_messages.organization_id and t.id = companion_messages.turn_id)`.as('fed'),
    ])
    .orderBy('index')
    .execute()
}

/** A question that nobody answered within its time is no longer one, even before a job has said so. */
const status = sql<StepStatus>`case when status = 'PENDING' and expires_at <= now() then 'SKIPPED' else status end`

const steps = (db: Database, output = sql<unknown>`output`) =>
  db
    .selectFrom('companionSteps')
    .select(['id', 'kind', 'ref', 'parentId', 'order', 'error', 'turnId as turnRunId'])
    .select([sql<unknown>`input`.as('input'), output.as('output'), status.as('status')])
    .select(
      sql`(select jsonb_agg(${sql.raw(fed('t'))}) from companion_turns t where t.organization_id = companion_steps.organization_id
        and t.id in (companion_steps.turn_id, companion_steps.executed_by_turn_id))`.as('fed'),
    )
    .$castTo<StepOfTurn>()

/** In lists of many steps a long result is left out; the turn has it. */
const shortOutput = sql<unknown>`case when pg_column_size(output) > 8000 then '{"truncated": true, "readWith": "companion_read_turn"}'::jsonb
  else output end`

/** The steps of a session, the newest first. */
export const newestSteps = (db: Database, sessionKey: string) =>
  steps(db, shortOutput).where('sessionKey', '=', sessionKey).orderBy('createdAt', 'desc').orderBy('id', 'desc')

/** The latest steps of a session in their order. */
export const stepsOfSession = async (db: Database, sessionKey: string): Promise<StepOfTurn[]> =>
  (await newestSteps(db, sessionKey).limit(listMax).execute()).reverse()

/** The steps of a turn: those that it made, and the one that it was the word for. */
export const stepsOfTurn = (db: Database, turnId: string): Promise<StepOfTurn[]> =>
  steps(db)
    .where((is) => is.or([is('turnId', '=', turnId), is('executedByTurnId', '=', turnId)]))
    .orderBy('createdAt')
    .orderBy('order')
    .execute()
