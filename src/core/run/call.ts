import type { Connection } from '../../db/connection.ts'
import type { CallerSource } from '../define/access.ts'
import type { Origin, SessionEffect } from '../define/account.ts'
import type { Detail, Failure } from '../define/failure.ts'
import type { FileAnswer, Received } from '../files/file.ts'
import type { Allowance } from './rate-limit.ts'

/** Who knocks, before anything is proven. */
export type Caller = {
  source: CallerSource
  /**
   * SHA-256 of the key, token or session secret; null for callers inside the product, who bring a `userId`. Of a PUBLIC
   * caller the session that the browser had before, which proves nothing here.
   */
  credential: Buffer | null
  userId?: string
  /** Where the object of a link is; its signature has been checked (`source` is LINK). */
  link?: { organizationId: string }
  /** Set by surfaces whose operations count by address or start sessions. */
  origin?: Origin
  requestId: string
  runId?: string
  turnId?: string
  /** How many events lie between a person and this call. */
  depth?: number
  /** Its place in a trace, when there is one; what it orders continues from there. */
  traceparent?: string | undefined
}

export type Call = {
  caller: Caller
  input: Record<string, unknown>
  /** What the surface already found wrong with the input; told when the door has opened. */
  problems?: Detail[]
  /** Why the input cannot be read at all; told when the door has opened. */
  unreadable?: Failure
  /** The bytes of `input.file`, which then says the rest about it; its `base64` is empty. The surface removes them. */
  received?: Received
  /** An Idempotency-Key with the fingerprint of the request it came with. */
  once?: { key: string; fingerprint: Buffer }
  /**
   * Writes something beside the work, last in the transaction that ends it: both commit or neither does. Its statements
   * are sent at once and travel with the commit: what PostgreSQL refuses of them undoes the whole. Who writes the outcome
   * down themselves needs no refusal remembered. A read ends without a transaction and does not ask.
   */
  beside?: (connection: Connection, answer: Answer) => void
  /** Told how far a long operation has come, if the surface can pass it on. */
  progress?: (step: string) => void
  /** Filled in on the way, for logs and the usage record. */
  trace: Trace
}

export type Trace = {
  userId?: string
  keyId?: string
  sessionId?: string
  appId?: string
  clientId?: string
  organizationId?: string
  allowance?: Allowance
}

/** What a call is answered: JSON, or a file with JSON that says what it is. */
export type Answer = { status: number; body: string; replayed?: true; file?: FileAnswer; session?: SessionEffect }

/** Whom limits count a call against. */
export const subjectOf = ({ source, credential, userId, link, origin }: Caller): string => {
  if (source === 'PUBLIC') return `address:${origin?.rateLimitAddress}`
  return link ? `link:${link.organizationId}` : (credential?.toString('base64') ?? `user:${userId}`)
}
