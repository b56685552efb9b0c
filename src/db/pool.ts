import { Kysely, PostgresAdapter, PostgresIntrospector } from 'kysely'
import pg from 'pg'
import { Connection, destroyConnection, silenceMs } from './connection.ts'
import type { Database, Tables } from './database.ts'
import { SnakeCaseCompiler } from './names.ts'

/**
 * How to connect to a database. The embedded server has a separate login for requests. A database in DATABASE_URL has one
 * login for everything, and its connections for requests start in another role.
 */
export type DatabaseConfig = pg.PoolConfig & { requests?: { user: string } }

/** A borrowed connection, with the query builder that uses it. */
export type BorrowedConnection = { connection: Connection; db: Database; giveBack(broken?: boolean): void }

/**
 * Who a connection is borrowed for. Each of the subjects may hold a part of the pool (core/share/connection-holder.ts). `turn`
 * is set while a connection is held.
 */
export type ConnectionHolder = { subjects: readonly string[]; waitMs?: number; turn: Turn | undefined }

/** The order in which holders get connections; implemented by core/share/fair-queue.ts. */
export type Turns = {
  enter(subjects: readonly string[], waitMs?: number): Turn | Promise<Turn>
  readonly waiting: number
}
type Turn = { countAs(subjects: readonly string[]): void; leave(): void }

export type Pool = {
  /** Limits the connections of one holder, if the pool has such a limit. */
  turns?: Turns | undefined
  borrow(): Promise<BorrowedConnection>
  /** Borrows a connection for some work outside any organization, with a time limit if given. */
  use<T>(work: (db: Database, connection: Connection) => Promise<T>, timeoutMs?: number): Promise<T>
  /** The driver's own pool, for libraries that need one (graphile-worker). */
  raw: pg.Pool
  close(): Promise<void>
}

/**
 * The driver's pool, where a broken connection fails its query and is replaced. Without the two listeners, for idle and for
 * borrowed connections, it would end the process.
 */
export function resilientPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, keepAliveInitialDelayMillis: 10_000, ...config })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** `confined` pools are for requests: their connections start in the role that row security applies to. */
export function openPool(
  config: DatabaseConfig,
  { confined, max, turns }: { confined: boolean; max: number; turns?: Turns },
): Pool {
  const login = confined ? config.requests : undefined
  const raw = resilientPool({ ...config, ...login, ...bounded(config, confined), max, idleTimeoutMillis: 60_000 })
  const known = new WeakMap<pg.PoolClient, BorrowedConnection>()

  async function borrow(): Promise<BorrowedConnection> {
    const client = await raw.connect()
    const borrowed = known.get(client) ?? borrowedFrom(client)
    known.set(client, borrowed)
    return borrowed
  }

  return {
    raw,
    turns,
    borrow,
    async use(work, timeoutMs = Number.POSITIVE_INFINITY) {
      const until = performance.now() + timeoutMs
      const borrowed = await borrow()
      try {
        borrowed.connection.deadline = until
        return await work(borrowed.db, borrowed.connection)
      } catch (error) {
        if (error instanceof pg.DatabaseError) borrowed.connection.markBroken() // its session state is unknown; a Failure leaves it clean
        throw error
      } finally {
        await borrowed.connection.settled()
        borrowed.giveBack(borrowed.connection.isBroken)
      }
    },
    close: () => raw.end(),
  }
}

export const queueConnections = 10

/**
 * The connections of the queue (graphile-worker): those for its jobs, and one to listen. The library waits for an answer
 * without a time limit and returns a connection in any state, so a silent server is detected here.
 */
export function openQueuePool(config: pg.PoolConfig): pg.Pool {
  const pool = resilientPool({ ...config, ...bounded(config, false), max: queueConnections })
  pool.on('connect', giveUpOnSilence)
  return pool
}

function giveUpOnSilence(client: pg.PoolClient) {
  let silence: NodeJS.Timeout | undefined
  const ended = () => {
    clearTimeout(silence)
    silence = undefined
  }
  const ask = client.query.bind(client) as (...given: unknown[]) => unknown
  const asking = (...given: unknown[]) => {
    silence ??= setTimeout(() => destroyConnection(client), silenceMs)
    return ask(...given)
  }
  client.query = asking as typeof client.query // the same, in all its forms
  client.on('drain', ended).on('end', ended)
}

/** Time limits (FLT-04); what PostgreSQL does not end itself is ended in connection.ts. */
const bounded = ({ options }: pg.PoolConfig, confined: boolean) => ({
  connectionTimeoutMillis: 3_000,
  options: [options, ...settings(confined)].filter(Boolean).join(' '),
})

const settings = (confined: boolean) => [
  '-c timezone=UTC',
  '-c jit=off',
  '-c statement_timeout=10000',
  '-c lock_timeout=3000',
  '-c idle_in_transaction_session_timeout=15000',
  ...(confined ? ['-c role=kontor_confined', '-c max_parallel_workers_per_gather=0'] : []),
]

function borrowedFrom(client: pg.PoolClient): BorrowedConnection {
  const connection = new Connection(client)
  client.on('error', () => connection.markBroken())
  return {
    connection,
    db: builderOver(connection),
    giveBack(broken = false) {
      connection.deadline = Number.POSITIVE_INFINITY
      client.release(broken)
    },
  }
}

/** Kysely over one connection. It begins no transactions: that is for the borrower (core/run/connection.ts). */
function builderOver(connection: Connection): Database {
  const driver = {
    executeQuery: async ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      const { rows, affected } = await connection.query(sql, parameters)
      return { rows: rows as never[], numAffectedRows: BigInt(affected) }
    },
    streamQuery: () => refuse('Rows are not streamed through the query builder.'),
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new SnakeCaseCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => driver,
        beginTransaction: async () => refuse('The runner begins transactions.'),
        commitTransaction: async () => refuse('The runner commits transactions.'),
        rollbackTransaction: async () => refuse('The runner rolls back.'),
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  })
}

function refuse(sentence: string): never {
  throw new Error(sentence)
}
