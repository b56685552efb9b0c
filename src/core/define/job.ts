import type { Connection, SendStatement } from '../../db/wire/connection.ts'
import type { Inside } from './operation.ts'
import type { Static, TSchema } from './schema.ts'
import type { Providers, Services } from './services.ts'

/** What a job works with. Its organization is the one in which it was enqueued. */
export type JobContext = Services &
  Providers & {
    organizationId: string | null
    /** 1 for the first attempt. */
    attempt: number
    /** Whether the job was started before: it failed, or its worker was killed or taken for dead. */
    isRepeated: boolean
    /** How often a worker was killed, or taken for dead, while it ran this job. */
    interruptions: number
    /** Aborted when the worker stops or was taken for dead: long work ends early. */
    signal: AbortSignal
    /** What the `preload` of the job found, unless that is some time ago. It was read without row security. */
    preloaded: unknown
    /** Reads in the organization, without a transaction: the statements of one flush see the same state of the data. */
    read<T>(work: (reading: Pick<Inside, 'db' | 'ask' | 'now'>) => Promise<T>): Promise<T>
    /** A short transaction, confined to the organization: to read before talking to the network, or to note progress. */
    tx<T>(work: (inside: JobInside) => Promise<T>): Promise<T>
    /** The last transaction of the job: its work and the end of the job commit together, exactly once. */
    once<T>(work: (inside: JobInside) => Promise<T>): Promise<T>
    /** Ends the job in another transaction. The returned function must be called when that has committed. */
    endThrough(ask: SendStatement): Promise<() => void>
  }

/** As in an operation, but without a person. */
export type JobInside = Pick<Inside, 'db' | 'ask' | 'emit' | 'enqueue' | 'now' | keyof Services> & {
  connection: Connection
}

export type Job<P extends TSchema = TSchema> = {
  name: string
  payload: P
  run(context: JobContext, payload: Static<P>): Promise<void>
  /**
   * A query for what the job reads first. It is executed for the job `j` (`payload`, `flags`) in the statement that fetches
   * it, which saves a round trip. It is not confined to an organization, so it compares the flag of the organization itself.
   */
  preload?: string | undefined
}

/**
 * Declares a job. A `Failure` thrown by it is final; after any other error it is retried later. Work that must happen
 * exactly once goes into `once`; work outside the database happens before that, under a key that is the same in each attempt.
 */
export const job = <P extends TSchema>(
  name: string,
  payload: P,
  run: Job<P>['run'],
  { preload }: Pick<Job, 'preload'> = {},
): Job => ({ name, payload, run: run as Job['run'], preload })

/** A job that was interrupted so often may be the cause: a kind of job that has no other limit ends its work then. */
export const interruptionsMax = 20

/** Seconds to wait after each failure; after the last one the job is not retried. */
export const retryDelaysS = [1, 5, 25, 120]

/** The wait before the next attempt with jitter, or undefined when there is none. */
export function retryDelayMs(attempt: number, random = Math.random()): number | undefined {
  const delayS = retryDelaysS[attempt - 1]
  return delayS === undefined ? undefined : Math.round(delayS * 1000 * (0.8 + 0.4 * random))
}
