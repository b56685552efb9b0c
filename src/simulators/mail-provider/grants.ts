import { createHash } from 'node:crypto'
import type { OAuthMailProvider } from '../../core/outside/mail-oauth.ts'
import { newId } from '../../core/values/id.ts'
import { clientId, clientSecret, issuerOf, tenantId } from './clients.ts'
import { createIdentities } from './identities.ts'
import { type Claims, issueToken, readToken, type TokenKey } from './tokens.ts'

const codeLifeS = 60
const accessLifeS = 3600
const refreshLifeS = 180 * 24 * 3600

/** An answer of the token endpoint (RFC 6749, section 5). */
type Granted = { status: number; body: Record<string, unknown> }

/**
 * Issues codes and tokens like a provider. Codes and refresh tokens work once; using one a second time ends its grant. What
 * was used or revoked is remembered by the process that serves the simulator, and forgotten when it ends.
 */
export function createGrants({ url, ...signing }: TokenKey & { url: string }) {
  const used = new Set<string>()
  const revoked = new Set<string>()
  const identities = createIdentities()

  const isValid = ({ id, grant }: Claims) => {
    if (used.has(id)) revoked.add(grant)
    return !revoked.has(grant)
  }

  async function tokensFor({ provider, address, grant }: Claims, nonce?: string): Promise<Granted> {
    const about = { provider, address, grant }
    const identity = {
      iss: issuerOf(provider, url),
      aud: clientId,
      sub: createHash('sha256').update(address).digest('hex').slice(0, 21),
      email: address,
      ...(provider === 'GMAIL' ? { email_verified: true } : { tid: tenantId, preferred_username: address }),
      ...(nonce !== undefined && { nonce }),
    }
    const issuedAt = Math.floor(signing.now().getTime() / 1000)
    return {
      status: 200,
      body: {
        token_type: 'Bearer',
        expires_in: accessLifeS,
        access_token: issueToken(signing, { kind: 'access', ...about }, accessLifeS),
        refresh_token: issueToken(signing, { kind: 'refresh', ...about }, refreshLifeS),
        id_token: await identities.sign({ ...identity, iat: issuedAt, exp: issuedAt + accessLifeS }),
      },
    }
  }

  function redeemCode(provider: OAuthMailProvider, form: URLSearchParams): Promise<Granted> | Granted {
    const code = readToken(signing, 'code', form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const fits =
      code?.provider === provider &&
      code.request?.redirectUri === form.get('redirect_uri') &&
      code.request?.challenge === challenge
    if (!code || !fits || !isValid(code)) return refused('invalid_grant')
    used.add(code.id)
    return tokensFor(code, code.request?.nonce)
  }

  function refresh(provider: OAuthMailProvider, form: URLSearchParams): Promise<Granted> | Granted {
    const token = readToken(signing, 'refresh', form.get('refresh_token') ?? '')
    if (token?.provider !== provider || !isValid(token)) return refused('invalid_grant')
    used.add(token.id)
    return tokensFor(token)
  }

  return {
    keys: identities.keys,
    /** The code that a person's consent gives. */
    consent: (provider: OAuthMailProvider, address: string, request: Claims['request'] & object): string =>
      issueToken(signing, { kind: 'code', provider, address, grant: newId(), request }, codeLifeS),
    /** The token endpoint. */
    async redeem(provider: OAuthMailProvider, form: URLSearchParams): Promise<Granted> {
      if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
        return { ...refused('invalid_client'), status: 401 }
      switch (form.get('grant_type')) {
        case 'authorization_code':
          return redeemCode(provider, form)
        case 'refresh_token':
          return refresh(provider, form)
        default:
          return refused('unsupported_grant_type')
      }
    },
    /** Ends all access to a mailbox, as a person can at the provider. Tokens for reading stay valid for at most an hour. */
    revoke(token: string) {
      const claims = readToken(signing, 'refresh', token) ?? readToken(signing, 'access', token)
      if (claims) revoked.add(claims.grant)
    },
  }
}

const refused = (error: string): Granted => ({ status: 400, body: { error } })
