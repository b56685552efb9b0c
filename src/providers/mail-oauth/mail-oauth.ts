import * as oauth from 'oauth4webapi'
import { conflict, Failure } from '../../core/define/failure.ts'
import type { Egress } from '../../core/outside/egress.ts'
import {
  type MailOAuth,
  MailOAuthFailure,
  type MailProviderClient,
  type MailTokens,
  type OAuthMailProvider,
} from '../../core/outside/mail-oauth.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { toAddress } from '../../core/values/address.ts'
import { serviceFetch } from './service-fetch.ts'

type Clients = Record<OAuthMailProvider, MailProviderClient | undefined>

/** The protocol is that of oauth4webapi; its requests go through egress. */
export function openMailOAuth(clients: Clients, egress: Pick<Egress, 'callService'>): MailOAuth {
  const clientOf = (provider: OAuthMailProvider): MailProviderClient => {
    const client = clients[provider]
    if (!client) throw notSetUp(provider)
    return client
  }
  const optionsFor = ({ allowsHttp }: MailProviderClient, organizationId: string) => ({
    [oauth.customFetch]: serviceFetch(egress, organizationId),
    [oauth.allowInsecureRequests]: allowsHttp,
  })

  return {
    async authorizeUrl(provider, { redirectUri, state, nonce, verifier }) {
      const { authorizeUrl, clientId, scope, parameters } = clientOf(provider)
      const url = new URL(authorizeUrl)
      const given = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...parameters,
      }
      for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value)
      return url.href
    },

    requireIssuer(provider, issuer) {
      const { name, isIssuer } = clientOf(provider)
      if (!isIssuer(issuer)) throw new MailOAuthFailure(`The answer does not come from ${name}. Start again.`)
    },

    async redeem(provider, { organizationId, code, redirectUri, verifier, nonce }) {
      const client = clientOf(provider)
      const [server, self] = [serverOf(client), { client_id: client.clientId }]
      const { tokens, claims } = await explained(client, async () => {
        const parameters = oauth.validateAuthResponse(server, self, new URLSearchParams({ code }), oauth.expectNoState)
        const secret = oauth.ClientSecretPost(client.clientSecret.reveal())
        const options = optionsFor(client, organizationId)
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, self, secret, parameters, redirectUri, verifier, options] as const),
        )
        const issued = { ...server, issuer: await issuerIn(client, response) }
        const checks = { expectedNonce: nonce, requireIdToken: true }
        const tokens = await oauth.processAuthorizationCodeResponse(issued, self, response, checks)
        return { tokens, claims: oauth.getValidatedIdTokenClaims(tokens) ?? {} }
      })
      const address = addressIn(claims)
      if (!address) throw new MailOAuthFailure(`${client.name} did not say which address was connected.`)
      const refreshToken = tokens.refresh_token
      if (!refreshToken) throw new MailOAuthFailure(`${client.name} gave no lasting access. Connect the mailbox again.`)
      return { ...tokensOf(tokens), address, refreshToken: new Secret(refreshToken) }
    },

    async refresh(provider, { organizationId, refreshToken }) {
      const client = clientOf(provider)
      const [server, self] = [serverOf(client), { client_id: client.clientId }]
      return explained(client, async () => {
        const secret = oauth.ClientSecretPost(client.clientSecret.reveal())
        const options = optionsFor(client, organizationId)
        const response = await oauth.refreshTokenGrantRequest(server, self, secret, refreshToken.reveal(), options)
        const issued = { ...server, issuer: await issuerIn(client, response) }
        return tokensOf(await oauth.processRefreshTokenResponse(issued, self, response))
      })
    },

    imapServer: (provider) => clientOf(provider).imap,
  }
}

const serverOf = ({ tokenUrl }: MailProviderClient): oauth.AuthorizationServer => ({
  issuer: new URL(tokenUrl).origin, // replaced by that of the identity
  token_endpoint: tokenUrl,
})

const tokensOf = ({ access_token, refresh_token, expires_in }: oauth.TokenEndpointResponse): MailTokens => ({
  accessToken: new Secret(access_token),
  refreshToken: refresh_token === undefined ? undefined : new Secret(refresh_token),
  expiresInS: expires_in ?? usualLifeS,
})
const usualLifeS = 3600

/** The issuer that the identity in the answer must have. Nothing is believed before oauth4webapi has checked it. */
async function issuerIn(client: MailProviderClient, response: Response): Promise<string> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const token = (body as { id_token?: unknown } | undefined)?.id_token
  const [, payload = ''] = typeof token === 'string' ? token.split('.') : []
  try {
    return client.issuer(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>)
  } catch {
    return client.issuer({})
  }
}

/** Microsoft leaves `email` out for accounts without a mailbox attribute. */
function addressIn({ email, preferred_username: name }: Record<string, unknown>): string | undefined {
  for (const text of [email, name]) {
    const address = typeof text === 'string' ? toAddress(text) : undefined
    if (address) return address
  }
  return undefined
}

/** Errors of the library and of egress, in words for the person who connects the mailbox. */
async function explained<T>(client: MailProviderClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof MailOAuthFailure ? error : toMailOAuthFailure(client, error)
  }
}

/** The errors of the library are not kept as causes: they hold the answer, and that may hold tokens. */
function toMailOAuthFailure({ name }: MailProviderClient, error: unknown): unknown {
  if (error instanceof Failure)
    return new MailOAuthFailure(`${name} cannot be reached now. Try again shortly.`, {
      isTransient: true,
      cause: error,
    })
  if (!isOfProtocol(error)) return error
  switch (codeOf(error)) {
    case 'invalid_grant':
      return new MailOAuthFailure(`${name} gives no access to this mailbox any more. Connect it again.`, {
        isRevoked: true,
      })
    case 'invalid_client':
    case 'unauthorized_client':
      return new MailOAuthFailure(
        `${name} does not accept the client id and secret of this installation. Its operator must correct them.`,
      )
    case 'temporarily_unavailable':
    case 'server_error':
      return new MailOAuthFailure(`${name} has a fault now. Try again later.`, { isTransient: true })
    default:
      return statusOf(error) >= 500
        ? new MailOAuthFailure(`${name} has a fault now. Try again later.`, { isTransient: true })
        : new MailOAuthFailure(`The answer of ${name} was not as expected. Connect the mailbox again.`)
  }
}

const isOfProtocol = (error: unknown): error is Error =>
  error instanceof oauth.OperationProcessingError ||
  error instanceof oauth.ResponseBodyError ||
  error instanceof oauth.WWWAuthenticateChallengeError

/** The error code of OAuth in the answer, if it has one. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof oauth.ResponseBodyError) return error.error
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.cause[0]?.parameters.error ?? 'invalid_client'
  return undefined
}

const statusOf = ({ cause }: Error) => (cause instanceof Response ? cause.status : 0)

const notSetUp = (provider: OAuthMailProvider) =>
  conflict(
    `This installation is not set up for ${titles[provider]}: its operator must set ${provider}_CLIENT_ID and ${provider}_CLIENT_SECRET.`,
    'MAIL_PROVIDER_NOT_SET_UP',
  )
const titles = { GMAIL: 'Gmail', OUTLOOK: 'Outlook' } as const
