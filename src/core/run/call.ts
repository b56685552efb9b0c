import type { Connection } from '../../db/wire/connection.ts'
import type { CallerSource } from '../define/access.ts'
import type { Origin, SessionEffect } from '../define/account.ts'
import type { Detail, Failure } from '../define/failure.ts'
import type { FileAnswer, Received } from '../files/file.ts'
import type { Allowance } from './rate-limit.ts'

/** The caller as the surface knows them, before the credential is checked. */
export type Caller = {
  source: CallerSource
  /**
   * SHA-256 of the key, token or session secret; null for callers inside the product, which give a `userId`. Of a PUBLIC
   * caller it is the session that the browser had before, which proves nothing here.
   */
  credential: Buffer | null
  userId?: string
  /** The organization of the object that a link opens; its signature has been checked (`source` is LINK). */
  link?: { organizationId: string }
  /** Set by surfaces whose operations count by address or start sessions. */
  origin?: Origin
  requestId: string
  /** The run whose step calls; with the source AUTOMATION, the database finds its rights by it. */
  runId?: string
  /** The automation of the run. */
  automationId?: string
  /** The turn of the companion that calls. It has the rights of the credential that the person's message came with. */
  turnId?: string
  /** With the source COMPANION: what kind of credential that is. */
  credentialOf?: 'SESSION' | 'API_KEY' | 'OAUTH'
  /** How many events lie between a person and this call. */
  depth?: number
  /** The span of the trace that this call belongs to, if any; its jobs continue from there. */
  traceparent?: string | undefined
}

/** A version counts changes, or is the time of the last one; `none` if there was none yet. */
export type Version = number | string

export type Call = {
  caller: Caller
  input: Record<string, unknown>
  /** Problems that the surface found in the input. The caller is told of them once authorized. */
  problems?: Detail[] | undefined
  /** Why the input cannot be read at all. The caller is told once authorized. */
  unreadable?: Failure | undefined
  /** The bytes of `input.file`, whose `base64` is then empty. The surface removes them. */
  received?: Received | undefined
  /** An Idempotency-Key with the fingerprint of the request it came with. */
  once?: { key: string; fingerprint: Buffer } | undefined
  /** The version of the resource that the caller wants to change, from If-Match. */
  expectedVersion?: Version | undefined
  recordInSameTransaction?: RecordInSameTransaction
  /** Called with the progress of a long operation, if the surface can pass it on. */
  progress?: (step: string) => void
  /** Filled in while the call is executed, for logs and the usage record. */
  trace: Trace
}

/**
 * Records the outcome of a write in the transaction that commits it: both commit or neither does. The automation engine
 * records with it that a step succeeded and that the next one starts (features/work/automations/engine).
 *
 * The runner calls it in the step "record" (steps.ts), after the audit row and the remembered answer. It sends its
 * statements without waiting, so that they travel with the commit; if PostgreSQL refuses one, all is rolled back. It is
 * not called for a read, which has no transaction, nor for an answer that is replayed. A refusal of such a call is not
 * remembered under its Idempotency-Key, because the caller records failures as well.
 */
export type RecordInSameTransaction = (connection: Connection, answer: Answer) => void

export type Trace = {
  userId?: string
  keyId?: string
  sessionId?: string
  appId?: string
  clientId?: string
  organizationId?: string
  allowance?: Allowance
}

/** The answer to a call: JSON, or a file with JSON that describes it. */
export type Answer = {
  status: number
  body: string
  replayed?: true
  file?: FileAnswer
  session?: SessionEffect
  /** Of an operation with `streams`: what is notified when there are more events. */
  topic?: string
}

/** Who the rate limits of credentials count a call against. */
export const subjectOf = ({ source, credential, userId, link, origin }: Caller): string => {
  if (source === 'PUBLIC') return `address:${origin?.rateLimitAddress}`
  return link ? `link:${link.organizationId}` : (credential?.toString('base64') ?? `user:${userId}`)
}
