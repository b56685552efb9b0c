import { parseUrl } from '../../core/values/url.ts'
import { authMethods, grantTypes } from './metadata.ts'

/** The metadata of a client that is stored, with the field names of RFC 7591. Other fields are neither stored nor used. */
export type ClientMetadata = {
  client_name: string
  client_uri?: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: ['code']
  response_modes: ['query']
  token_endpoint_auth_method: (typeof authMethods)[number]
  application_type: 'web' | 'native'
}

/** Why a client is refused, with the error codes of RFC 7591. */
export class InvalidClientMetadata extends Error {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  constructor(error: InvalidClientMetadata['error'], sentence: string) {
    super(sentence)
    this.error = error
  }
}

const redirectUrisMax = 20

/** Parses the metadata of a client. Unknown fields are left out; invalid ones throw InvalidClientMetadata. */
export function parseClientMetadata(
  given: unknown,
  { authMethod }: { authMethod: ClientMetadata['token_endpoint_auth_method'] },
) {
  if (typeof given !== 'object' || given === null) throw invalidMetadata('Client metadata must be a JSON object.')
  const fields = given as Record<string, unknown>
  const redirects = readRedirectUris(fields.redirect_uris)
  const method = fields.token_endpoint_auth_method ?? authMethod
  const known = authMethods.find((each) => each === method)
  if (!known) throw invalidMetadata(`token_endpoint_auth_method must be one of ${authMethods.join(', ')}.`)
  if (!readStrings(fields.response_types, ['code']).includes('code'))
    throw invalidMetadata('response_types must include code.')
  const types = grantTypes.filter((type) => readStrings(fields.grant_types, ['authorization_code']).includes(type))
  if (!types.includes('authorization_code')) throw invalidMetadata('grant_types must include authorization_code.')
  const uri = toHttpsUrl(fields.client_uri)
  const metadata: ClientMetadata = {
    client_name: toDisplayName(fields.client_name) ?? 'An app without a name',
    ...(uri && { client_uri: uri }),
    redirect_uris: redirects,
    grant_types: types,
    response_types: ['code'],
    response_modes: ['query'],
    token_endpoint_auth_method: known,
    application_type: redirects.every((each) => each.startsWith('https:')) ? 'web' : 'native',
  }
  return metadata
}

const invalidMetadata = (sentence: string) => new InvalidClientMetadata('invalid_client_metadata', sentence)

function readRedirectUris(given: unknown): string[] {
  const texts = readStrings(given, [])
  if (texts.length === 0 || texts.length > redirectUrisMax) {
    throw new InvalidClientMetadata('invalid_redirect_uri', `redirect_uris must contain 1 to ${redirectUrisMax} URIs.`)
  }
  const refused = texts.find((each) => !isAllowedRedirectUri(each))
  if (refused === undefined) return texts
  throw new InvalidClientMetadata(
    'invalid_redirect_uri',
    'A redirect URI must be https, http on a loopback address, or use a private scheme that contains a dot, such as com.example.app:/callback.',
  )
}

/** https on any host, http on loopback addresses, or a private scheme named after a domain (RFC 8252, 7); no fragment. */
function isAllowedRedirectUri(text: string): boolean {
  if (text.length > 2048 || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text)) return false
  const url = parseUrl(text)
  if (!url) return false
  const { protocol, hostname, username, password } = url
  if (username || password) return false
  if (protocol === 'https:') return hostname !== ''
  if (protocol === 'http:') return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)
}

function readStrings(given: unknown, otherwise: string[]): string[] {
  if (given === undefined) return otherwise
  if (!Array.isArray(given) || !given.every((each) => typeof each === 'string')) {
    throw invalidMetadata('Lists in client metadata must contain strings.')
  }
  return given
}

/** A name that is safe to show: one line, without control characters and marks that change the writing direction. */
function toDisplayName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const plain = given
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 80)
    .trim()
  return plain === '' ? undefined : plain
}

function toHttpsUrl(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > 2048) return undefined
  const url = parseUrl(given)
  return url?.protocol === 'https:' ? url.href : undefined
}
