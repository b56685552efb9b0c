import { type DetailCode, type ErrorCode, errorCodes, schemaRules } from './error-codes.ts'

/** What a person is told when something cannot be done. Surfaces translate it, once each. */
export type Code = ErrorCode

/** One thing that is wrong: where, what to do about it, and for programs a finer code with the values in the message. */
export type Detail = { path: string; message: string; code?: DetailCode; params?: Record<string, unknown> }

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
    this.status = errorCodes[code].status
    this.details = more.details ?? []
    this.retryAfterS = more.retryAfterS
    this.limit = more.limit
    this.limited = more.limited
  }
}

/** The code that says most: of the first detail, or of the whole. That a value does not fit its schema is said by the whole. */
export function reasonOf({ code, details }: { code: string; details?: Detail[] }): string {
  const fine = details?.[0]?.code
  return fine && !(fine in schemaRules) ? fine : code
}

type More = { details?: Detail[]; retryAfterS?: number; limit?: number | undefined; limited?: string; cause?: unknown }

const detailed = (message: string, code?: DetailCode, path = ''): { details?: Detail[] } =>
  code ? { details: [{ path, message, code }] } : {}

/** `notFound('bank account')` */
export const notFound = (noun: string) => new Failure('NOT_FOUND', `There is no such ${noun}.`)
export const conflict = (message: string, code?: DetailCode, cause?: unknown) =>
  new Failure('CONFLICT', message, { ...detailed(message, code), cause })
export const forbidden = (message: string, code?: DetailCode) =>
  new Failure('FORBIDDEN', message, detailed(message, code))
export const unauthenticated = (message: string, code?: DetailCode) =>
  new Failure('UNAUTHENTICATED', message, detailed(message, code))
/** `invalid('currency', 'Give a three-letter currency code.')`: one field of the input is wrong. */
export const invalid = (path: string, message: string, code?: DetailCode) =>
  new Failure('VALIDATION', message, { details: [{ path, message, ...(code && { code }) }] })
export const tooMany = (bucket: string, retryAfterS: number, limit?: number) =>
  new Failure('RATE_LIMIT', `Too many requests (${bucket}). Try again in ${plural(retryAfterS, 'second')}.`, {
    retryAfterS,
    limit,
    limited: bucket,
  })
/** Too much of one kind at the same time, whatever the rate limits have left. */
export const tooManyAtOnce = (called: string, retryAfterS: number) => {
  const message = `Too many ${called} at the same time. Try again in ${plural(retryAfterS, 'second')}.`
  return new Failure('RATE_LIMIT', message, { ...detailed(message, 'TOO_MANY_AT_ONCE'), retryAfterS, limited: called })
}
export const unavailable = (cause?: unknown) => {
  const message =
    'The database is unavailable. Try again shortly; with an Idempotency-Key a retry cannot make the change twice.'
  return new Failure('INTERNAL', message, { ...detailed(message, 'UNAVAILABLE'), retryAfterS: 2, cause })
}

/** PostgreSQL has no space left. */
export const databaseFull = (cause?: unknown) => {
  const message =
    'The disk of the database is full, so nothing can be stored. Nothing was changed. The people who run this server must free some space; then it works again by itself, and with an Idempotency-Key a retry cannot make the change twice.'
  return new Failure('INTERNAL', message, { ...detailed(message, 'STORAGE_FULL'), retryAfterS: 30, cause })
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
