import { sql } from 'kysely'
import { Failure } from '../../../../core/define/failure.ts'
import { requireLiveSession } from '../../../../core/define/live-session.ts'
import type { Database, Inside, Member, Outside } from '../../../../core/define/operation.ts'
import { lockFor } from '../../../../core/define/query.ts'
import type { ConnectedMailbox, OAuthMailProvider } from '../../../../core/outside/mail-oauth.ts'
import { newId, sha256 } from '../../../../core/values/id.ts'
import { sealTokens } from '../secrets.ts'
import { isStateOf, newState, secretsOf } from './state.ts'
import { toStored } from './tokens.ts'

type Context = Outside<'organizationId'>

const providers = { gmail: 'GMAIL', outlook: 'OUTLOOK' } as const satisfies Record<string, OAuthMailProvider>
/** A provider as addresses spell it. */
export type ProviderPath = keyof typeof providers
const providerOf = (path: ProviderPath): OAuthMailProvider => providers[path]

/** Sends a person to the provider: remembers that they went, and answers where to. */
export async function beginConnect(context: Context, path: ProviderPath, name: string) {
  const { mailOAuth, secrets, installation, once } = context
  const provider = providerOf(path)
  const { organizationId, userId, sessionId } = sessionOf(await context.who)
  const key = secrets.derived('oauth-state')
  const state = newState(key, { provider, organizationId, userId, sessionId })
  const redirectUri = redirectUriOf(installation.url, path)
  const authorizeUrl = await mailOAuth.authorizeUrl(provider, { redirectUri, state, ...secretsOf(key, state) })
  return once(async ({ db }) => {
    await db
      .insertInto('mailConnects')
      .values({ stateHash: sha256(state), provider, name, sessionId })
      .execute()
    return { authorizeUrl, state }
  })
}

/** What a provider sends the browser back with. */
export type ProviderAnswer = { state: string; code?: string; iss?: string; error?: string }

/**
 * Connects the mailbox that a person has allowed access to. The state is used up first, so that whatever follows, the same
 * answer does nothing a second time; the provider is called only if everything else is right.
 */
export async function endConnect(context: Context, path: ProviderPath, answer: ProviderAnswer) {
  const { mailOAuth, secrets, installation, tx, once } = context
  const provider = providerOf(path)
  const who = sessionOf(await context.who)
  const { organizationId } = who
  const key = secrets.derived('oauth-state')
  const { state, code, iss, error } = answer
  if (!isStateOf(key, { provider, ...who }, state)) throw notThisConnect()
  const name = await tx(({ db }) => takeConnect(db, { provider, state, ...who }))
  if (name === undefined) throw notThisConnect()
  if (iss !== undefined) mailOAuth.requireIssuer(provider, iss)
  if (error !== undefined || code === undefined) throw denied(error)
  const redirectUri = redirectUriOf(installation.url, path)
  const mailbox = await mailOAuth.redeem(provider, { organizationId, code, redirectUri, ...secretsOf(key, state) })
  return once(async (inside) => {
    await requireLiveSession(inside.db, who)
    return keepConnection(inside, { organizationId, provider, name, mailbox })
  })
}

/** The address that the provider sends the browser back to; the operator registers it there, letter for letter. */
const redirectUriOf = (url: string, path: ProviderPath) => `${url}/api/expenses/email-connect/${path}/callback`

type Person = { organizationId: string; userId: string; sessionId: string }

function sessionOf({ organizationId, userId, sessionId }: Member): Person {
  if (!sessionId) throw new Error('A mailbox is connected in a session only.')
  return { organizationId, userId, sessionId }
}

/** Uses a state up. Its name for the connection; undefined if it was used, has expired or is not of this person. */
async function takeConnect(
  db: Database,
  { provider, state, userId, sessionId }: Person & { provider: OAuthMailProvider; state: string },
) {
  const taken = await db
    .deleteFrom('mailConnects')
    .where('stateHash', '=', sha256(state))
    .where('provider', '=', provider)
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .where('expiresAt', '>', sql<string>`now()`)
    .returning('name')
    .executeTakeFirst()
  return taken?.name
}

type Kept = { organizationId: string; provider: OAuthMailProvider; name: string; mailbox: ConnectedMailbox }

/** A new connection, or new tokens for the one that the mailbox has; that no longer needs attention. */
async function keepConnection(inside: Inside<'organizationId'>, { organizationId, provider, name, mailbox }: Kept) {
  const { db, audit } = inside
  const { address, accessToken: access, refreshToken: refresh, expiresInS } = mailbox
  await lockFor(db, `mailbox ${provider} ${address.toLowerCase()}`)
  const found = await db
    .selectFrom('mailConnections')
    .select(['id', 'name', 'username'])
    .where('provider', '=', provider)
    .where(sql<boolean>`lower(username) = lower(${address})`)
    .where('deletedAt', 'is', null)
    .orderBy(sql`tokens is null`)
    .orderBy('createdAt')
    .executeTakeFirst()
  const id = found?.id ?? newId()
  const tokens = await sealTokens(inside, { id, organizationId }, toStored({ access, refresh }))
  const fresh = { tokens, tokenExpiresAt: sql<string>`now() + make_interval(secs => ${expiresInS})` }
  if (found) {
    const mended = { enabled: true, password: null, attention: null, failures: 0, retryAt: null, refreshingUntil: null }
    await db
      .updateTable('mailConnections')
      .set({ ...fresh, ...mended })
      .where('id', '=', id)
      .execute()
  } else {
    await db
      .insertInto('mailConnections')
      .values({ id, name, provider, username: address, ...fresh })
      .execute()
  }
  audit({ provider, username: found?.username ?? address, reconnected: found !== undefined })
  return { id, provider, name: found?.name ?? name, username: found?.username ?? address }
}

const notThisConnect = () => {
  const message =
    'This request to connect a mailbox has expired, was used before, or belongs to another sign-in. Start again.'
  return new Failure('VALIDATION', message, { details: [{ path: 'state', message, code: 'MAIL_CONNECT_STATE' }] })
}

/** `error` is a word of the provider; it is shown only if it is one of the protocol. */
function denied(error: string | undefined) {
  const known = error !== undefined && /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''
  const message =
    error === 'access_denied'
      ? 'Access to the mailbox was denied at the provider. Nothing was connected.'
      : `The provider gave no access to the mailbox${known}. Nothing was connected.`
  return new Failure('VALIDATION', message, { details: [{ path: 'error', message, code: 'MAIL_PROVIDER_REFUSED' }] })
}
