import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseConfig } from '../db/pool.ts'

/** The wrapping key of every test database. A process that starts on one needs it. */
export const testSecretsKey = 'ZGV0ZXJtaW5pc3RpYy1idXQtbG9uZy1lbm91Z2gtMDE='

/** A database of the tests, with the logins of the product. */
type TestDatabase = DatabaseConfig & { database: string }

/** A new migrated database, copied from a template of this run, file by file: twice as quick as through the log. */
export async function newDatabase(template = inject('postgres').template): Promise<TestDatabase> {
  const { logins } = inject('postgres')
  const database = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${database} template ${template} strategy file_copy owner ${logins.user}`)
  return { ...logins, database }
}

/** A data folder of PostgreSQL with a migrated database, which no server runs on. */
export const migratedFolder = (): string => inject('postgres').migratedFolder

/** A new empty database, without the schema. With `owner` it is as in DATABASE_URL: one login for everything. */
export async function emptyDatabase({ owner }: { owner?: string } = {}): Promise<TestDatabase> {
  const { logins } = inject('postgres')
  const { requests, ...shared } = logins
  const database = `empty_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${database} template template0 owner ${owner ?? logins.user}`)
  return owner ? { ...shared, user: owner, database } : { ...shared, requests, database }
}

export const dropDatabase = ({ database }: { database: string }) =>
  asAdmin(`drop database if exists ${database} with (force)`)

/**
 * Statistics of tables that are longer than a page. Autovacuum has no time to gather them during a test, and connections would
 * keep the plans for an empty database, which read all rows of all organizations.
 */
export const analyzeGrownTables = `do $$
  declare grown regclass;
  begin
    for grown in select oid::regclass from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and pg_relation_size(oid) > 8192
    loop execute format('analyze %s', grown); end loop;
  end $$`

/** The same database as the superuser, for what the product has no right to. */
export const asSuperuser = (database: TestDatabase): TestDatabase => ({
  ...database,
  user: inject('postgres').superuser,
})

/** The URL of a database, for other processes. */
export const urlOf = ({ host, user, port, database }: pg.PoolConfig): string =>
  `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`

/** Runs what only one worker at a time may do. */
export async function oneAtATime<T>(what: string, work: () => Promise<T>): Promise<T> {
  const { logins, superuser } = inject('postgres')
  const client = new pg.Client({ ...logins, user: superuser, database: 'postgres' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [what])
    return await work()
  } finally {
    await client.end()
  }
}

/** PostgreSQL copies a template only while nothing is connected to it, so copies are made one after the other. */
async function asAdmin(statement: string): Promise<void> {
  const { logins, superuser } = inject('postgres')
  const admin = { ...logins, user: superuser, database: 'postgres' }
  await oneAtATime('test databases', () => queryOn(admin, statement))
}

/** Queries a database as the superuser: the sessions of other roles in pg_stat_activity, for example. */
export const queryAsSuperuser = (database: TestDatabase, text: string, values: unknown[] = []) =>
  queryOn(asSuperuser(database), text, values)

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
