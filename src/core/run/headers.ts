import { Failure } from '../define/failure.ts'
import type { Operation } from '../define/operation.ts'
import { sha256 } from '../values/id.ts'
import type { Caller, Version } from './call.ts'

// What the headers of a request say, on every surface: Authorization, Content-Encoding, If-Match. And ETag of an answer.

/**
 * The caller that an Authorization header names, on every surface; a header without a token gets a credential that matches
 * nothing. A token that begins with `kt_` is an API key, any other is the access token of an app.
 */
export function bearerCaller(authorization: string, requestId: string, traceparent?: string): Caller {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  const source = token && !token.startsWith('kt_') ? 'OAUTH' : 'API_KEY'
  return { source, credential: token ? sha256(token) : noCredential, requestId, traceparent }
}

/** Matches no stored hash: those are 32 bytes long. */
const noCredential = Buffer.alloc(0)

/**
 * Why a body cannot be read, if it is compressed or encoded in another way; undefined for a plain one. Bodies are never
 * decompressed, so a small body cannot expand to a large one (FLT-13).
 */
export function encodingProblem(header: string | undefined): Failure | undefined {
  if (header === undefined || /^\s*(identity)?\s*$/i.test(header)) return undefined
  return new Failure(
    'VALIDATION',
    'Send the body as it is, without a Content-Encoding: compressed bodies are not read.',
  )
}

/** What If-Match says: the version that the caller has read, or none (`*`, or no header at all). */
type IfMatch = { version: Version | undefined } | 'MALFORMED'

/** Reads If-Match for an operation that compares versions; every other operation ignores the header. */
export function readIfMatch({ version, versionField }: Operation, given: unknown): IfMatch {
  if (version !== 'CHECKED' || given === undefined || given === '*') return { version: undefined }
  const quoted = typeof given === 'string' ? /^"([^"]{1,40})"$/.exec(given)?.[1] : undefined
  const read = quoted && (versionField === 'version' ? readCount(quoted) : readTime(quoted))
  return read ? { version: read } : 'MALFORMED'
}

const readCount = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

function readTime(text: string): string | undefined {
  if (text === 'none') return text
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(text) ? new Date(text) : undefined
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined
}

/** What a caller is told whose If-Match cannot be read. */
export const malformedIfMatch = ({ versionField }: Operation) =>
  versionField === 'version'
    ? 'If-Match must be * or one version in quotes, as ETag has it: "3". A weak one (W/"3") is not accepted.'
    : 'If-Match must be * or the updatedAt that you have read, in quotes: "2026-01-31T09:30:00.000Z".'

/** The ETag of an answer: its version in quotes. */
export function etagOf({ version, versionField }: Operation, body: string): string | undefined {
  if (!version) return undefined
  const value = (JSON.parse(body) as Record<string, unknown>)[versionField]
  return value === undefined ? undefined : `"${value ?? 'none'}"`
}
