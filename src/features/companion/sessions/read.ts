import { sql } from 'kysely'
import { allows, atLeast } from '../../../core/define/access.ts'
import type { Database, Member } from '../../../core/define/operation.ts'
import { listMax } from '../../../core/define/page.ts'
import type { Catalog } from '../../../core/define/services.ts'
import type { Attachment, Message, SessionSummary, Step, StepStatus } from './session.ts'

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

export async function messagesOf(db: Database, sessionKey: string): Promise<Message[]> {
  const messages = db.selectFrom('companionMessages').where('sessionKey', '=', sessionKey)
  return await messages
    .select(['id', 'role', 'index', 'text', 'turnId as turnRunId', 'createdAt'])
    .select(sql<Attachment[] | null>`attachments`.as('attachments'))
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
    .$castTo<Step>()

/** In lists of many steps a long result is left out; the turn has it. */
const shortOutput = sql<unknown>`case when pg_column_size(output) > 8000 then '{"truncated": true, "readWith": "companion_read_turn"}'::jsonb
  else output end`

/** The steps of a session, the newest first. */
export const newestSteps = (db: Database, sessionKey: string) =>
  steps(db, shortOutput).where('sessionKey', '=', sessionKey).orderBy('createdAt', 'desc').orderBy('id', 'desc')

/** The latest steps of a session in their order. */
export const stepsOfSession = async (db: Database, sessionKey: string): Promise<Step[]> =>
  (await newestSteps(db, sessionKey).limit(listMax).execute()).reverse()

/** The steps of a turn: those that it made, and the one that it was the word for. */
export const stepsOfTurn = (db: Database, turnId: string): Promise<Step[]> =>
  steps(db)
    .where((is) => is.or([is('turnId', '=', turnId), is('executedByTurnId', '=', turnId)]))
    .orderBy('createdAt')
    .orderBy('order')
    .execute()

/**
 * The steps as this caller may see them: results of tools that the caller may not use now are left out. Roles change, and an
 * app that reads sessions need not have the rights that the person had.
 */
export function visibleSteps({ operations }: Catalog, { role, scopes }: Member, found: readonly Step[]): Step[] {
  const mayUse = (ref: string) => {
    const operation = operations.find(({ name }) => name === ref)
    return operation !== undefined && atLeast(role, operation.role) && (!scopes || allows([...scopes], operation.scope))
  }
  return found.map((step) => (step.ref && step.output && !mayUse(step.ref) ? { ...step, output: hiddenOutput } : step))
}
const hiddenOutput = { hidden: true, reason: 'You may not use this tool now.' }
