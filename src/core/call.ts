import type { Source } from './access.ts'
import type { Detail, Failure } from './failure.ts'
import type { Allowance } from './rate-limit.ts'

/** Who knocks, before anything is proven. */
export type Caller = {
  source: Source
  /** SHA-256 of the key or session secret; null for callers inside the product, who bring a `userId`. */
  credential: Buffer | null
  userId?: string
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
  /** An Idempotency-Key with the fingerprint of the request it came with. */
  once?: { key: string; fingerprint: Buffer }
  /** Filled in on the way, for logs and the usage record. */
  trace: Trace
}

export type Trace = {
  userId?: string
  keyId?: string
  sessionId?: string
  organizationId?: string
  allowance?: Allowance
}

export type Answer = { status: number; body: string; replayed?: true }
