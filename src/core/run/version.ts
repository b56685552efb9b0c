import type { Operation } from '../define/operation.ts'

/** A version counts changes, or is the time of the last one; `none` if there was none yet. */
export type Version = number | string

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
