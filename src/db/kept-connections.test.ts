import '../test/own-world.ts'
import { expect, test } from 'vitest'
import { queryAsSuperuser } from '../test/database.ts'
import { theDatabase } from '../test/world.ts'
import { openPool } from './pool.ts'

async function poolOf(max: number) {
  const pool = openPool(theDatabase(), { confined: true, max })
  const pidOf = async (borrowed: Awaited<ReturnType<typeof pool.borrow>>) => {
    const { rows } = await borrowed.connection.query('select pg_backend_pid() as pid')
    return rows[0]?.pid
  }
  return { pool, pidOf }
}

test('a connection that was given back is borrowed again at once, the last one first', async () => {
  const { pool, pidOf } = await poolOf(3)
  const [first, second] = [await pool.borrow(), await pool.borrow()]
  const pids = [await pidOf(first), await pidOf(second)]
  expect(pool.open).toEqual({ total: 2, idle: 0 })
  first.giveBack()
  second.giveBack()
  expect(pool.open).toEqual({ total: 2, idle: 2 })
  const again = pool.borrow()
  expect(again).not.toBeInstanceOf(Promise)
  expect(await pidOf(await again)).toBe(pids[1])
  ;(await again).giveBack()
  await pool.close()
  expect(pool.open).toEqual({ total: 0, idle: 0 })
})

test('who waits for a connection gets the one that is given back', async () => {
  const { pool } = await poolOf(1)
  const held = await pool.borrow()
  const waiting = pool.borrow()
  expect(waiting).toBeInstanceOf(Promise)
  held.giveBack()
  ;(await waiting).giveBack()
  await pool.close()
})

test('a connection that broke between two uses is not lent again', async () => {
  const { pool, pidOf } = await poolOf(1)
  const held = await pool.borrow()
  const pid = await pidOf(held)
  held.giveBack()
  await queryAsSuperuser(theDatabase(), `select pg_terminate_backend(${pid})`)
  await expect.poll(() => held.connection.isBroken).toBe(true)
  const other = await pool.borrow()
  expect(await pidOf(other)).not.toBe(pid)
  expect(pool.open).toEqual({ total: 1, idle: 0 })
  other.giveBack()
  await pool.close()
})

test('connections that are not needed for a second go back to the pool of the driver, which closes idle ones', async () => {
  const { pool } = await poolOf(2)
  const [first, second] = [await pool.borrow(), await pool.borrow()]
  first.giveBack()
  second.giveBack()
  expect(pool.raw.idleCount).toBe(0)
  await expect.poll(() => pool.raw.idleCount, { timeout: 5_000 }).toBe(2)
  expect(pool.open).toEqual({ total: 2, idle: 2 })
  await pool.close()
})

test('a pool that closes waits for the connections that are in use', async () => {
  const { pool, pidOf } = await poolOf(2)
  const held = await pool.borrow()
  const closed = pool.close()
  expect(await pidOf(held)).toEqual(expect.any(Number))
  held.giveBack()
  await closed
  expect(pool.open).toEqual({ total: 0, idle: 0 })
})
