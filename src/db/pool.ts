import pg from 'pg'
import { lowerPriorityOfBackend } from './backend-priority.ts'
import { builderOver } from './builder.ts'
import type { Database } from './database.ts'
import { keepConnections } from './kept-connections.ts'
import { Connection, destroyConnection, fellSilent, silenceMs } from './wire/connection.ts'

/**
 * How to connect to a database. The embedded server has a separate login for requests. A database in DATABASE_URL has one
 * login for everything, and its connections for requests start in another role.
 */
export type DatabaseConfig = pg.PoolConfig & { requests?: { user: string } }

/** A borrowed connection, with the query builder that uses it. */
export type BorrowedConnection = { connection: Connection; db: Database; giveBack(broken?: boolean): void }

/**
 * Who a connection is borrowed for. Each of the subjects may hold a part of the pool (core/share/connection-holder.ts). `turn`
 * is set while a connection is held, `givesWay` for work that busy subjects do later (core/share/give-way.ts).
 */
export type ConnectionHolder = {
  subjects: readonly string[]
  waitMs?: number
  givesWay?: boolean
  turn: Turn | undefined
}

/** The order in which holders get connections; implemented by core/share/fair-queue.ts. */
export type Turns = {
  enter(subjects: readonly string[], how?: Pick<ConnectionHolder, 'waitMs' | 'givesWay'>): Turn | Promise<Turn>
  readonly waiting: number
}
type Turn = { countAs(subjects: readonly string[]): void; leave(): void }

export type Pool = {
  /** Limits the connections of one holder, if the pool has such a limit. */
  turns?: Turns | undefined
  /** At once if a connection is ready, which is the usual case. */
  borrow(): BorrowedConnection | Promise<BorrowedConnection>
  /** Borrows a connection for some work outside any organization, with a time limit if given. */
  use<T>(work: (db: Database, connection: Connection) => Promise<T>, timeoutMs?: number): Promise<T>
  /** How many connections are open, and how many of them nobody uses. */
  readonly open: { total: number; idle: number }
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

type PoolOptions = {
  /** For requests: its connections start in the role that row security applies to. */
  confined: boolean
  /** What is done over these connections comes after other work, if the server is on this machine. */
  lowPriority?: boolean
  max: number
  turns?: Turns
}

export function openPool(config: DatabaseConfig, { confined, lowPriority = false, max, turns }: PoolOptions): Pool {
  const login = confined ? config.requests : undefined
  const raw = resilientPool({
    ...config,
    ...login,
    ...bounded(config, confined),
    async onConnect(client) {
      if (confined) await requireRole(client)
      if (lowPriority) lowerPriorityOfBackend(config, client)
    },
    max,
    idleTimeoutMillis: 60_000,
  })
  const known = new WeakMap<pg.PoolClient, LentConnection>()
  const kept = keepConnections<LentConnection>()

  async function connect(): Promise<BorrowedConnection> {
    const client = await raw.connect()
    const lent = known.get(client) ?? lend(client)
    known.set(client, lent)
    return lent
  }

  const lend = (client: pg.PoolClient) =>
    lentFrom(client, (lent, broken) => {
      // Requests alone keep connections: others use the driver's pool directly, and must find idle ones there.
      if (confined && !broken && raw.waitingCount === 0 && !raw.ending) kept.keep(lent)
      else client.release(broken)
    })

  const borrow = () => kept.take() ?? connect()

  return {
    raw,
    turns,
    borrow,
    get open() {
      return { total: raw.totalCount, idle: raw.idleCount + kept.count }
    },
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
    close() {
      const closing = raw.end()
      kept.release()
      return closing
    },
  }
}

/**
 * The connections of the queue (graphile-worker): those for its jobs, and one to listen. The library waits for an answer
 * without a time limit and returns a connection in any state, so a silent server is detected here.
 */
export function openQueuePool(config: pg.PoolConfig, max = 10): pg.Pool {
  const pool = resilientPool({ ...config, ...bounded(config, false), max })
  pool.on('connect', (client) => lowerPriorityOfBackend(config, client))
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
    silence ??= setTimeout(() => destroyConnection(client, fellSilent()), silenceMs)
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

/** Something in between may drop the options of a new connection, and with them the role that row security applies to. */
async function requireRole(client: pg.ClientBase) {
  const asked = { text: 'select current_user as role', query_timeout: 3_000 }
  const { rows } = await client.query<{ role: string }>(asked)
  if (rows[0]?.role !== 'kontor_confined')
    throw new Error(`A connection for requests is not in the role kontor_confined, but in ${rows[0]?.role}.`)
}

/** A connection of the driver's pool, which gets it back with `release`. */
type LentConnection = BorrowedConnection & { release(): void }

/** `given` receives the connection when its borrower gives it back. */
function lentFrom(client: pg.PoolClient, given: (lent: LentConnection, broken: boolean) => void): LentConnection {
  const connection = new Connection(client)
  client.on('error', () => connection.markBroken())
  const lent: LentConnection = {
    connection,
    db: builderOver(connection),
    giveBack(broken = false) {
      connection.deadline = Number.POSITIVE_INFINITY
      given(lent, broken)
    },
    release: () => client.release(connection.isBroken),
  }
  return lent
}
