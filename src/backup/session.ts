import pg from 'pg'
import { noticeDeath } from '../db/migrate.ts'

/**
 * A connection of its own for a dump or a load: no limit on how long a statement takes, and values written the way they
 * are read again exactly, whatever the server's defaults are.
 */
export async function withSession<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // the statement under way is told
  await client.connect()
  try {
    await client.query(settings)
    await noticeDeath(client)
    const result = await work(client)
    await client.end()
    return result
  } catch (error) {
    wireOf(client).stream.destroy() // it may be in the middle of rows that nobody wants any more
    throw error
  }
}

const settings = `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set extra_float_digits = 3; set bytea_output = 'hex'; set search_path = public; set jit = off`

const wireOf = (client: pg.Client) => (client as pg.Client & { connection: { stream: { destroy(): void } } }).connection
