import { expect, onTestFinished, test } from 'vitest'
import { dropDatabase, emptyDatabase, newDatabase, queryOn } from '../test/database.ts'
import { type PoolerKind, startPooler } from '../test/fakes/pooler.ts'
import { startApi } from '../test/processes/api-process.ts'
import { kontor } from '../test/processes/kontor.ts'
import { openPool } from './pool.ts'
import { refusePooler } from './pooler.ts'

type Database = Awaited<ReturnType<typeof emptyDatabase>>

/** The database through a pooler. */
async function through(database: Database, kind: PoolerKind): Promise<Database> {
  const pooler = await startPooler(database, kind)
  onTestFinished(() => pooler.close())
  return { ...database, host: '127.0.0.1', port: pooler.port }
}

const atAddress = ({ user, port, database }: Database) => `postgres://${user}@127.0.0.1:${port}/${database}`

async function anEmptyDatabase() {
  const database = await emptyDatabase()
  onTestFinished(() => dropDatabase(database))
  return database
}

test.each<[PoolerKind, RegExp]>([
  [
    { lends: 'transactions', options: 'passed' },
    /^DATABASE_URL leads through a pooler in transaction or statement mode.*address of/,
  ],
  [
    { lends: 'transactions', options: 'dropped' },
    /^DATABASE_URL leads through a pooler in transaction or statement mode/,
  ],
  [{ lends: 'sessions', options: 'dropped' }, /^DATABASE_URL leads through a pooler that does not pass connection opt/],
  [{ lends: 'sessions', options: 'refused' }, /^DATABASE_URL leads through a pooler that does not pass connection opt/],
])('a pooler with %j is refused in a sentence', async (kind, says) => {
  await expect(refusePooler(await through(await anEmptyDatabase(), kind))).rejects.toThrow(says)
})

test('a pooler in transaction mode is refused before anything is changed', async () => {
  const database = await anEmptyDatabase()
  const pooled = await through(database, { lends: 'transactions', options: 'passed' })
  const { status, stderr, stdout } = await kontor(['migrate'], { DATABASE_URL: atAddress(pooled) })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^DATABASE_URL leads through a pooler in transaction or statement mode.*\n$/)
  expect(await queryOn(database, "select to_regclass('migrations') as there")).toEqual([{ there: null }])
})

test('a direct connection is accepted, and so is a pooler that lends sessions with their options', async () => {
  const database = await anEmptyDatabase()
  await refusePooler(database)
  await refusePooler(await through(database, { lends: 'sessions', options: 'passed' }))
})

test('an API works through a pooler that lends sessions with their options', async () => {
  const { requests: _, ...database } = await newDatabase()
  onTestFinished(() => dropDatabase(database))
  const pooler = await startPooler(database, { lends: 'sessions', options: 'passed' })
  onTestFinished(() => pooler.close())
  const DATABASE_URL = atAddress({ ...database, host: '127.0.0.1', port: pooler.port })
  const api = await startApi(database, { DATABASE_URL })
  expect((await fetch(`${api.url}/ready`)).status).toBe(200)
  expect(await api.kill('SIGTERM')).toBe(0)
})

test('a connection for requests that does not begin in its role is never lent', async () => {
  const database = await newDatabase()
  onTestFinished(() => dropDatabase(database))
  const pool = openPool(await through(database, { lends: 'sessions', options: 'dropped' }), { confined: true, max: 1 })
  onTestFinished(() => pool.close())
  await expect(pool.use((_, connection) => connection.query('select 1'))).rejects.toThrow(
    /not in the role kontor_confined/,
  )
})
