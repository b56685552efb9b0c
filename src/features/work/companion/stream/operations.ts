import { sql } from 'kysely'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Type } from '../../../../core/define/schema.ts'
import { withTopic } from '../../../../core/define/topic.ts'
import { personalSources } from '../sessions/personal-sources.ts'
import { sessionNamed } from '../sessions/read.ts'
import { type Fed, fedColumns, hiddenData, hiddenError, mayRead } from '../sessions/readable.ts'
import { SessionId } from '../sessions/session.ts'
import { StreamEvent } from './stream-event.ts'

/** How many events an answer has at most. A stream over HTTP reads page after page. */
const eventsMax = 500

export const stream = operation({
  name: 'companion_read_stream',
  http: 'GET /api/companion/sessions/{id}/stream',
  does: 'Reads what happens in a session with the companion: pieces of text, steps and the status of turns. Ask again with lastEventId for what came since.',
  scope: 'companion:read',
  sources: personalSources,
  within: { table: 'companionSessions', by: 'id', idOf: 'caller' },
  streams: true,
  input: Type.Object({
    id: SessionId,
    lastEventId: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only events after this one.' }),
    ),
  }),
  output: Type.Object({
    events: Type.Array(StreamEvent),
    lastEventId: Type.Integer({ description: 'Of the last event here: ask again with it.' }),
    hasMore: Type.Boolean({
      description: `Whether there are more events already; an answer has at most ${eventsMax}.`,
    }),
  }),
  async run({ db, catalog, who }, { id, lastEventId = 0 }) {
    const { key } = await one(sessionNamed(db, id), 'companion session')
    const events = await eventsAfter(db, { key, lastEventId }, mayRead(catalog, await who))
    const last = events.at(-1)?.id ?? lastEventId
    return withTopic({ events, lastEventId: last, hasMore: events.length === eventsMax }, key)
  },
})

type Place = { key: string; lastEventId: number }

/** Of a turn that the caller may not read, its events without their content. */
async function eventsAfter(db: Database, { key, lastEventId }: Place, isReadable: (fed: Fed) => boolean) {
  const rows = await db
    .selectFrom('companionEvents')
    .innerJoin('companionTurns', (join) =>
      join
        .onRef('companionTurns.organizationId', '=', 'companionEvents.organizationId')
        .onRef('companionTurns.id', '=', 'companionEvents.turnId'),
    )
    .where('companionEvents.sessionKey', '=', key)
    .where('seq', '>', lastEventId)
    .select(['seq', 'kind', 'turnId', 'stepId', 'delta', sql<object>`data`.as('data'), ...fedColumns])
    .orderBy('seq')
    .limit(eventsMax)
    .execute()
  return rows.map(({ seq, kind, turnId, stepId, delta, data, ...fed }): StreamEvent => {
    const turnRunId = turnId
    const isHidden = !isReadable(fed)
    const told =
      kind === 'token'
        ? { turnRunId, seq, stepId, delta: isHidden ? '' : delta }
        : { ...data, ...(isHidden && withoutContent(data)), turnRunId }
    return { id: seq, event: kind, data: told as StreamEvent['data'] } // the database builds the data of steps and turns
  })
}

/** The data of a step or a turn: its output and its error are hidden. */
const withoutContent = (data: { output?: unknown; error?: string | null }) => ({
  ...('output' in data && { output: data.output === null ? null : hiddenData }),
  error: hiddenError(data.error ?? null),
})
