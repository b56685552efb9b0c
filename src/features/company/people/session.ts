import { sql } from 'kysely'
import type { AccountContext, Origin } from '../../../core/define/account.ts'
import { notFound, unauthenticated } from '../../../core/define/failure.ts'
import { toUuid } from '../../../core/define/query.ts'
import type { Static } from '../../../core/define/schema.ts'
import type { Services } from '../../../core/define/services.ts'
import { base62, newId, sha256 } from '../../../core/values/id.ts'
import type { Database } from '../../../db/database.ts'
import type { SessionList, SignedIn } from './person.ts'
import { signedInAs } from './signed-in.ts'

type SessionOrigin = Pick<Origin, 'address' | 'userAgent'>

/** A new session; its secret leaves in a cookie and only its hash is stored (SEC class B). */
export async function startSession(
  db: Database,
  { userId, remember, ...origin }: { userId: string; remember: boolean } & SessionOrigin,
) {
  const secret = base62(43)
  const endsAt = sql<string>`now() + make_interval(days => ${remember ? 30 : 7})` // the clock that will also end it
  const session = { id: newId(), userId, secretHash: sha256(secret), endsAt, ...trimmed(origin) }
  const started = await db.insertInto('sessions').values(session).returning('endsAt').executeTakeFirstOrThrow()
  return { secret, endsAt: new Date(started.endsAt) }
}

/**
 * Starts a session for the caller's browser and ends the one that it had: there is a new secret at every sign-in, and
 * after every change of what proves the person (WEB-1).
 */
export async function beginSession(
  db: Database,
  { origin, sessionHash, session, catalog }: AccountContext & Pick<Services, 'catalog'>,
  { userId, remember = false }: { userId: string; remember?: boolean | undefined },
): Promise<SignedIn> {
  const { address, userAgent } = origin
  const { secret, endsAt } = await startSession(db, { userId, remember, address, userAgent })
  if (sessionHash) await endSessionByHash(db, sessionHash)
  session({ start: { secret, endsAt } })
  return signedInAs(db, userId, { catalog })
}

const trimmed = ({ address, userAgent }: SessionOrigin) => ({ address, userAgent: userAgent?.slice(0, 300) ?? null })

/** The session behind a secret, while it lasts. */
export async function sessionOf(db: Database, secret: string | undefined) {
  const session =
    secret &&
    (await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.userId')
      .select(['sessions.id', 'sessions.userId'])
      .select(sql<boolean>`signed_in_at > now() - interval '12 hours'`.as('isRecent')) // for what takes that (WEB-6)
      .where('secretHash', '=', sha256(secret))
      .where('endsAt', '>', sql<string>`now()`)
      .where('lastSeenAt', '>', sql<string>`now() - interval '12 hours'`)
      .where('disabledAt', 'is', null)
      .executeTakeFirst())
  if (!session) throw unauthenticated('You are not signed in.')
  return session
}

/** Whether the secret is that of a session of this person, while it lasts. */
export async function hasSession(
  db: Database,
  { userId, sessionHash }: { userId: string; sessionHash: Buffer | null },
): Promise<boolean> {
  if (!sessionHash) return false
  const session = db
    .selectFrom('sessions')
    .select('id')
    .where('secretHash', '=', sessionHash)
    .where('userId', '=', userId)
    .where('endsAt', '>', sql<string>`now()`)
    .where('lastSeenAt', '>', sql<string>`now() - interval '12 hours'`)
  return (await session.executeTakeFirst()) !== undefined
}

export async function listSessions(
  db: Database,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<Static<typeof SessionList>> {
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'signedInAt', 'lastSeenAt', 'endsAt', 'userAgent', 'address'])
    .where('userId', '=', userId)
    .where('endsAt', '>', sql<string>`now()`)
    .where('lastSeenAt', '>', sql<string>`now() - interval '12 hours'`)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
  return { sessions: sessions.map((session) => ({ ...session, current: session.id === sessionId })) }
}

/** Ends one of the person's own sessions; the very next request with it is refused (INV-21). */
export async function endSession(db: Database, { userId, sessionId }: { userId: string; sessionId: string }) {
  const ended = db
    .deleteFrom('sessions')
    .where('id', '=', toUuid(sessionId))
    .where('userId', '=', userId)
    .returning('id')
  if (!(await ended.executeTakeFirst())) throw notFound('session')
}

export const endSessionByHash = (db: Database, secretHash: Buffer) =>
  db.deleteFrom('sessions').where('secretHash', '=', secretHash).execute()

export const endAllSessions = (db: Database, userId: string) =>
  db.deleteFrom('sessions').where('userId', '=', userId).execute()
