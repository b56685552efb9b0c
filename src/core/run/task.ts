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
  /** Told of an organization in which a transaction may have changed something. */
  changed?: ((organizationId: string) => void) | undefined
  /** Another time limit for operations that talk to the network, for tests. */
  outsideMs?: number | undefined
}

/** The function of an operation that works in one transaction. */
export type InsideRun = Extract<Operation['run'], { outside: false }>

/** What a call begins with. */
type Beginning = {
  operation: Operation
  call: Call
  /** Who the credential's rate limits count the call against. */
  subject: string
  /** For whom its connections are borrowed. */
  holder: CallHolder
  checked: Checked
  /** Called when the call is over, however it ends. */
  onEnd: (() => void)[]
}

/** One call that is being executed: what all its steps share. */
export type Task = RunnerDependencies &
  Beginning & {
    /** What the operation adds to its audit row. A retry sets the same values again. */
    auditDetail: { value: Record<string, unknown> | null; objectId: string | null }
    /** The span in whose trace the jobs of this call continue. */
    traceparent: string | undefined
    /** When the call stops waiting for PostgreSQL (`performance.now`). */
    deadline: number
  }

/** Names every property instead of spreading the dependencies, because spreading took a tenth of the time of a read. */
export const newTask = (
  on: RunnerDependencies,
  { operation, call, subject, holder, checked, onEnd }: Beginning,
): Task => ({
  pool: on.pool,
  heavy: on.heavy,
  system: on.system,
  limiter: on.limiter,
  inFlight: on.inFlight,
  seal: on.seal,
  usage: on.usage,
  subscriberJobs: on.subscriberJobs,
  services: on.services,
  providers: on.providers,
  tracer: on.tracer,
  changed: on.changed,
  outsideMs: on.outsideMs,
  operation,
  call,
  subject,
  holder,
  checked,
  onEnd,
  auditDetail: { value: null, objectId: null },
  traceparent: call.caller.traceparent,
  deadline: deadlineIn(databaseTimeoutMs),
})

/**
 * How long a call waits for PostgreSQL in total: longer than one statement may take (10 s), and short enough that a caller
 * who also waits 3 s for a connection waits no longer than 15 s (FLT-04).
 */
export const databaseTimeoutMs = 11_000
export const deadlineIn = (ms: number): number => performance.now() + ms
