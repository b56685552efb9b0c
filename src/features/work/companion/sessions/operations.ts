import { Readable } from 'node:stream'
import { invalid } from '../../../../core/define/failure.ts'
import { type Inside, type Member, operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { bounded, one, paged } from '../../../../core/define/query.ts'
import { Id, InOrganization, optional, Success, success, Type } from '../../../../core/define/schema.ts'
import { File } from '../../../../core/files/file.ts'
import { newId } from '../../../../core/values/id.ts'
import { addMessage } from './add-message.ts'
import { personalSources } from './personal-sources.ts'
import { messagesOf, newestSteps, sessionNamed, stepsOfSession, summaries } from './read.ts'
import { visibleMessages, visibleSteps } from './readable.ts'
import { Attachments, SessionDetail, SessionId, SessionSummary, Step } from './session.ts'

const BySession = Type.Object({ id: SessionId })
const ofCaller = { table: 'companionSessions', by: 'id', idOf: 'caller' } as const
const MessageText = Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S' })
const Title = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
const perPerson = [{ bucket: 'companionTurns', per: 'person' }] as const

export const list = operation({
  name: 'companion_read_sessions',
  http: 'GET /api/companion/sessions',
  does: 'Lists your sessions with the companion, the latest first.',
  scope: 'companion:read',
  sources: personalSources,
  within: 'organizationId',
  input: Type.Object({
    ...InOrganization.properties,
    ...optional({ archived: Type.Boolean({ description: 'Only archived sessions, or only others.' }) }),
  }),
  output: Type.Object({ sessions: Type.Array(SessionSummary) }),
  async run({ db }, { archived }) {
    let query = summaries(db).orderBy('lastActivityAt', 'desc').orderBy('key')
    if (archived !== undefined) query = query.where('archived', '=', archived)
    return { sessions: await bounded(query).execute() }
  },
})

export const create = operation({
  name: 'companion_write_sessions',
  http: 'POST /api/companion/sessions',
  does: 'Starts a session with the companion by a message, or adds the message to the session of that sessionId.',
  scope: 'companion:write',
  sources: personalSources,
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    sessionId: SessionId,
    text: MessageText,
    ...optional({ title: Title, icon: Type.String({ minLength: 1, maxLength: 100 }), attachments: Attachments }),
  }),
  output: Type.Object({ sessionId: SessionId, turnRunId: Id }),
  status: 201,
  alsoRates: perPerson,
  async run(context, { sessionId, text, title, icon, attachments }) {
    const session = await findOrCreate(context, { id: sessionId, title: title ?? titleOf(text), icon: icon ?? null })
    const who = await context.who
    return { sessionId, turnRunId: await addMessage(context, { session, who }, { text, attachments }) }
  },
})

/** Two requests at the same time with the same new id create one session: the second waits for the first, and finds it. */
async function findOrCreate({ db }: Inside, session: { id: string; title: string; icon: string | null }) {
  await db
    .insertInto('companionSessions')
    .values({ key: newId(), ...session })
    .onConflict((taken) => taken.constraint('one_session_per_id').doNothing())
    .execute()
  const found = await sessionNamed(db, session.id).executeTakeFirst()
  if (found) return found
  throw invalid(
    'sessionId',
    'You have a session of that id in another organization. Choose another id.',
    'IN_OTHER_ORGANIZATION',
  )
}

function titleOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 60 ? `${[...line].slice(0, 59).join('')}…` : line
}

export const get = operation({
  name: 'companion_read_session',
  http: 'GET /api/companion/sessions/{id}',
  does: 'Reads a session: its messages and the steps that the companion took.',
  scope: 'companion:read',
  sources: personalSources,
  within: ofCaller,
  input: BySession,
  output: SessionDetail,
  run: (context, { id }) => detailOf(context, id),
})

