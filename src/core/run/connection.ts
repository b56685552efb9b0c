import type { BorrowedConnection, ConnectionHolder, Pool } from '../../db/pool.ts'
import { type Connection, isOfAborted } from '../../db/wire/connection.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { isLost, isOutdatedPlan, isStorageFull } from './errors.ts'

type Options = {
  /** Work that is not done by this moment (of `performance.now`) loses the connection, and with it the transaction. */
  until?: number
  /** For whom the connection is borrowed. It waits for its turn if it holds its part of the pool already. */
  holder?: ConnectionHolder | undefined
}

/** Borrows a connection for some work, in a transaction if asked, and returns it clean. */
export async function withConnection<T>(
  pool: Pool,
  transaction: boolean,
  work: (borrowed: BorrowedConnection) => Promise<T>,
  { until = Number.POSITIVE_INFINITY, holder }: Options = {},
): Promise<T> {
  if (!holder || !pool.turns) return withBorrowed(pool, transaction, work, until)
  const entered = pool.turns.enter(holder.subjects, holder)
  const turn = entered instanceof Promise ? await entered : entered
  holder.turn = turn
  try {
    return await withBorrowed(pool, transaction, work, until)
  } finally {
    holder.turn = undefined
    turn.leave()
  }
}

async function withBorrowed<T>(
  pool: Pool,
  transaction: boolean,
  work: (borrowed: BorrowedConnection) => Promise<T>,
  until: number,
): Promise<T> {
  const ready = pool.borrow()
  const borrowed = ready instanceof Promise ? await ready : ready
  const { connection } = borrowed
  try {
    connection.deadline = until
    connection.failure = undefined
    if (transaction) sendWithoutWaiting(connection.query('begin'))
    const result = await work(borrowed)
    if (transaction) await commit(connection)
    return result
  } catch (caught) {
    const error = isOfAborted(caught) ? (connection.failure ?? caught) : caught // why the transaction was aborted
    // A lost connection is not used again, even if the driver has not reported the loss yet.
    if (isOutdatedPlan(error) || (isLost(error) && !isStorageFull(error))) connection.markBroken()
    if (transaction) await connection.query('rollback').catch(() => connection.markBroken())
    throw error
  } finally {
    if (!connection.isSettled) await connection.settled()
    connection.prefix = undefined
    borrowed.giveBack(connection.isBroken)
  }
}

/** PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error. */
async function commit(connection: Connection) {
  faultPoint('before-commit')
  const { command } = await connection.query('commit')
  if (command !== 'COMMIT') throw connection.failure ?? new Error('The transaction could not be committed.')
  faultPoint('after-commit-before-reply')
}

/** For a statement that is awaited later, or whose failure makes the commit fail: its rejection is not unhandled. */
export function sendWithoutWaiting<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
