import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** The wrapping key of every test database. A process that starts on one needs it. */
export const testSecretsKey = 'ZGV0ZXJtaW5pc3RpYy1idXQtbG9uZy1lbm91Z2gtMDE='

/** A new migrated database, copied from the template of this run. */
export async function newDatabase(): Promise<pg.PoolConfig & { database: string }> {
  const { host, port, user, template } = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await asAdmin({ host, port, user }, `create database ${database} template ${template}`)
  return { host, port, user, database }
}

/** A new empty database, without the schema. */
export async function emptyDatabase({ owner }: { owner?: string } = {}): Promise<pg.PoolConfig & { database: string }> {
  const { host, port, user } = inject('postgres')
  const database = `empty_${randomBytes(6).toString('hex')}`
  await asAdmin({ host, port, user }, `create database ${database} template template0 ${owner ? `owner ${owner}` : ''}`)
  return { host, port, user: owner ?? user, database }
}

export const dropDatabase = ({ database }: pg.PoolConfig & { database: string }) =>
  asAdmin(inject('postgres'), `drop database if exists ${database} with (force)`)

/** The URL of a database, for other processes. */
export const urlOf = ({ host, user, port, database }: pg.PoolConfig): string =>
  `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`

/** PostgreSQL copies a template only while nothing is connected to it, so copies are made one after the other. */
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

/** Queries a database over a new connection. */
export async function queryOn(database: pg.ClientConfig, text: string, values: unknown[] = []) {
  const client = new pg.Client(database)
  await client.connect()
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}
