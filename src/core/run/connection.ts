import type { Connection } from '../../db/connection.ts'
import type { BorrowedConnection, Pool } from '../../db/pool.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { isOutdatedPlan } from './errors.ts'

/**
 * Borrows a connection, in a transaction if asked, and gives it back in the state it came. Work that is not done by the
 * moment `until` (of `performance.now`) loses the connection, and with it the transaction.
 */
export async function withConnection<T>(
  pool: Pool,
  transaction: boolean,
  work: (lent: BorrowedConnection) => Promise<T>,
  until = Number.POSITIVE_INFINITY,
): Promise<T> {
  const lent = await pool.borrow()
  const { connection } = lent
  try {
    connection.deadline = until
    if (transaction) sendWithoutWaiting(connection.query('begin'))
    const result = await work(lent)
    if (transaction) await commit(connection)
    return result
  } catch (error) {
    if (isOutdatedPlan(error)) connection.markBroken()
    if (transaction) await connection.query('rollback').catch(() => connection.markBroken())
    throw error
  } finally {
    await connection.settled()
    connection.prefix = undefined
    lent.giveBack(connection.isBroken)
  }
}

/** PostgreSQL answers the commit of a failed transaction with ROLLBACK and no error. */
async function commit(connection: Connection) {
  faultPoint('before-commit')
  const { command } = await connection.query('commit')
  if (command !== 'COMMIT') throw new Error('The transaction could not be committed.')
  faultPoint('after-commit-before-reply')
}

/** Awaits the first; should it fail, the work begun beside it is let end before anybody else gets the connection. */
export async function awaitOrCancel<T>(first: Promise<T>, beside: Promise<unknown> | undefined): Promise<T> {
  try {
    return await first
  } catch (error) {
    await beside?.catch(() => {})
    throw error
  }
}

/** A promise that someone awaits later, or whose failure shows elsewhere: it must not count as unhandled. */
export function sendWithoutWaiting<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
