import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ServiceCall } from '../../core/outside/egress.ts'
import type { OAuthMailProvider } from '../../core/outside/mail-oauth.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { gmailClient, outlookClient } from './clients.ts'
import { openMailOAuth } from './mail-oauth.ts'

const client = { id: 'our-client', secret: new Secret('our-secret') }
const tenant = '11111111-2222-3333-4444-555555555555'
const redirectUri = 'https://books.example/api/expenses/email-connect/gmail/callback'
const verifier = 'v'.repeat(43)
const code = { organizationId: 'acme', code: 'the-code', redirectUri, verifier, nonce: 'the-nonce' }

const identities: Record<OAuthMailProvider, Record<string, unknown>> = {
  GMAIL: { iss: 'https://accounts.google.com', email: 'amy@gmail.com' },
  OUTLOOK: { iss: `https://login.microsoftonline.com/${tenant}/v2.0`, tid: tenant, email: 'amy@outlook.com' },
}

/** The answer of a token endpoint; the changes are made to the identity. */
function tokens(provider: OAuthMailProvider, changes: Record<string, unknown> = {}) {
  const now = Math.floor(Date.now() / 1000)
  const usual = { aud: 'our-client', sub: '1', nonce: 'the-nonce', iat: now, exp: now + 600 }
  const parts = [{ alg: 'RS256' }, { ...usual, ...identities[provider], ...changes }]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return {
    access_token: 'access',
    refresh_token: 'refresh',
    expires_in: 3599,
    token_type: 'Bearer',
    id_token: `${text}.c2lnbmF0dXJl`,
  }
}

type Answer = { status?: number; body: unknown } | Error

/** The client, and what it sends to a provider that gives this answer. */
function connecting(answer: Answer) {
  const sent: { url: string; form: Record<string, string>; call: ServiceCall }[] = []
  const callService = async (url: string, call: ServiceCall) => {
    sent.push({ url, form: Object.fromEntries(new URLSearchParams(String(call.body))), call })
    if (answer instanceof Error) throw answer
    const headers = { 'content-type': 'application/json' }
    return { status: answer.status ?? 200, headers, body: Buffer.from(JSON.stringify(answer.body)) }
  }
  const clients = { GMAIL: gmailClient(client), OUTLOOK: outlookClient(client) }
  return { sent, oauth: openMailOAuth(clients, { callService }) }
}

