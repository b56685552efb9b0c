import { authMethods, grantTypes } from './metadata.ts'

/** What is kept of what a client says about itself, in the words of RFC 7591. Nothing else of it is ever shown or used. */
export type ClientFacts = {
  client_name: string
  client_uri?: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: ['code']
  response_modes: ['query']
  token_endpoint_auth_method: (typeof authMethods)[number]
  application_type: 'web' | 'native'
}

/** Why a client cannot be taken, in the words of RFC 7591. */
export class ClientRefused extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  constructor(error: ClientRefused['error'], sentence: string) {
    super(sentence)
    this.error = error
  }
}

const redirectsMax = 20

/** Reads what a client says about itself; what is not understood is left out, what is not allowed throws ClientRefused. */
export function readClient(given: unknown, { authMethod }: { authMethod: ClientFacts['token_endpoint_auth_method'] }) {
  if (typeof given !== 'object' || given === null) throw wrong('A client is described by a JSON object.')
  const said = given as Record<string, unknown>
  const redirects = redirectsIn(said.redirect_uris)
  const method = said.token_endpoint_auth_method ?? authMethod
  const known = authMethods.find((each) => each === method)
  if (!known) throw wrong(`token_endpoint_auth_method must be one of ${authMethods.join(', ')}.`)
  if (!textsIn(said.response_types, ['code']).includes('code')) throw wrong('response_types must include code.')
  const types = grantTypes.filter((type) => textsIn(said.grant_types, ['authorization_code']).includes(type))
  if (!types.includes('authorization_code')) throw wrong('grant_types must include authorization_code.')
  const uri = toWebAddress(said.client_uri)
  const facts: ClientFacts = {
    client_name: toName(said.client_name) ?? 'An app without a name',
    ...(uri && { client_uri: uri }),
    redirect_uris: redirects,
    grant_types: types,
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: known,
    application_type: redirects.every((each) => each.startsWith('https:')) ? 'web' : 'native',
  }
  return facts
}

const wrong = (sentence: string) => new ClientRefused('invalid_client_metadata', sentence)

function redirectsIn(given: unknown): string[] {
  const texts = textsIn(given, [])
  if (texts.length === 0 || texts.length > redirectsMax) {
    throw new ClientRefused('invalid_redirect_uri', `redirect_uris must hold 1 to ${redirectsMax} addresses.`)
  }
  const odd = texts.find((each) => !isRedirect(each))
  if (odd === undefined) return texts
  throw new ClientRefused(
    'invalid_redirect_uri',
    'A redirect URI must be https, http on a loopback address, or of a scheme of the app’s own with a dot in it, such as com.example.app:/callback.',
  )
}

/** https anywhere; http on this machine; a scheme that belongs to a domain name (RFC 8252, 7). Never a fragment. */
function isRedirect(text: string): boolean {
  if (text.length > 2048 || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return false
  if (protocol === 'https:') return hostname !== ''
  if (protocol === 'http:') return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)
}

function textsIn(given: unknown, otherwise: string[]): string[] {
  if (given === undefined) return otherwise
  if (!Array.isArray(given) || !given.every((each) => typeof each === 'string')) {
    throw wrong('Lists of a client’s description hold texts.')
  }
  return given
}

/** A name as it can be shown: one line, without marks that turn the writing around. */
function toName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const plain = given
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 80)
    .trim()
  return plain === '' ? undefined : plain
}

function toWebAddress(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > 2048 || !URL.canParse(given)) return undefined
  const { protocol, href } = new URL(given)
  return protocol === 'https:' ? href : undefined
}
