import '../own-world.ts'
import { expect, test } from 'vitest'
import { openPool, openQueuePool } from '../../db/pool.ts'
import { asSuperuser } from '../database.ts'
import { member, operationNamed, theApp, theDatabase, withKey } from '../world.ts'

test('FLT-04: cut connections fail the requests that use them, and the process goes on', async () => {
  const amy = await withKey(await member('CONTRIBUTOR'))
  const [list, create] = [operationNamed('customers_list'), operationNamed('customers_create')]
  const admin = openPool(asSuperuser(theDatabase()), { confined: false, max: 1 })
  const statuses: number[] = []
  let cutting = true
  const busy = Array.from({ length: 12 }, async (_, i) => {
    while (cutting) {
      const input = { organizationId: amy.organizationId, ...(i % 2 && { name: 'Cut', country: 'SG' }) }
      statuses.push((await amy.request(i % 2 ? create : list, input)).status)
    }
  })
  const seen = (...expected: number[]) => expected.every((status) => statuses.includes(status))
  for (let round = 0; round < 10 || !seen(200, 201, 500); round++) {
    await new Promise((resolve) => setTimeout(resolve, 40))
    await admin.raw.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }
  cutting = false
  await Promise.all(busy)
  await admin.close()
  expect([...new Set(statuses)].sort()).toEqual([200, 201, 500])
  expect((await amy.request(list, {})).status).toBe(200)
  const created = statuses.filter((status) => status === 201).length
  const { pagination } = await amy.call('customers_list', { limit: 1 })
  // A write whose answer was lost may have been committed; an acknowledged one always was.
  expect(pagination.total).toBeGreaterThanOrEqual(created)
})

test('FLT-16: requests go on while a newer version adds a column', async () => {
  const amy = await withKey(await member('CONTRIBUTOR'))
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  await Promise.all(Array.from({ length: 24 }, () => amy.call('customers_get', { id })))
  await theApp().system.raw.query('alter table customers add column later text')
  try {
    const answers = await Promise.all(Array.from({ length: 24 }, () => amy.call('customers_get', { id })))
    expect(answers.map((customer) => customer.id)).toEqual(answers.map(() => id))
    expect(await amy.call('customers_update_patch', { id, notes: 'still here' })).toMatchObject({ notes: 'still here' })
  } finally {
    await theApp().system.raw.query('alter table customers drop column later')
  }
})

test('statements beyond the number that a connection prepares are not confused with each other', async () => {
  const pool = openPool(theDatabase(), { confined: false, max: 1 })
  const rows = await pool.use(async (_, connection) => {
    for (let n = 0; n < 1_005; n++) await connection.query(`select ${n} as n`)
    const texts = ["select 'X' as x", "select 'Y' as y", "select 'X' as x"]
    return Promise.all(texts.map(async (text) => (await connection.query(text)).rows[0]))
  })
  expect(rows).toEqual([{ x: 'X' }, { y: 'Y' }, { x: 'X' }])
  await pool.close()
})

test('a refused request opens no connection', async () => {
  const connections = async () => {
    const { rows } = await theApp().system.raw.query(
      'select pid from pg_stat_activity where datname = current_database() order by pid',
    )
    return rows.map(({ pid }) => pid as number)
  }
  const before = await connections()
  for (let n = 0; n < 20; n++)
    expect((await theApp().server.inject({ method: 'GET', url: '/api/auth/session' })).statusCode).toBe(401)
  expect((await connections()).filter((pid) => !before.includes(pid)).length).toBeLessThanOrEqual(1)
})

test('FLT-04: every connection of the product has its time limits', async () => {
  const queue = openQueuePool(theDatabase())
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  for (const pool of [theApp().confined.raw, theApp().system.raw, queue]) {
    const { rows } = await pool.query(`select name, setting from pg_settings where name = any ($1) order by name`, [
      limits,
    ])
    expect(rows.map(({ setting }) => setting)).toEqual(['15000', '3000', '10000'])
    expect(pool.options.connectionTimeoutMillis).toBe(3_000)
  }
  await queue.end()
})

test('FLT-04: a connection held past its time limit is closed, and the next caller gets another', async () => {
  const slow = theApp().system.use((_, connection) => connection.query('select pg_sleep(9)'), 300)
  await expect(slow).rejects.toThrow('PostgreSQL fell silent')
  expect((await theApp().system.raw.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
