import type { Egress, ServiceAnswer } from '../../core/outside/egress.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import type {
  AllocationAnswer,
  AuthorityCaller,
  AuthorityReason,
  AuthorityTrouble,
  ClientCredentials,
  Environment,
  IsraelTaxAuthority,
  TokenAnswer,
} from '../../core/outside/tax-authority.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { type Json, seconds, sentenceFor, toJson, unavailable, unreadable } from './answers.ts'

/** The base addresses of an environment: of tokens and of the service. Both are the same for a simulator. */
export type AuthorityAddress = { tokens: string; service: string }

type Dependencies = {
  egress: Pick<Egress, 'callService'>
  addressOf(environment: Environment): Promise<AuthorityAddress>
  isSimulated(environment: Environment): boolean
  /** How long a call and its answer may take. */
  ms?: number
}

/** The hosts of the authority: tokens and services have different ones. */
export const israelHosts: AuthorityAddress = {
  tokens: 'https://openapi.taxes.gov.il',
  service: 'https://ita-api.taxes.gov.il',
}

const folders: Record<Environment, string> = { sandbox: 'tsandbox', production: 'production' }
const answerBytesMax = 256 * 1024
const called = 'The tax authority'

/** Israel's allocation numbers, version 2 of the interface ("Israel Invoices"), with OAuth 2. */
export function israelTaxAuthority({ egress, addressOf, isSimulated, ms = 20_000 }: Dependencies): IsraelTaxAuthority {
  async function call(
    { organizationId, environment, signal }: AuthorityCaller,
    { host, path, headers, body }: Call,
  ): Promise<ServiceAnswer | AuthorityTrouble> {
    const address = await addressOf(environment)
    const url = `${address[host]}/shaam/${folders[environment]}/${path}`
    try {
      return await egress.callService(url, {
        organizationId,
        method: 'POST',
        headers: { accept: 'application/json', ...headers },
        body,
        ms,
        maxBytes: answerBytesMax,
        signal,
      })
    } catch (error) {
      if (!(error instanceof TargetFailure)) throw error
      return { kind: 'unavailable', message: sentenceFor(called, error) }
    }
  }

  async function requestTokens(
    caller: AuthorityCaller,
    { clientId, clientSecret }: ClientCredentials,
    form: Record<string, string>,
    before: Secret | undefined,
  ): Promise<TokenAnswer> {
    const basic = Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString('base64')
    const answer = await call(caller, {
      host: 'tokens',
      path: 'longtimetoken/oauth2/token',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    return 'kind' in answer ? answer : toTokens(answer, before)
  }

  return {
    isSimulated,
    simulatorUrl: async (environment) =>
      isSimulated(environment) ? (await addressOf(environment)).service : undefined,
    async approve(caller, { accessToken, request }) {
      const answer = await call(caller, {
        host: 'service',
        path: 'Invoices/v2/Approval',
        headers: { authorization: `Bearer ${accessToken.reveal()}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
      return 'kind' in answer ? answer : toAllocationAnswer(answer)
    },
    refresh: (caller, { refreshToken, ...client }) =>
      requestTokens(
        caller,
        client,
        { grant_type: 'refresh_token', refresh_token: refreshToken.reveal() },
        refreshToken,
      ),
    exchange: (caller, { code, redirectUri, ...client }) =>
      requestTokens(
        caller,
        client,
        { grant_type: 'authorization_code', code: code.reveal(), redirect_uri: redirectUri },
        undefined,
      ),
    async authorizeUrl(environment, { clientId, state, redirectUri }) {
      const { tokens } = await addressOf(environment)
      const url = new URL(`${tokens}/shaam/${folders[environment]}/longtimetoken/oauth2/authorize`)
      const query = { response_type: 'code', client_id: clientId, scope: 'scope', state, redirect_uri: redirectUri }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
  }
}

type Call = { host: 'tokens' | 'service'; path: string; headers: Record<string, string>; body: string }

function toTokens(answer: ServiceAnswer, before: Secret | undefined): TokenAnswer {
  const json = toJson(answer)
  if (answer.status >= 500 || answer.status === 429) return unavailable(called, answer)
  if (!json) return unreadable(called, answer)
  if (typeof json.error === 'string') return { kind: 'refused', message: oauthSentence(json.error) }
  if (answer.status === 401 || answer.status === 403)
    return { kind: 'refused', message: oauthSentence('invalid_client') }
  const { access_token: access, refresh_token: refresh } = json
  const refreshToken = typeof refresh === 'string' && refresh !== '' ? new Secret(refresh) : before
  if (answer.status !== 200 || typeof access !== 'string' || access === '' || !refreshToken)
    return unreadable(called, answer)
  return {
    kind: 'granted',
    tokens: {
      accessToken: new Secret(access),
      accessTokenSeconds: seconds(json.expires_in) ?? 600,
      refreshToken,
      refreshTokenSeconds: seconds(json.refresh_token_expires_in),
    },
  }
}

function oauthSentence(error: string): string {
  switch (error) {
    case 'invalid_grant':
      return 'The tax authority no longer accepts the authorization: sign in there again (connect).'
    case 'invalid_client':
    case 'unauthorized_client':
      return 'The tax authority does not accept the client id and the client secret. Enter them again.'
    default:
      return `The tax authority refused the authorization (${error.slice(0, 60)}). Enter the credentials again.`
  }
}

/**
 * The status of HTTP alone never means approval: the answer must say that it is approved, with a number that is not zero.
 * A rejection has a reason of the authority; whatever else comes back is no answer and is asked for again later.
 */
export function toAllocationAnswer(answer: ServiceAnswer): AllocationAnswer {
  const { status } = answer
  if (status === 401) return { kind: 'unauthorized', message: 'The tax authority does not accept the access token.' }
  if (status >= 500 || status === 429 || status === 408) return unavailable(called, answer)
  const json = lowerNames(toJson(answer))
  if (!json) return status === 403 || status === 404 ? refusedStatus(status) : unreadable(called, answer)
  if (json.httpcode !== undefined) return gatewayAnswer(json, answer)
  const own = Number(json.status ?? status)
  if (own === 401) return { kind: 'unauthorized', message: 'The tax authority does not accept the access token.' }
  if (own >= 500) return unavailable(called, answer)
  const number = numberOf(json.confirmation_number)
  if (json.approved === true && status === 200 && number) return { kind: 'approved', number }
  const reasons = reasonsOf(json.message)
  if (reasons.length > 0 && json.approved !== true) return { kind: 'rejected', reasons }
  if (status === 403 || status === 404 || status === 406) return refusedStatus(status)
  return unreadable(called, answer)
}

/** Version 1 wrote the same names in capitals. */
const lowerNames = (json: Json | undefined): Json | undefined =>
  json && Object.fromEntries(Object.entries(json).map(([name, value]) => [name.toLowerCase(), value]))

/** The allocated number, digits only; undefined for none. Zero means none too. */
function numberOf(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && /^\d{9,40}$/.test(text) && /[1-9]/.test(text) ? text : undefined
}

/** `{errors: […]}`, or an array of these. A plain text is a reason only if it comes with a status of refused data. */
function reasonsOf(message: unknown): AuthorityReason[] {
  const groups = (Array.isArray(message) ? message : [message]) as unknown[]
  const errors = groups.flatMap((group) => {
    const list = typeof group === 'object' && group !== null ? (group as Json).errors : undefined
    return Array.isArray(list) ? (list as unknown[]) : []
  })
  return errors.flatMap((error) => {
    if (typeof error !== 'object' || error === null) return []
    const { code, message: text, param } = error as Json
    const number = Number(code)
    return [
      {
        code: Number.isInteger(number) ? number : null,
        message: String(text ?? 'The authority gave no reason.').slice(0, 500),
        param: typeof param === 'string' ? param.slice(0, 100) : null,
      },
    ]
  })
}

/** The gateway before the service answers in a shape of its own: `{httpCode, httpMessage, moreInformation}`. */
function gatewayAnswer(json: Json, answer: ServiceAnswer): AllocationAnswer {
  const code = Number(json.httpcode)
  const message = String(json.moreinformation ?? json.httpmessage ?? 'The request was refused.').slice(0, 500)
  if (code === 400 || code === 422) return { kind: 'rejected', reasons: [{ code, message, param: null }] }
  if (code === 401) return { kind: 'unauthorized', message: 'The tax authority does not accept the access token.' }
  if (code === 403 || code === 404 || code === 406) return refusedStatus(code)
  return code >= 500 || code === 429 ? unavailable(called, answer) : unreadable(called, answer)
}

function refusedStatus(status: number): AuthorityTrouble {
  const sentences: Record<number, string> = {
    403: 'The tax authority says that the person who signed in may not act for this dealer.',
    404: 'The tax authority does not know this service under the address that was called. Check the environment.',
    406: 'The tax authority says that the person who signed in may not act for this VAT number.',
  }
  return { kind: 'refused', message: sentences[status] ?? 'The tax authority refused the call.' }
}
