import type { Pool } from '../../db/pool.ts'
import type { Operation } from '../define/operation.ts'
import type { Providers, Services } from '../define/services.ts'
import type { Tracer } from '../observe/tracing.ts'
import type { Seal } from '../secrets/seal.ts'
import type { CallHolder } from '../share/connection-holder.ts'
import type { Call } from './call.ts'
import type { Checked } from './input.ts'
import type { createInFlight, Limiter } from './rate-limit.ts'
import type { Usage } from './usage.ts'

export type RunnerDependencies = {
  pool: Pool
  /** A few more connections for operations with `heavy`. */
  heavy: Pool
  /** Connections that row security does not confine, for operations with `pool: 'system'`. */
  system: Pool
  limiter: Limiter
  inFlight: ReturnType<typeof createInFlight>
  seal: Seal
  usage: Usage
  /** The jobs of the subscribers to an event type. */
  subscriberJobs: (type: string) => string[]
  services: Services
  providers: Providers
  tracer?: Tracer | undefined
  /** Another time limit for operations that talk to the network, for tests. */
  outsideMs?: number
}

/** One call that is being executed: what all its steps share. */
export type Task = RunnerDependencies & {
  operation: Operation
  call: Call
  /** Who the credential's rate limits count the call against. */
  subject: string
  /** For whom its connections are borrowed. */
  holder: CallHolder
  checked: Checked
  /** What the operation adds to its audit row. A retry sets the same values again. */
  auditDetail: { value: Record<string, unknown> | null }
  /** Called when the call is over, however it ends. */
  onEnd: (() => void)[]
  /** The span in whose trace the jobs of this call continue. */
  traceparent: string | undefined
  /** When the call stops waiting for PostgreSQL (`performance.now`). */
  deadline: number
}

/**
 * How long a call waits for PostgreSQL in total: longer than one statement may take (10 s), and short enough that a caller
 * who also waits 3 s for a connection waits no longer than 15 s (FLT-04).
 */
export const databaseTimeoutMs = 11_000
export const deadlineIn = (ms: number): number => performance.now() + ms
