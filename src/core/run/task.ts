import type { Pool } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import type { Providers, Services } from '../define/services.ts'
import type { Tracer } from '../observe/tracing.ts'
import type { Seal } from '../secrets/seal.ts'
import type { Call } from './call.ts'
import type { Checked } from './input.ts'
import type { createInFlight, Limiter } from './rate-limit.ts'
import type { Usage } from './usage.ts'

/** What calls are carried out with. */
export type RunnerDependencies = {
  pool: Pool
  /** Connections that row security does not confine, for operations with `pool: 'system'`. */
  system: Pool
  limiter: Limiter
  inFlight: ReturnType<typeof createInFlight>
  seal: Seal
  usage: Usage
  /** Which jobs an event orders. */
  subscriberJobs: (type: string) => string[]
  services: Services
  providers: Providers
  tracer?: Tracer | undefined
  /** Another limit for operations that talk to the network, for tests. */
  outsideMs?: number
}

/** One call on its way. */
export type Task = RunnerDependencies & {
  operation: Operation
  call: Call
  subject: string
  checked: Checked
  /** What the operation adds to its audit row; the same again when it is tried again. */
  detail: { of: Record<string, unknown> | null }
  /** What to do when the call is over, however it ends. */
  onEnd: (() => void)[]
  /** Where in the trace the jobs that it orders belong. */
  traceparent: string | undefined
  /** When PostgreSQL is no longer waited for. */
  deadline: number
}

/**
 * How long a call waits for PostgreSQL, all in all: longer than one statement may take (10 s), and so that with the 3 s
 * for a connection and the 3 s for the limits before it nobody waits past 15 s (FLT-04).
 */
export const databaseTimeoutMs = 11_000
export const deadlineIn = (ms: number): number => performance.now() + ms
