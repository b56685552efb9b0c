import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { ById, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { newId } from '../../../../core/values/id.ts'
import { addMessage } from '../sessions/add-message.ts'
import { personalSources } from '../sessions/personal-sources.ts'
import { stepsOfTurn } from '../sessions/read.ts'
import { fedColumns, hiddenError, mayRead, visibleSteps } from '../sessions/readable.ts'
import { Turn, TurnStatus } from '../sessions/session.ts'

const turnNamed = (db: Database, id: string) =>
  db
    .selectFrom('companionTurns')
    .innerJoin('companionSessions', 'companionSessions.key', 'companionTurns.sessionKey')
    .where('companionTurns.id', '=', id)
    .select(['companionTurns.id as turnRunId', 'companionSessions.id as sessionId', 'companionTurns.sessionKey'])
    .select(['companionTurns.status', 'companionTurns.startedAt', 'companionTurns.finishedAt', 'companionTurns.error'])
    .select(fedColumns)

export const get = operation({
  name: 'companion_read_turn',
  http: 'GET /api/companion/turns/{id}',
  does: 'Reads a turn of the companion: its status, its steps, and its text in tokens. Ask again with afterSeq for what came since.',
  scope: 'companion:read',
  sources: personalSources,
  within: 'companionTurns',
  input: Type.Object({
    id: Id,
    afterSeq: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Only tokens with a higher seq.' }),
    ),
  }),
  output: Turn,
  async run({ db, catalog, who }, { id, afterSeq = 0 }) {
    const { sessionKey: _, fedBy, fedRole, fedScopes, ...turn } = await one(turnNamed(db, id), 'companion turn')
    const reader = await who
    const steps = visibleSteps(catalog, reader, await stepsOfTurn(db, id))
    if (!mayRead(catalog, reader)({ fedBy, fedRole, fedScopes }))
      return { ...turn, error: hiddenError(turn.error), steps, tokens: [] }
    return { ...turn, steps, tokens: await tokensOf(db, id, afterSeq) }
  },
})

/** A turn says at most this much (see limits.ts), so that it can be read at once. */
const tokensMax = 10_000

const tokensOf = (db: Database, turnId: string, afterSeq: number) =>
  db
    .selectFrom('companionEvents')
    .where('turnId', '=', turnId)
    .where('kind', '=', 'token')
    .where('seq', '>', afterSeq)
    .select(['seq', 'stepId', sql<string>`delta`.as('delta')])
    .orderBy('seq')
    .limit(tokensMax)
    .execute()

export const cancel = operation({
  name: 'companion_write_cancel_turn',
  http: 'POST /api/companion/turns/{id}/cancel',
  does: 'Cancels a turn. What it has done stays done, and nothing more is done. A turn that has ended keeps its status.',
  scope: 'companion:write',
  sources: personalSources,
  within: 'companionTurns',
  input: ById,
  output: Type.Object({ id: Id, status: TurnStatus }),
  async run({ db }, { id }) {
    await one(turnNamed(db, id), 'companion turn')
    const locked = db.selectFrom('companionTurns').where('id', '=', id).select('status').forNoKeyUpdate()
    const { status } = await one(locked, 'companion turn')
    if (status !== 'RUNNING') return { id, status }
    await sql`select end_turn(${id}, 'CANCELLED', 'Cancelled.', ${interrupted}, null, ${newId()})`.execute(db)
    return { id, status: 'CANCELLED' as const }
  },
})

const interrupted = 'The turn was cancelled while this was being done.'

export const confirm = operation({
  name: 'companion_write_confirm',
  http: 'POST /api/companion/turns/{id}/confirm',
  does: 'Answers what a turn of the companion has asked: YES executes exactly the call that its PENDING step shows, once.',
  scope: 'companion:write',
  sources: personalSources,
  within: 'companionTurns',
  input: Type.Object({
    id: Id,
    answer: Type.Optional(OneOf('YES', 'NO')),
  }),
  output: Type.Object({ turnRunId: Id, stepId: Id }),
  status: 201,
  alsoRates: [{ bucket: 'companionTurns', per: 'person' }],
  async run(context, { id, answer = 'YES' }) {
    const { db } = context
    const { sessionKey } = await one(turnNamed(db, id), 'companion turn')
    const waiting = await pendingStep(db, id)
    if (!waiting) throw conflict('Nothing of this turn waits for your word any more.', 'NOT_PENDING')
    const text = answer === 'YES' ? 'Yes' : 'No'
    const message = { text, ...(answer === 'YES' && { confirmsStepId: waiting.id }) }
    const turnRunId = await addMessage(context, { session: { key: sessionKey }, who: await context.who }, message)
    return { turnRunId, stepId: waiting.id }
  },
})

const pendingStep = (db: Database, turnId: string) =>
  db
    .selectFrom('companionSteps')
    .where('turnId', '=', turnId)
    .where('status', '=', 'PENDING')
    .where('expiresAt', '>', sql<string>`now()`)
    .select('id')
    .executeTakeFirst()
