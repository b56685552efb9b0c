import type { PoolClient } from 'pg'
import { Batch, type Prepared, type Result, type Sent, type Statement } from './batch.ts'

/** Anything that statements can be sent through: the query builder, or a connection. */
export type SendStatement = (text: string, values?: readonly unknown[]) => Promise<Pick<Result, 'rows' | 'affected'>>

/** PostgreSQL gives up on a statement after 10 s (pool.ts); a server that does not even say so is given up on here. */
export const silenceMs = 11_000

/**
 * A connection whose statements travel together: everything asked for within one turn of the event loop leaves in one
 * flush. Two awaits in a row are two round trips; a `pipeline` (pipeline.ts) is one.
 */
export class Connection {
  /** What this connection has sent: tests and the benchmark count round trips with it. */
  readonly sent = { flushes: 0, statements: 0 }
  /** Goes ahead of every flush while set, so that what it sets holds for that flush alone. */
  prefix: Statement | undefined
  /** When its borrower must be done, by this process's own clock (`performance.now`): nothing is waited for after that. */
  deadline = Number.POSITIVE_INFINITY
  private readonly client: PoolClient
  private readonly prepared: Prepared = new Map()
  private waiting: Sent[] = []
  private flying: Batch | undefined
  private silence: NodeJS.Timeout | undefined
  private settling: (() => void)[] = []

  constructor(client: PoolClient) {
    this.client = client
    // The client hands every message on but this one, which alone tells that a statement is prepared now.
    wireOf(client).on('parseComplete', () => this.flying?.handleParseComplete())
  }

  readonly ask: SendStatement = (text, values) => this.query(text, values)

  query(text: string, values: readonly unknown[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0 && !this.flying) setImmediate(() => this.flush())
      this.waiting.push({ text, values, resolve, reject })
    })
  }

  /** Set when the connection can no longer be trusted; its pool then ends it. */
  isBroken = false
  markBroken() {
    this.isBroken = true
  }

  /** Resolves when nothing asked for is still on its way. */
  async settled() {
    while (this.flying || this.waiting.length > 0) await new Promise<void>((resolve) => this.settling.push(resolve))
  }

  private flush() {
    const statements = this.prefix ? [unanswered(this.prefix), ...this.waiting] : this.waiting
    this.waiting = []
    this.flying = new Batch(statements, this.prepared, () => this.landed())
    this.sent.flushes += 1
    this.sent.statements += statements.length
    const patienceMs = Math.max(0, Math.min(silenceMs, this.deadline - performance.now()))
    this.silence = setTimeout(() => destroyConnection(this.client), patienceMs)
    this.client.query(this.flying)
  }

  private landed() {
    clearTimeout(this.silence)
    this.flying = undefined
    if (this.waiting.length > 0) setImmediate(() => this.flush())
    for (const settled of this.settling.splice(0)) setImmediate(settled)
  }
}

/** Ends a connection without a word to the server, which may be frozen: whatever waits for an answer fails at once. */
export const destroyConnection = (client: PoolClient) =>
  wireOf(client).stream.destroy(new Error('PostgreSQL fell silent'))

const unanswered = (statement: Statement): Sent => ({ ...statement, resolve() {}, reject() {} })

type Wire = { on(event: 'parseComplete', listener: () => void): void; stream: { destroy(error: Error): void } }

/** The protocol connection under a client, which the types of `pg` leave out. */
const wireOf = (client: PoolClient) => (client as PoolClient & { connection: Wire }).connection
