import type { Operation } from '../define/operation.ts'

/** What If-Match says: the version that the caller has read, or none (`*`, or no header at all). */
type IfMatch = { version: number | undefined } | 'MALFORMED'

/** Reads If-Match for an operation that compares versions; every other operation ignores the header. */
export function readIfMatch({ version }: Operation, given: unknown): IfMatch {
  if (version !== 'CHECKED' || given === undefined || given === '*') return { version: undefined }
  const digits = typeof given === 'string' ? /^"([1-9]\d{0,8})"$/.exec(given)?.[1] : undefined
  return digits === undefined ? 'MALFORMED' : { version: Number(digits) }
}

export const malformedIfMatch =
  'If-Match must be * or one version in quotes, as ETag has it: "3". A weak one (W/"3") is not accepted.'

/** The ETag of an answer: its version in quotes. */
export function etagOf({ version }: Operation, body: string): string | undefined {
  if (!version) return undefined
  const answer = JSON.parse(body) as { version?: number }
  return answer.version === undefined ? undefined : `"${answer.version}"`
}
