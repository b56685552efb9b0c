import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../core/define/operation.ts'
import type { IssuedTokens, RequestTokens } from '../../../core/outside/clearance.ts'
import type { AuthorityTrouble } from '../../../core/outside/tax-authority.ts'
import { Secret } from '../../../core/secrets/secret.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { beginRefresh, type Connection, endRefresh, lockTokens, type StoredTokens } from './connection.ts'

export type TokenDependencies = {
  tx<T>(work: (inside: { db: Database }) => Promise<T>): Promise<T>
  secrets: Secrets
  organizationId: string
  /** Requests tokens of the authority. */
  requestTokens: RequestTokens
  signal: AbortSignal
  /** Whether the authority is asked in any case, also if a token is still valid. */
  isRenewed?: boolean
}

type AccessToken = { kind: 'token'; accessToken: Secret } | AuthorityTrouble

/** A token is not used in the last seconds of its life. */
const reserveMs = 30_000
const pauseMs = 200

/**
 * An access token of the authority. Each use of a refresh token replaces it, so one process at a time requests tokens and the
 * others wait for the result. `refused` is a token that the authority did not accept although it should be valid.
 */
export async function accessToken(
  dependencies: TokenDependencies,
  connection: Connection,
  refused?: Secret,
): Promise<AccessToken> {
  const { tx, secrets, organizationId, signal, isRenewed = false } = dependencies
  const { id } = connection
  for (;;) {
    const found = await tx(async ({ db }) => {
      const locked = await lockTokens({ db, secrets, organizationId, id })
      if (!locked || locked.isRefreshing) return locked
      const usable = isRenewed ? undefined : usableToken(locked.tokens, refused)
      if (!usable) await beginRefresh(db, id)
      return { ...locked, usable }
    })
    if (!found) return { kind: 'unavailable', message: 'The credentials were replaced meanwhile.' }
    if ('usable' in found) return found.usable ? token(found.usable) : refresh(dependencies, connection, found.tokens)
    if (signal.aborted) return { kind: 'unavailable', message: 'The tax authority did not answer in time.' }
    await sleep(pauseMs)
  }
}

type Unauthorized = { kind: 'unauthorized'; message: string }

/** Calls the authority with an access token; one that it does not accept is renewed once. */
export async function withAccessToken<T extends { kind: string }>(
  dependencies: TokenDependencies,
  connection: Connection,
  call: (accessToken: Secret) => Promise<T | Unauthorized>,
): Promise<T | AuthorityTrouble> {
  let refused: Secret | undefined
  for (;;) {
    const token = await accessToken(dependencies, connection, refused)
    if (token.kind !== 'token') return token
    const answer = await call(token.accessToken)
    if (!isUnauthorized(answer)) return answer
    if (refused) return { kind: 'refused', message: answer.message }
    refused = token.accessToken
  }
}

const isUnauthorized = (answer: { kind: string }): answer is Unauthorized => answer.kind === 'unauthorized'

const token = (accessToken: string): AccessToken => ({ kind: 'token', accessToken: new Secret(accessToken) })

function usableToken(tokens: StoredTokens | null, refused: Secret | undefined): string | undefined {
  if (!tokens || tokens.accessToken === refused?.reveal()) return undefined
  return Date.parse(tokens.accessUntil) - reserveMs > Date.now() ? tokens.accessToken : undefined
}

/** Requests tokens with the credentials, and the refresh token that the authority issued last or that a person entered. */
async function refresh(
  { tx, secrets, organizationId, requestTokens, signal }: TokenDependencies,
  { id, environment, credentials }: Connection,
  stored: StoredTokens | null,
): Promise<AccessToken> {
  const scope = { secrets, organizationId, id }
  const { clientId = '', clientSecret = '' } = credentials
  const refreshToken = stored?.refreshToken ?? (credentials.refreshToken?.trim() || null)
  const answer = await requestTokens(
    { organizationId, environment, signal },
    { clientId, clientSecret: new Secret(clientSecret), refreshToken: refreshToken ? new Secret(refreshToken) : null },
  )
  const tokens = answer.kind === 'granted' ? toStored(answer.tokens) : undefined
  await tx(({ db }) => endRefresh({ ...scope, db }, tokens))
  return answer.kind === 'granted' ? { kind: 'token', accessToken: answer.tokens.accessToken } : answer
}

export const toStored = ({ accessToken, accessTokenSeconds, refreshToken }: IssuedTokens): StoredTokens => ({
  accessToken: accessToken.reveal(),
  accessUntil: new Date(Date.now() + accessTokenSeconds * 1000).toISOString(),
  refreshToken: refreshToken?.reveal() ?? null,
})
