import type { ServiceAnswer } from '../../core/outside/egress.ts'
import type { TargetFailure } from '../../core/outside/target-failure.ts'
import type { AuthorityTrouble } from '../../core/outside/tax-authority.ts'

/** Who was called, at the beginning of a sentence: `The tax authority`. */
export type Called = string

/** What happened on the way to the one who was called. The sentences name no address. */
export function sentenceFor(called: Called, { reason, message }: TargetFailure): string {
  switch (reason) {
    case 'silent':
      return `${called} did not answer in time.`
    case 'insecure':
      return `No secure connection to ${lower(called)} could be made: its certificate is not valid.`
    case 'unreadable':
      return `The answer of ${lower(called)} could not be read.`
    case 'broken':
      return `${called} broke off the connection before it had answered.`
    default:
      return `${called} cannot be reached. ${message}`
  }
}

const lower = (called: Called) => called.replace(/^The /, 'the ')

export type Json = Record<string, unknown>

/** The answer as a JSON object; undefined for HTML, half a JSON text and everything else. */
export function toJson({ body }: ServiceAnswer): Json | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

/** A positive number of seconds, which some send as text. */
export function seconds(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : null
}

export function unavailable(called: Called, { status, headers }: ServiceAnswer): AuthorityTrouble {
  const after = Number(headers['retry-after'])
  return {
    kind: 'unavailable',
    message: `${called} is not available now (status ${status}).`,
    ...(Number.isFinite(after) && after > 0 && { retryAfterS: Math.min(after, 3600) }),
  }
}

export function unreadable(called: Called, { status, headers, body }: ServiceAnswer): AuthorityTrouble {
  const isPage = /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(body.subarray(0, 100).toString())
  const what = isPage ? 'a web page instead of an answer' : 'an answer that could not be read'
  return { kind: 'unavailable', message: `${called} sent ${what} (status ${status}).` }
}