test('the authorization address asks for lasting access to the mailbox, with PKCE', async () => {
  const { oauth } = connecting({ body: {} })
  const asked = { redirectUri, state: 'the-state', nonce: 'the-nonce', verifier }
  const google = new URL(await oauth.authorizeUrl('GMAIL', asked))
  expect(google.origin + google.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  expect(Object.fromEntries(google.searchParams)).toEqual({
    ...{ response_type: 'code', client_id: 'our-client', redirect_uri: redirectUri, state: 'the-state', nonce: 'the-nonce' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256', access_type: 'offline', prompt: 'consent' },
    scope: 'https://mail.google.com/ openid email',
  })
  const microsoft = new URL(await oauth.authorizeUrl('OUTLOOK', asked))
  expect(microsoft.origin + microsoft.pathname).toBe('https://login.microsoftonline.com/common/oauth2/v2.0/authorize')
  expect(microsoft.searchParams.get('scope')).toBe(
    'https://outlook.office.com/IMAP.AccessAsUser.All offline_access openid email',
  )
}) // biome-ignore format: a line each

test.for(['GMAIL', 'OUTLOOK'] as const)('a code of %s is redeemed for tokens and the address', async (provider) => {
  const { oauth, sent } = connecting({ body: tokens(provider) })
  const connected = await oauth.redeem(provider, code)
  expect(connected.address).toBe(identities[provider].email)
  expect([connected.accessToken.reveal(), connected.refreshToken.reveal()]).toEqual(['access', 'refresh'])
  expect(connected.expiresInS).toBe(3599)
  expect(sent).toMatchObject([
    {
      url: expect.stringMatching(/^https:\/\/(oauth2\.googleapis\.com\/token|login\.microsoftonline\.com\/common\/)/),
      form: {
        grant_type: 'authorization_code',
        code: 'the-code',
        code_verifier: verifier,
        redirect_uri: redirectUri,
        client_id: 'our-client',
        client_secret: 'our-secret',
      },
      call: { organizationId: 'acme', method: 'POST' },
    },
  ])
})

test.for<[string, OAuthMailProvider, Record<string, unknown>]>([
  ['another issuer', 'GMAIL', { iss: 'https://evil.example' }],
  ['the issuer of another tenant', 'OUTLOOK', { iss: 'https://login.microsoftonline.com/evil/v2.0' }],
  ['an issuer on another host', 'OUTLOOK', { tid: 'x.evil.example/', iss: 'https://evil.example/v2.0' }],
  ['another client', 'GMAIL', { aud: 'other-client' }],
  ['another nonce', 'GMAIL', { nonce: 'stolen' }],
  ['no nonce', 'OUTLOOK', { nonce: undefined }],
  ['an expiry in the past', 'GMAIL', { exp: 1_700_000_000 }],
  ['no address', 'GMAIL', { email: undefined }],
])('THR-21: an identity with %s is refused', async ([, provider, changes]) => {
  expect((await connecting({ body: tokens(provider) }).oauth.redeem(provider, code)).address).toContain('amy@')
  await expect(connecting({ body: tokens(provider, changes) }).oauth.redeem(provider, code)).rejects.toMatchObject({
    status: 400,
    isTransient: false,
    details: [{ code: 'MAIL_PROVIDER_REFUSED' }],
  })
})

test('an answer without an identity or without a refresh token is refused', async () => {
  for (const missing of ['id_token', 'refresh_token']) {
    const { [missing as 'id_token']: _, ...rest } = tokens('GMAIL')
    await expect(connecting({ body: rest }).oauth.redeem('GMAIL', code)).rejects.toMatchObject({ isRevoked: false })
  }
})

test('a refresh gives a new access token, and the new refresh token if there is one', async () => {
  const refreshToken = new Secret('before')
  const refresh = (body: unknown) =>
    connecting({ body }).oauth.refresh('GMAIL', { organizationId: 'acme', refreshToken })
  const { id_token: _, ...rotated } = tokens('GMAIL')
  expect((await refresh(rotated)).refreshToken?.reveal()).toBe('refresh')
  const { refresh_token: __, ...kept } = rotated
  expect(await refresh(kept)).toMatchObject({ refreshToken: undefined, expiresInS: 3599 })
})

test.for<[string, Answer, { isRevoked: boolean; isTransient: boolean }, RegExp]>([
  ['revoked', { status: 400, body: { error: 'invalid_grant' } }, { isRevoked: true, isTransient: false }, /Connect it again/],
  ['of an unknown client', { status: 401, body: { error: 'invalid_client' } }, { isRevoked: false, isTransient: false }, /operator/],
  ['met by a fault', { status: 503, body: 'down' }, { isRevoked: false, isTransient: true }, /later/],
  ['met by silence', new TargetFailure('silent'), { isRevoked: false, isTransient: true }, /cannot be reached/],
  ['met by garbage', { status: 200, body: ['nothing'] }, { isRevoked: false, isTransient: false }, /not as expected/],
])('a refresh that is %s says what to do', async ([, answer, kind, message]) => {
  const given = { organizationId: 'acme', refreshToken: new Secret('before') }
  const failed = connecting(answer).oauth.refresh('OUTLOOK', given)
  await expect(failed).rejects.toMatchObject({ ...kind, message: expect.stringMatching(message) })
}) // biome-ignore format: a case a line

test('a provider that the operator has not set up names the settings', async () => {
  const { callService } = { callService: () => Promise.reject(new Error('nobody is called')) }
  const oauth = openMailOAuth({ GMAIL: undefined, OUTLOOK: outlookClient(client) }, { callService })
  const asked = { redirectUri, state: 'a', nonce: 'b', verifier }
  expect(await oauth.authorizeUrl('OUTLOOK', asked)).toContain('https://login.microsoftonline.com/')
  await expect(oauth.authorizeUrl('GMAIL', asked)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('GMAIL_CLIENT_ID and GMAIL_CLIENT_SECRET'),
  })
})

test('the issuer that a provider names when it sends the browser back must be its own', () => {
  const { oauth } = connecting({ body: {} })
  oauth.requireIssuer('GMAIL', 'https://accounts.google.com')
  oauth.requireIssuer('OUTLOOK', `https://login.microsoftonline.com/${tenant}/v2.0`)
  const wrong = [
    ['GMAIL', `https://login.microsoftonline.com/${tenant}/v2.0`],
    ['OUTLOOK', 'https://accounts.google.com'],
    ['OUTLOOK', `https://login.microsoftonline.com.evil.example/${tenant}/v2.0`],
  ] as const
  for (const [provider, issuer] of wrong) expect(() => oauth.requireIssuer(provider, issuer)).toThrow('Start again')
})
