import type { ClientBase, PoolClient } from 'pg'
import { Batch, type Prepared, type Result, type Sent, type Statement } from './batch.ts'

/** Sends a statement, through a connection or the query builder. */
export type SendStatement = (text: string, values?: readonly unknown[]) => Promise<Pick<Result, 'rows' | 'affected'>>

/** PostgreSQL ends a statement after 10 s (pool.ts). If not even that answer comes, the connection is ended here. */
export const silenceMs = 11_000

/**
 * A connection that batches statements: all statements of one turn of the event loop leave in one
 * flush. Two awaits in a row are two round trips; a `pipeline` (pipeline.ts) is one.
 */
export class Connection {
  /** Counters for tests and the benchmark. */
  readonly sent = { flushes: 0, statements: 0 }
  /** While set, this statement is sent first in every flush; what it sets holds for that flush only. */
  prefix: Statement | undefined
  /** When the borrower must be done (`performance.now`): after that no answer is waited for. */
  deadline = Number.POSITIVE_INFINITY
  private readonly client: PoolClient
  private readonly prepared: Prepared = new Map()
  private waiting: Sent[] = []
  private flying: Batch | undefined
  /** When an answer to the flush in flight is no longer waited for. */
  private patience = 0
  private settling: (() => void)[] = []

  constructor(client: PoolClient) {
    this.client = client
    // The client does not pass this message on, and only it tells that a statement has been prepared.
    wireOf(client).on('parseComplete', () => this.flying?.handleParseComplete())
  }

  readonly ask: SendStatement = (text, values) => this.query(text, values)

  query(text: string, values: readonly unknown[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0 && !this.flying) setImmediate(() => this.flush())
      this.waiting.push({ text, values, resolve, reject })
    })
  }

  /** Set when the state of the connection is unknown; the pool then ends it. */
  isBroken = false
  markBroken() {
    this.isBroken = true
  }

  /** The last error of a statement, awaited or not. PostgreSQL refuses the statements after it in the same transaction. */
  failure: unknown

  /** Whether no statement is waiting or in flight. */
  get isSettled() {
    return !this.flying && this.waiting.length === 0
  }

  /** Resolves when that is so. */
  async settled() {
    while (!this.isSettled) await new Promise<void>((resolve) => this.settling.push(resolve))
  }

  private flush() {
    const statements = this.prefix ? [unanswered(this.prefix), ...this.waiting] : this.waiting
    this.waiting = []
    this.flying = new Batch(statements, this.prepared, (error) => this.landed(error))
    this.sent.flushes += 1
    this.sent.statements += statements.length
    this.patience = Math.min(performance.now() + silenceMs, this.deadline)
    startWaiting(this)
    this.client.query(this.flying)
  }

  /** Ends the connection if its answer is overdue. */
  endIfSilent(now: number) {
    if (now > this.patience) destroyConnection(this.client, fellSilent())
  }

  private landed(error: unknown) {
    waiting.delete(this)
    if (error && !isOfAborted(error)) this.failure = error
    this.flying = undefined
    if (this.waiting.length > 0) setImmediate(() => this.flush())
    if (this.settling.length > 0) for (const settled of this.settling.splice(0)) setImmediate(settled)
  }
}

/** Whether a statement was refused because an earlier one of its transaction had failed. */
export const isOfAborted = (error: unknown) => error instanceof Error && 'code' in error && error.code === '25P02'

/** Connections that wait for an answer. One timer for all of them costs less than one for each flush. */
const waiting = new Set<Connection>()
let looking: NodeJS.Timeout | undefined
const lookEveryMs = 100

function startWaiting(connection: Connection) {
  waiting.add(connection)
  looking ??= setInterval(lookForSilence, lookEveryMs).unref()
}

function lookForSilence() {
  const now = performance.now()
  for (const connection of waiting) connection.endIfSilent(now)
  if (waiting.size > 0) return
  clearInterval(looking)
  looking = undefined
}

/**
 * Ends a connection without telling the server, which may be frozen: everything that waits for an answer fails at once. An
 * error is given only where somebody waits, because the stream reads its trace, and the first trace of a program costs 50 ms.
 */
export const destroyConnection = (client: ClientBase, error?: Error) => wireOf(client).stream.destroy(error)

export const fellSilent = () => new Error('PostgreSQL fell silent')

const unanswered = (statement: Statement): Sent => ({ ...statement, resolve() {}, reject() {} })

type Wire = { on(event: 'parseComplete', listener: () => void): void; stream: { destroy(error?: Error): void } }

/** The protocol connection under a client, which the types of `pg` leave out. */
const wireOf = (client: ClientBase) => (client as ClientBase & { connection: Wire }).connection
