import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Inside } from '../../../../core/define/operation.ts'
import {
  type MailboxServer,
  type MailOAuth,
  MailOAuthFailure,
  type OAuthMailProvider,
} from '../../../../core/outside/mail-oauth.ts'
import { MailboxFailure } from '../../../../core/outside/mailbox.ts'
import { isLostSecret } from '../../../../core/secrets/vault.ts'
import { openTokens, sealTokens } from '../secrets.ts'
import { fromStored, type StoredTokens, toStored } from './tokens.ts'

type Vault = Pick<Inside, 'db' | 'secrets'>
/** The context of a job or of an operation that talks to the network. */
type Context = { mailOAuth: MailOAuth; tx<T>(work: (inside: Vault) => Promise<T>): Promise<T> }

export type OAuthConnection = { id: string; organizationId: string; provider: OAuthMailProvider }

/** How to open a mailbox whose owner signed in at the provider. */
export type OAuthAccess = MailboxServer & { login: { accessToken: string } }

/** A token that is refreshed once it is this close to its end lasts for any one connection that is opened with it. */
const freshFor = sql.raw("interval '2 minutes'")
/** How long one process may take to refresh: longer than the call of the provider can last. */
const leaseS = 40
const waitMs = 250

/**
 * The server of the provider and an access token that is good for at least two minutes. A token that is not is refreshed
 * first. Providers may replace the refresh token when it is used, so one process at a time refreshes a connection and the
 * others wait for its result. Throws MailboxFailure: LOGIN if a person has to connect the mailbox again.
 */
export async function accessFor(context: Context, connection: OAuthConnection): Promise<OAuthAccess> {
  const giveUpAt = performance.now() + (leaseS + 5) * 1000
  for (;;) {
    const found = await context.tx((vault) => readOrLease(vault, connection))
    const access = found.state === 'STALE' ? await refresh(context, connection, found) : found.access
    if (access) return { ...context.mailOAuth.imapServer(connection.provider), login: { accessToken: access.reveal() } }
    if (performance.now() > giveUpAt)
      throw new MailboxFailure('UNAVAILABLE', 'The access could not be renewed in time.')
    await sleep(waitMs)
  }
}

type Found =
  | { state: 'FRESH'; access: StoredTokens['access'] }
  | { state: 'STALE'; tokens: StoredTokens; sealed: Buffer }
  /** Another process refreshes it. */
  | { state: 'LEASED'; access: undefined }

/** The stored access token if it is fresh; otherwise the right to refresh it, unless another process has that. */
async function readOrLease({ db, secrets }: Vault, connection: OAuthConnection): Promise<Found> {
  const row = await db
    .selectFrom('mailConnections')
    .select('tokens')
    .select(sql<boolean | null>`token_expires_at > now() + ${freshFor}`.as('isFresh'))
    .select(sql<boolean | null>`refreshing_until > now()`.as('isLeased'))
    .where('id', '=', connection.id)
    .where('provider', '=', connection.provider)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const sealed = row?.tokens
  const stored = sealed && (await openTokens({ db, secrets }, connection).catch(failIfLost))
  if (!sealed || !stored)
    throw new MailboxFailure('LOGIN', 'Nobody has signed in to this mailbox yet. Connect it with its provider.')
  const tokens = fromStored(stored)
  if (row.isFresh) return { state: 'FRESH', access: tokens.access }
  if (row.isLeased) return { state: 'LEASED', access: undefined }
  await db
    .updateTable('mailConnections')
    .set({ refreshingUntil: sql<string>`now() + make_interval(secs => ${leaseS})` })
    .where('id', '=', connection.id)
    .execute()
  return { state: 'STALE', tokens, sealed }
}

const failIfLost = (error: unknown): never => {
  if (!isLostSecret(error)) throw error
  throw new MailboxFailure(
    'LOGIN',
    'The sign-in was lost together with the key of this installation. Connect the mailbox with its provider again.',
  )
}

type Stale = Extract<Found, { state: 'STALE' }>

/** The new access token; undefined if the tokens were replaced meanwhile, because somebody connected the mailbox again. */
async function refresh({ mailOAuth, tx }: Context, connection: OAuthConnection, { tokens, sealed }: Stale) {
  const { organizationId, provider } = connection
  try {
    const given = await mailOAuth.refresh(provider, { organizationId, refreshToken: tokens.refresh })
    const renewed = { access: given.accessToken, refresh: given.refreshToken ?? tokens.refresh }
    const isKept = await tx(async (vault) => {
      const column = await sealTokens(vault, connection, toStored(renewed))
      const tokenExpiresAt = sql<string>`now() + make_interval(secs => ${given.expiresInS})`
      return replaceTokens(vault, connection, sealed, { tokens: column, tokenExpiresAt })
    })
    return isKept ? renewed.access : undefined
  } catch (error) {
    const isSame = await tx((vault) => replaceTokens(vault, connection, sealed, {}))
    if (!isSame) return undefined
    if (!(error instanceof MailOAuthFailure)) throw error
    throw new MailboxFailure(error.isRevoked ? 'LOGIN' : 'UNAVAILABLE', error.message)
  }
}

type TokenColumns = { tokens?: Buffer; tokenExpiresAt?: ReturnType<typeof sql<string>> }

/** Ends the refresh of these tokens, and stores the new ones; false if the connection has others by now. */
async function replaceTokens({ db }: Vault, { id }: OAuthConnection, before: Buffer, columns: TokenColumns) {
  const { numUpdatedRows } = await db
    .updateTable('mailConnections')
    .set({ ...columns, refreshingUntil: null })
    .where('id', '=', id)
    .where('tokens', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
