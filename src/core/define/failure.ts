/** Why a request is refused or failed. Each surface translates it into its own form. */
export type Code = 'VALIDATION' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'NOT_FOUND' | 'CONFLICT' | 'RATE_LIMIT' | 'INTERNAL'

/** One problem: the field, a message that says what to do, and a more specific code for programs. */
export type Detail = { path: string; message: string; code?: string }

const statusOf = {
  VALIDATION: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMIT: 429,
  INTERNAL: 500,
} as const satisfies Record<Code, number>

export class Failure extends Error {
  readonly code: Code
  readonly status: number
  readonly details: Detail[]
  readonly retryAfterS: number | undefined
  /** The size of the empty rate-limit bucket, for the RateLimit headers. */
  readonly limit: number | undefined
  /** The name of the rate limit, for the metric of refusals. */
  readonly limited: string | undefined

  constructor(code: Code, message: string, more: More = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.status = statusOf[code]
    this.details = more.details ?? []
    this.retryAfterS = more.retryAfterS
    this.limit = more.limit
    this.limited = more.limited
  }
}

type More = { details?: Detail[]; retryAfterS?: number; limit?: number | undefined; limited?: string; cause?: unknown }

const detailed = (message: string, code?: string, path = ''): { details?: Detail[] } =>
  code ? { details: [{ path, message, code }] } : {}

/** `notFound('bank account')` */
export const notFound = (noun: string) => new Failure('NOT_FOUND', `There is no such ${noun}.`)
export const conflict = (message: string, code?: string, cause?: unknown) =>
  new Failure('CONFLICT', message, { ...detailed(message, code), cause })
export const forbidden = (message: string, code?: string) => new Failure('FORBIDDEN', message, detailed(message, code))
export const unauthenticated = (message: string, code?: string) =>
  new Failure('UNAUTHENTICATED', message, detailed(message, code))
/** `invalid('currency', 'Give a three-letter currency code.')`: one field of the input is wrong. */
export const invalid = (path: string, message: string, code?: string) =>
  new Failure('VALIDATION', message, { details: [{ path, message, ...(code && { code }) }] })
export const tooMany = (bucket: string, retryAfterS: number, limit?: number) =>
  new Failure('RATE_LIMIT', `Too many requests (${bucket}). Try again in ${plural(retryAfterS, 'second')}.`, {
    retryAfterS,
    limit,
    limited: bucket,
  })
export const unavailable = (cause?: unknown) => {
  const message =
    'The database is unavailable. Try again shortly; with an Idempotency-Key a retry cannot make the change twice.'
  return new Failure('INTERNAL', message, { ...detailed(message, 'UNAVAILABLE'), retryAfterS: 2, cause })
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
