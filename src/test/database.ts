import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** The wrapping key of every test database: whoever starts on one must bring it. */
export const testSecretsKey = 'ZGV0ZXJtaW5pc3RpYy1idXQtbG9uZy1lbm91Z2gtMDE='

/** A migrated database of this test file's own: a copy of the run's template. */
export async function newDatabase(): Promise<pg.PoolConfig & { database: string }> {
  const { host, port, user, template } = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await asAdmin({ host, port, user }, `create database ${database} template ${template}`)
  return { host, port, user, database }
}

export const dropDatabase = ({ database, host, port, user }: pg.PoolConfig & { database: string }) =>
  asAdmin({ host, port, user } as pg.ClientConfig, `drop database if exists ${database} with (force)`)

/** PostgreSQL copies a template that nobody is connected to, so copies are made one after the other. */
async function asAdmin(config: pg.ClientConfig, statement: string) {
  const client = new pg.Client({ ...config, database: 'postgres' })
  await client.connect()
  try {
    await client.query("select pg_advisory_lock(hashtextextended('test databases', 0))")
    await client.query(statement)
  } finally {
    await client.end()
  }
}
