import { operation } from '../../../core/define/operation.ts'
import { ById, Success, success, Type } from '../../../core/define/schema.ts'
import { withSession } from './account-surface.ts'
import { SessionList, SignedIn } from './person.ts'
import { endAllSessions, endSession, listSessions } from './session.ts'
import { signedInAs } from './signed-in.ts'

export const current = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_session',
  http: 'GET /api/auth/session',
  does: 'Shows the signed-in person with their preferences, and their organizations with what the app shows around everything else.',
  scope: 'users:read',
  input: Type.Object({}),
  output: SignedIn,
  run: async ({ db, who, catalog }) => signedInAs(db, (await who).userId, { catalog }),
})

export const list = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_sessions',
  http: 'GET /api/auth/sessions',
  does: 'Lists the sessions of the signed-in person.',
  scope: 'users:read',
  input: Type.Object({}),
  output: SessionList,
  run: async ({ db, who }) => listSessions(db, await who),
})

export const end = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_session_end',
  http: 'DELETE /api/auth/sessions/{id}',
  does: 'Ends one session of the signed-in person.',
  scope: 'users:write',
  input: ById,
  output: Success,
  recordedAs: null,
  async run({ db, who }, { id }) {
    const { userId } = await who
    await endSession(db, { userId, sessionId: id })
    return success
  },
})

export const signOutEverywhere = operation({
  ...withSession,
  pool: 'system',
  name: 'auth_sign_out_everywhere',
  http: 'POST /api/auth/sign-out-everywhere',
  does: 'Ends every session of the signed-in person.',
  scope: 'users:write',
  input: Type.Object({}),
  output: Success,
  session: 'ENDS',
  recordedAs: 'auth.signed_out_everywhere',
  async run({ db, who, session }) {
    await endAllSessions(db, (await who).userId)
    session({ end: true })
    return success
  },
})
