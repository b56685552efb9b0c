import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { theDatabase } from '../../test/world.ts'
import { withConnection } from './connection.ts'

const errorWith = (code: string) => Object.assign(new pg.DatabaseError('It failed.', 1, 'error'), { code })

test.each([
  { name: 'was lost', error: errorWith('57P01'), isKept: false },
  {
    name: 'was lost before anybody could be told',
    error: new Error('Client has encountered a connection error and is not queryable'),
    isKept: false,
  },
  { name: 'found the disk full', error: errorWith('53100'), isKept: true },
  { name: 'refused a row', error: errorWith('23505'), isKept: true },
])('FLT-04: after a read whose connection $name, the connection is used again: $isKept', async ({ error, isKept }) => {
  const pool = openPool(theDatabase(), { confined: true, max: 1 })
  onTestFinished(() => pool.close())
  const backend = () =>
    withConnection(
      pool,
      false,
      async ({ connection }) => (await connection.query('select pg_backend_pid() as pid')).rows[0]?.pid,
    )
  const before = await backend()
  await expect(withConnection(pool, false, () => Promise.reject(error))).rejects.toBe(error)
  expect((await backend()) === before).toBe(isKept)
})
