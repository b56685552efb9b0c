import { sql } from 'kysely'
import { conflict, invalid, notFound, unauthenticated } from '../../../../core/define/failure.ts'
import type { Outside } from '../../../../core/define/operation.ts'
import { type Static, Text, Type } from '../../../../core/define/schema.ts'
import type { Database } from '../../../../db/database.ts'

/** Passkeys (WebAuthn). The authenticator itself asks for a fingerprint or a PIN, so a passkey counts for both factors. */

/** Loaded at the first use: the library is large, and most processes never need it. */
const webAuthn = () => import('@simplewebauthn/server')

/** This server as browsers see it: an authenticator signs for one site only. */
export type Site = { id: string; origins: string[] }

/** WebAuthn takes host names only, so a numeric loopback address becomes localhost. */
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

/** What `navigator.credentials.create` and `.get` are given, as JSON. */
export const RegistrationOptions = Type.Object({
  challenge: Text,
  rp: Type.Object({ id: Text, name: Text }),
  user: Type.Object({ id: Text, name: Text, displayName: Text }),
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Text })),
  timeout: Type.Integer(),
  attestation: Text,
  excludeCredentials: Type.Array(Type.Object({ id: Text, type: Text })),
  authenticatorSelection: Type.Object({
    residentKey: Text,
    userVerification: Text,
    requireResidentKey: Type.Boolean(),
  }),
  extensions: Type.Object({ credProps: Type.Boolean() }),
  hints: Type.Array(Text),
})
export const AuthenticationOptions = Type.Object({
  challenge: Text,
  rpId: Text,
  timeout: Type.Integer(),
  userVerification: Text,
})

const passkeysMax = 20

export const passkeyIds = (db: Database, userId: string) =>
  db.selectFrom('passkeys').select('id').where('userId', '=', userId).execute()

/** Options for a new passkey beside those that the person has. */
export async function registrationOptions(
  site: Site,
  user: { id: string; email: string; name: string },
  known: { id: string }[],
): Promise<Static<typeof RegistrationOptions>> {
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
  return options as Static<typeof RegistrationOptions> // the library's type leaves out what these settings always give
}

/** What the authenticator made, if it answered rightly. */
export async function verifyRegistration(site: Site, given: Static<typeof Registration>) {
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: given as never, // checked by its schema; the library's own type is a little narrower
    expectedChallenge: () => true, // spendChallenge checked it
    expectedOrigin: site.origins,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw invalid('response', 'The authenticator’s answer does not fit. Try again.', 'PASSKEY')
  const { credential, credentialBackedUp: backedUp } = registrationInfo
  const { id, counter, transports = [], publicKey } = credential
  return { id, counter, transports, backedUp, publicKey: Buffer.from(publicKey) }
}

type NewPasskey = Awaited<ReturnType<typeof verifyRegistration>> & { userId: string; name: string }

export async function insertPasskey(db: Database, passkey: NewPasskey) {
  const added = await db
    .insertInto('passkeys')
    .values({ ...passkey, lastUsedAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['id', 'name', 'createdAt', 'lastUsedAt'])
    .executeTakeFirst()
  if (!added) throw conflict('This passkey is registered already.')
  return added
}

export async function authenticationOptions(site: Site): Promise<Static<typeof AuthenticationOptions>> {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({ rpID: site.id, userVerification: 'required' })
  return options as Static<typeof AuthenticationOptions> // the library's type leaves out what these settings always give
}

/** The owner of the passkey that signed. Every refusal gets the same message. */
export async function verifyPasskey(
  { tx }: Pick<Outside<'caller'>, 'tx'>,
  site: Site,
  given: Static<typeof Assertion>,
): Promise<{ userId: string; recordUse(db: Database): Promise<void> }> {
  const passkey = await tx(({ db }) => findPasskey(db, given.id))
  const { verifyAuthenticationResponse } = await webAuthn()
  const { verified, authenticationInfo } = passkey
    ? await verifyAuthenticationResponse({
        response: given as never, // checked by its schema; the library's own type is a little narrower
        expectedChallenge: () => true, // spendChallenge checked it
        expectedOrigin: site.origins,
        expectedRPID: site.id,
        requireUserVerification: true,
        credential: { ...passkey, publicKey: new Uint8Array(passkey.publicKey), transports: passkey.transports },
      }).catch(() => ({ verified: false, authenticationInfo: undefined }))
    : { verified: false, authenticationInfo: undefined }
  if (!passkey || !verified || !authenticationInfo) throw unknownPasskey()
  const used = { counter: authenticationInfo.newCounter, lastUsedAt: sql<string>`now()` }
  return {
    userId: passkey.userId,
    /** Under the lock of the account: a passkey that was removed meanwhile is refused. */
    async recordUse(db) {
      const known = db.updateTable('passkeys').set(used).where('id', '=', passkey.id).returning('id')
      if (!(await known.executeTakeFirst())) throw unknownPasskey()
    },
  }
}

const unknownPasskey = () => unauthenticated('This passkey is not known here.', 'WRONG_CREDENTIALS')

const findPasskey = (db: Database, id: string) =>
  db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.userId')
    .select(['passkeys.id', 'passkeys.userId', 'publicKey', 'counter', 'transports'])
    .where('passkeys.id', '=', id)
    .where('disabledAt', 'is', null)
    .executeTakeFirst()

export async function removePasskey(db: Database, { userId, id }: { userId: string; id: string }) {
  const removed = db.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId).returning('name')
  const gone = await removed.executeTakeFirst()
  if (!gone) throw notFound('passkey')
  return gone
}

/** Stores a challenge for a person, or with null for any person. */
export const insertChallenge = (db: Database, challenge: string, userId: string | null) =>
  db.insertInto('passkeyChallenges').values({ challenge, userId }).execute()

type Signed = { response: { clientDataJSON: string } }

/** Uses up the challenge that was signed; one that is unknown, used or too old is refused. */
export async function spendChallenge(db: Database, { response }: Signed, userId: string | null) {
  const spent = await db
    .deleteFrom('passkeyChallenges')
    .where('challenge', '=', challengeOf(response.clientDataJSON))
    .where('userId', 'is not distinct from', userId)
    .returning(sql<boolean>`expires_at > now()`.as('isValid'))
    .executeTakeFirst()
  if (!spent?.isValid) throw invalid('response', 'This took too long or was used before. Try again.', 'PASSKEY')
}

/** The challenge that was signed, as the browser says. */
function challengeOf(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}