async function detailOf({ db, catalog, who }: Inside<unknown>, id: string) {
  const session = await one(sessionNamed(db, id), 'companion session')
  const { key, ...rest } = session
  const summary = await summaries(db).where('key', '=', key).executeTakeFirstOrThrow()
  const active = db.selectFrom('companionTurns').where('sessionKey', '=', key).where('status', '=', 'RUNNING')
  const turn = await active.select('id').orderBy('number').limit(1).executeTakeFirst()
  const reader = (await who) as Member
  const messages = visibleMessages(catalog, reader, await messagesOf(db, key))
  const steps = visibleSteps(catalog, reader, await stepsOfSession(db, key))
  return { ...rest, ...summary, messages, steps, activeTurnRunId: turn?.id ?? null }
}

export const update = operation({
  name: 'companion_write_session',
  http: 'PATCH /api/companion/sessions/{id}',
  does: 'Renames a session, or moves it to the archive or back.',
  scope: 'companion:write',
  sources: personalSources,
  within: ofCaller,
  input: Type.Object({ id: SessionId, ...optional({ title: Title, archived: Type.Boolean() }) }),
  output: SessionSummary,
  alsoShown: SessionDetail,
  async run({ db }, { id, title, archived }) {
    if (title === undefined && archived === undefined)
      throw invalid('title', 'Give a title, or say whether it is archived.')
    const changes = { ...(title !== undefined && { title }), ...(archived !== undefined && { archived }) }
    await db.updateTable('companionSessions').set(changes).where('id', '=', id).execute()
    return one(summaries(db).where('id', '=', id), 'companion session')
  },
})

export const remove = operation({
  name: 'companion_delete_session',
  http: 'DELETE /api/companion/sessions/{id}',
  does: 'Deletes a session with all messages and steps. A turn that is running ends. What the companion did stays done.',
  scope: 'companion:write',
  sources: personalSources,
  within: ofCaller,
  input: BySession,
  output: Success,
  async run({ db, ask }, { id }) {
    const deleted = db.deleteFrom('companionSessions').where('id', '=', id).returning('key')
    const { key } = await one(deleted, 'companion session')
    await ask("select pg_notify('companion', $1)", [key]) // its streams end
    return success
  },
})

export const write = operation({
  name: 'companion_write_messages',
  http: 'POST /api/companion/sessions/{id}/messages',
  does: 'Sends a message to the companion. "Yes" executes what it has just asked about; any other text does not.',
  scope: 'companion:write',
  sources: personalSources,
  within: ofCaller,
  input: Type.Object({ id: SessionId, text: MessageText, attachments: Type.Optional(Attachments) }),
  output: Type.Object({ turnRunId: Id }),
  status: 201,
  alsoRates: perPerson,
  async run(context, { id, text, attachments }) {
    const session = await one(sessionNamed(context.db, id), 'companion session')
    const who = await context.who
    return { turnRunId: await addMessage(context, { session, who }, { text, attachments }) }
  },
})

export const runlog = operation({
  name: 'companion_read_runlog',
  http: 'GET /api/companion/sessions/{id}/runlog',
  does: 'Lists the steps that the companion took in a session, the newest first.',
  scope: 'companion:read',
  sources: personalSources,
  within: ofCaller,
  input: Type.Object({ id: SessionId, ...paging({ limit: 50, max: 200 }) }),
  output: Type.Object({ steps: Type.Array(Step), pagination: Pagination }),
  async run({ db, catalog, who }, { id, ...page }) {
    const { key } = await one(sessionNamed(db, id), 'companion session')
    const { rows, pagination } = await paged(newestSteps(db, key), page)
    return { steps: visibleSteps(catalog, await who, rows), pagination }
  },
})

export const download = operation({
  name: 'companion_read_export',
  http: 'GET /api/companion/sessions/{id}/export',
  does: 'Downloads a session as JSON: the session, its messages, its steps and when it was exported.',
  scope: 'companion:read',
  sources: personalSources,
  within: ofCaller,
  input: BySession,
  output: File,
  async run(context, { id }) {
    const { now } = context
    const { messages, steps, ...session } = await detailOf(context, id)
    const bytes = Buffer.from(JSON.stringify({ session, messages, steps, exportedAt: now.toISOString() }, null, 2))
    const open = async () => Readable.from([bytes])
    return { fileName: `companion-${id}.json`, fileType: 'application/json', fileSize: bytes.length, bytes, open }
  },
})
