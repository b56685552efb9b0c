import type { Pool } from '../../db/pool.ts'
import type { SessionEffect } from '../define/account.ts'
import type { Operation } from '../define/operation.ts'
import type { Providers, Services } from '../define/services.ts'
import type { Tracer } from '../observe/tracing.ts'
import type { Seal } from '../secrets/seal.ts'
import type { CallHolder } from '../share/connection-holder.ts'
import { memoize } from '../values/memoize.ts'
import type { Authorization } from './authorize.ts'
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

/** The function of an operation that works in one transaction, and of one that talks to the network. */
export type InsideRun = Extract<Operation['run'], { outside: false }>
export type OutsideRun = Extract<Operation['run'], { outside: true }>

/** What differs between operations in how their calls are executed. Made once for each, because a copy per call takes time. */
export type Plan = {
  /** Work, audit row and remembered answer commit together. A read needs no transaction. */
  writes: boolean
  /** A retry with the same Idempotency-Key is given the same answer. */
  keyed: boolean
  /**
   * It acts for a person and no organization, on connections that row security does not confine (`pool: 'system'`): it is
   * admitted before its work begins, and a write requires that the session still exists. It is not keyed, because a session
   * secret is never stored to be sent again.
   */
  ofPerson: boolean
}

const planOf = memoize(({ reads, pool }: Operation): Plan => {
  const ofPerson = pool === 'system'
  return { writes: !reads, keyed: !reads && !ofPerson, ofPerson }
})

/** What an operation says of its call beside its result. A retry sets the same values again. */
export type Outcome = {
  /** Added to the audit row. */
  detail: Record<string, unknown> | null
  /** The name in the audit row; null for no row. */
  recordedAs: string | null
  /** The person who has proven who they are, if the call began without one. */
  userId: string | undefined
  /** What becomes of the session. */
  session: SessionEffect | undefined
}

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
    plan: Plan
    outcome: Outcome
    /** The person of an account operation, once the call is admitted. */
    admitted: Authorization | undefined
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
  pool: operation.pool === 'system' ? on.system : on.pool,
  heavy: operation.pool === 'system' ? on.system : on.heavy,
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
  plan: planOf(operation),
  outcome: { detail: null, recordedAs: operation.recordedAs, userId: undefined, session: undefined },
  admitted: undefined,
  traceparent: call.caller.traceparent,
  deadline: deadlineIn(databaseTimeoutMs),
})

/**
 * How long a call waits for PostgreSQL in total: longer than one statement may take (10 s), and short enough that a caller
 * who also waits 3 s for a connection waits no longer than 15 s (FLT-04).
 */
export const databaseTimeoutMs = 11_000
export const deadlineIn = (ms: number): number => performance.now() + ms
