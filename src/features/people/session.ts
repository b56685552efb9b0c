import { sql } from 'kysely'
import { notFound, unauthenticated } from '../../core/define/failure.ts'
import { toUuid } from '../../core/define/query.ts'
import { base62, newId, sha256 } from '../../core/values/id.ts'
import type { Database } from '../../db/database.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { SignedIn } from './person.ts'
import type { Origin } from './sign-in.ts'

/** A new session; its secret leaves in a cookie and only its hash stays (SEC class B). */
export async function startSession(
  db: Database,
  { userId, remember, ...origin }: { userId: string; remember: boolean } & Origin,
) {
  const secret = base62(43)
  const endsAt = sql<string>`now() + make_interval(days => ${remember ? 30 : 7})` // the clock that will also end it
  const session = { id: newId(), userId, secretHash: sha256(secret), endsAt, ...trimmed(origin) }
  const started = await db.insertInto('sessions').values(session).returning('endsAt').executeTakeFirstOrThrow()
  return { secret, endsAt: new Date(started.endsAt), signedIn: await signedInAs(db, userId) }
}

const trimmed = ({ address, userAgent }: Origin) => ({ address, userAgent: userAgent?.slice(0, 300) ?? null })

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

export async function signedInAs(db: Database, userId: string): Promise<SignedIn> {
  const { user, organizations } = await pipeline({
    user: db.selectFrom('users').select(['id', 'name', 'email']).where('id', '=', userId).executeTakeFirstOrThrow(),
    organizations: db
      .selectFrom('memberships')
      .innerJoin('organizations', 'organizations.id', 'memberships.organizationId')
      .select(['organizations.id', 'organizations.name', 'country', 'currency', 'role'])
      .where('userId', '=', userId)
      .orderBy('organizations.name')
      .orderBy('organizations.id')
      .execute(),
  })
  return { user, organizations }
}

export async function listSessions(db: Database, { id, userId }: { id: string; userId: string }) {
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
  return { sessions: sessions.map((session) => ({ ...session, current: session.id === id })) }
}

/** Ends one of the person's own sessions; it has no effect on the very next request (INV-21). */
export async function endSession(db: Database, { userId, sessionId }: { userId: string; sessionId: string }) {
  const ended = db
    .deleteFrom('sessions')
    .where('id', '=', toUuid(sessionId))
    .where('userId', '=', userId)
    .returning('id')
  if (!(await ended.executeTakeFirst())) throw notFound('session')
}

export const endSessionBySecret = (db: Database, secret: string) =>
  db.deleteFrom('sessions').where('secretHash', '=', sha256(secret)).execute()
