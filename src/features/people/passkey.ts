import { sql } from 'kysely'
import { conflict, invalid, notFound, unauthenticated } from '../../core/define/failure.ts'
import { type Static, Type } from '../../core/define/schema.ts'
import type { Database } from '../../db/database.ts'

/** Passkeys (WebAuthn). The authenticator itself asks for a finger or a PIN, so one counts for both factors. */

/** Loaded when somebody first uses one: the library is the largest there is here, and few processes meet a passkey. */
const webAuthn = () => import('@simplewebauthn/server')

/** Where this server is, as browsers see it: an authenticator signs for one place and no other. */
export type Site = { id: string; origins: string[] }

/** On a development machine the same server is localhost and 127.0.0.1; passkeys know names only. */
export function siteOf(url: string): Site {
  const { protocol, hostname, port } = new URL(url)
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const id = loopback ? 'localhost' : hostname
  return { id, origins: [loopback ? `${protocol}//localhost${port && `:${port}`}` : url] }
}

const base64url = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 20_000 })
const common = { id: base64url, rawId: base64url, type: Type.Literal('public-key') }
const rest = {
  authenticatorAttachment: Type.Optional(Type.String({ maxLength: 40 })),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
}

/** What a browser's `navigator.credentials.create` and `.get` answer, as JSON. */
export const Registration = Type.Object({
  ...common,
  ...rest,
  response: Type.Object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    authenticatorData: Type.Optional(base64url),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
    publicKey: Type.Optional(base64url),
  }),
})
export const Assertion = Type.Object({
  ...common,
  ...rest,
  response: Type.Object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: Type.Optional(Type.Union([base64url, Type.Null()])),
  }),
})

const passkeysMax = 20

export async function beginRegistration(db: Database, site: Site, user: { id: string; email: string; name: string }) {
  const known = await db.selectFrom('passkeys').select('id').where('userId', '=', user.id).execute()
  if (known.length >= passkeysMax) throw conflict(`You have ${passkeysMax} passkeys. Remove one first.`)
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Kontor',
    rpID: site.id,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keep(db, options.challenge, user.id)
  return options
}

export async function addPasskey(
  db: Database,
  site: Site,
  { userId, name, given }: { userId: string; name: string; given: Static<typeof Registration> },
) {
  await spend(db, challengeOf(given.response.clientDataJSON), userId)
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: given as never, // checked by its schema; the library's own type is a little narrower
    expectedChallenge: () => true, // spent above
    expectedOrigin: site.origins,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw invalid('response', 'The authenticator’s answer does not fit. Try again.', 'PASSKEY')
  const { credential, credentialBackedUp: backedUp } = registrationInfo
  const { id, counter, transports = [] } = credential
  const added = await db
    .insertInto('passkeys')
    .values({
      id,
      userId,
      name,
      publicKey: Buffer.from(credential.publicKey),
      counter,
      transports,
      backedUp,
      lastUsedAt: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'name', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst()
  if (!added) throw conflict('This passkey is registered already.')
  return added
}

export async function beginSignIn(db: Database, site: Site) {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({ rpID: site.id, userVerification: 'required' })
  await keep(db, options.challenge, null)
  return options
}

/** Whose passkey signed. What is wrong with it is not told apart. */
export async function signInWithPasskey(db: Database, site: Site, given: Static<typeof Assertion>): Promise<string> {
  await spend(db, challengeOf(given.response.clientDataJSON), null)
  const passkey = await db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.userId')
    .select(['passkeys.id', 'passkeys.userId', 'publicKey', 'counter', 'transports'])
    .where('passkeys.id', '=', given.id)
    .where('disabledAt', 'is', null)
    .executeTakeFirst()
  const { verifyAuthenticationResponse } = await webAuthn()
  const { verified, authenticationInfo } = passkey
    ? await verifyAuthenticationResponse({
        response: given as never, // checked by its schema; the library's own type is a little narrower
        expectedChallenge: () => true, // spent above
        expectedOrigin: site.origins,
        expectedRPID: site.id,
        requireUserVerification: true,
        credential: { ...passkey, publicKey: new Uint8Array(passkey.publicKey), transports: passkey.transports },
      }).catch(() => ({ verified: false, authenticationInfo: undefined }))
    : { verified: false, authenticationInfo: undefined }
  if (!passkey || !verified || !authenticationInfo) {
    throw unauthenticated('This passkey is not known here.', 'WRONG_CREDENTIALS')
  }
  await db
    .updateTable('passkeys')
    .set({ counter: authenticationInfo.newCounter, lastUsedAt: sql`now()` })
    .where('id', '=', passkey.id)
    .execute()
  return passkey.userId
}

export async function removePasskey(db: Database, { userId, id }: { userId: string; id: string }) {
  const removed = db.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId).returning('name')
  const gone = await removed.executeTakeFirst()
  if (!gone) throw notFound('passkey')
  return gone
}

const keep = (db: Database, challenge: string, userId: string | null) =>
  db.insertInto('passkeyChallenges').values({ challenge, userId }).execute()

async function spend(db: Database, challenge: string, userId: string | null) {
  const spent = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challenge)
    .where('userId', 'is not distinct from', userId)
    .returning(sql<boolean>`expires_at > now()`.as('good'))
    .executeTakeFirst()
  if (!spent?.good) throw invalid('response', 'This took too long or was used before. Try again.', 'PASSKEY')
}

/** The challenge that was signed, as the browser says; whether it is ours is found out when it is spent. */
function challengeOf(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}
