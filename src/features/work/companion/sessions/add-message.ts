import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import type { Inside, Member } from '../../../../core/define/operation.ts'
import { newId } from '../../../../core/values/id.ts'
import type { Attachment } from './session.ts'

/** More would make the session too long to read; the person begins another one. */
const messagesMax = 500

export type NewMessage = { text: string; attachments?: readonly Attachment[] | undefined; confirmsStepId?: string }

/** Adds a message of the person to a session, with the turn that answers it. Turns of a session run one after the other. */
export async function addMessage(
  { db, enqueue }: Pick<Inside, 'db' | 'enqueue'>,
  { session, who }: { session: { key: string }; who: Member },
  { text, attachments, confirmsStepId }: NewMessage,
): Promise<string> {
  const turnId = newId()
  const { index, mine } = await nextIndex(db, session.key)
  if (mine >= messagesMax)
    throw conflict(`This session has ${messagesMax} messages. Start another one with a new sessionId.`, 'SESSION_FULL')
  await db
    .insertInto('companionTurns')
    .values({
      id: turnId,
      sessionKey: session.key,
      number: index,
      source: turnSource(who),
      credentialHash: who.credential,
      ...(confirmsStepId && { confirmsStepId }),
    })
    .execute()
  const given =
    attachments && attachments.length > 0
      ? { attachments: sql<Attachment[]>`${JSON.stringify(attachments)}::jsonb` }
      : {}
  await db
    .insertInto('companionMessages')
    .values({ id: newId(), sessionKey: session.key, turnId, role: 'user', index, text, ...given })
    .execute()
  await sql`select append_companion_events(${session.key}, ${turnId}, '{turn}', array[null::uuid], array[null::text],
    array[${JSON.stringify({ turnRunId: turnId, status: 'RUNNING', error: null })}::jsonb])`.execute(db)
  enqueue('run-turn', { turnId }, { key: `turn:${turnId}` })
  return turnId
}

/** Messages are numbered under a lock on their session. */
async function nextIndex(db: Inside['db'], sessionKey: string) {
  const { lastIndex } = await db
    .updateTable('companionSessions')
    .set({ lastIndex: sql<number>`last_index + 1`, archived: false })
    .where('key', '=', sessionKey)
    .returning('lastIndex')
    .executeTakeFirstOrThrow()
  const { mine } = await db
    .selectFrom('companionTurns')
    .where('sessionKey', '=', sessionKey)
    .select(sql<number>`count(*)::integer`.as('mine'))
    .executeTakeFirstOrThrow()
  return { index: lastIndex, mine }
}

function turnSource({ source }: Member): 'SESSION' | 'API_KEY' | 'OAUTH' {
  if (source === 'SESSION' || source === 'API_KEY' || source === 'OAUTH') return source
  throw new Error(`A message of the companion cannot come from ${source}.`) // the operations declare their sources
}
