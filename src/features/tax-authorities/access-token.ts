import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../core/define/operation.ts'
import type { AuthorityTrouble, IsraelTaxAuthority, Tokens } from '../../core/outside/tax-authority.ts'
import { Secret } from '../../core/secrets/secret.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { beginRefresh, type Connection, endRefresh, lockTokens, type StoredTokens } from './connection.ts'

export type TokenDependencies = {
  tx<T>(work: (inside: { db: Database }) => Promise<T>): Promise<T>
  secrets: Secrets
  organizationId: string
  authority: Pick<IsraelTaxAuthority, 'refresh'>
  signal: AbortSignal
  /** Whether the authority is asked in any case, also if a token is still valid. */
  isRenewed?: boolean
}

type AccessToken = { kind: 'token'; accessToken: Secret } | AuthorityTrouble

/** A token is not used in the last seconds of its life. */
const reserveMs = 30_000
const pauseMs = 200

/**
 * An access token of the authority. Each use of the refresh token replaces it, so one process at a time uses it and the others
 * wait for the result. `refused` is a token that the authority did not accept although it should be valid.
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

const token = (accessToken: string): AccessToken => ({ kind: 'token', accessToken: new Secret(accessToken) })

function usableToken(tokens: StoredTokens | null, refused: Secret | undefined): string | undefined {
  if (!tokens || tokens.accessToken === refused?.reveal()) return undefined
  return Date.parse(tokens.accessUntil) - reserveMs > Date.now() ? tokens.accessToken : undefined
}

/** Uses the refresh token: the last one that the authority issued, or the one that a person entered. */
async function refresh(
  { tx, secrets, organizationId, authority, signal }: TokenDependencies,
  { id, environment, credentials }: Connection,
  stored: StoredTokens | null,
): Promise<AccessToken> {
  const scope = { secrets, organizationId, id }
  const refreshToken = stored?.refreshToken ?? credentials.refreshToken?.trim()
  const { clientId = '', clientSecret = '' } = credentials
  const answer = refreshToken
    ? await authority.refresh(
        { organizationId, environment, signal },
        { clientId, clientSecret: new Secret(clientSecret), refreshToken: new Secret(refreshToken) },
      )
    : {
        kind: 'refused' as const,
        message: 'Nobody has signed in at the tax authority yet: use connect, or enter a refresh token.',
      }
  const tokens = answer.kind === 'granted' ? toStored(answer.tokens) : undefined
  await tx(({ db }) => endRefresh({ ...scope, db }, tokens))
  return answer.kind === 'granted' ? { kind: 'token', accessToken: answer.tokens.accessToken } : answer
}

export const toStored = ({ accessToken, accessTokenSeconds, refreshToken }: Tokens): StoredTokens => ({
  accessToken: accessToken.reveal(),
  accessUntil: new Date(Date.now() + accessTokenSeconds * 1000).toISOString(),
  refreshToken: refreshToken.reveal(),
})
