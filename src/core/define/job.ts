import type { Connection, SendStatement } from '../../db/connection.ts'
import type { Inside } from './operation.ts'
import type { Static, TSchema } from './schema.ts'
import type { Providers, Services } from './services.ts'

/** What a job works with. Its organization is the one it was ordered in. */
export type JobContext = Services &
  Providers & {
    organizationId: string | null
    /** 1 at first, one more after each failure. */
    attempt: number
    /** Aborted when the worker stops or has been taken for dead: long work ends where it is. */
    signal: AbortSignal
    /** A short transaction, confined to the organization: to read before talking to the outside, or to note progress. */
    tx<T>(work: (inside: JobInside) => Promise<T>): Promise<T>
    /** The transaction that ends the job: what it does and the end of the job commit together, exactly once. */
    once<T>(work: (inside: JobInside) => Promise<T>): Promise<T>
    /** The same in a transaction of another's, as its last word. What it answers is called when that has committed. */
    endThrough(ask: SendStatement): Promise<() => void>
  }

/** As in an operation, but for nobody in particular. */
export type JobInside = Pick<Inside, 'db' | 'ask' | 'emit' | 'enqueue' | 'now' | keyof Services> & {
  connection: Connection
}

export type Job<P extends TSchema = TSchema> = {
  name: string
  payload: P
  run(context: JobContext, payload: Static<P>): Promise<void>
}

/**
 * Declares a job. A `Failure` thrown by it is final; anything else is tried again after a while. Work that must happen
 * exactly once goes into `once`; what cannot be in a transaction happens before it, under a key that stays the same.
 */
export const job = <P extends TSchema>(name: string, payload: P, run: Job<P>['run']): Job => ({
  name,
  payload,
  run: run as Job['run'],
})

/** Seconds to wait after each failure; after the last one the job is given up. */
export const retryDelaysS = [1, 5, 25, 120]

/** The wait before the next attempt with jitter, or undefined when there is none. */
export function retryDelayMs(attempt: number, random = Math.random()): number | undefined {
  const delayS = retryDelaysS[attempt - 1]
  return delayS === undefined ? undefined : Math.round(delayS * 1000 * (0.8 + 0.4 * random))
}
