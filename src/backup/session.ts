import pg from 'pg'
import { detectDeadConnection } from '../db/migrate.ts'

/**
 * Runs `work` on a separate connection for a dump or a load: statements have no time limit, and values are formatted so
 * that they can be read back exactly, whatever the defaults of the server are.
 */
export async function withSession<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // the running statement gets the error
  await client.connect()
  try {
    await client.query(settings)
    await detectDeadConnection(client)
    const result = await work(client)
    await client.end()
    return result
  } catch (error) {
    wireOf(client).stream.destroy() // it may still be sending rows
    throw error
  }
}

const settings = `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
  set extra_float_digits = 3; set bytea_output = 'hex'; set search_path = public; set jit = off`

const wireOf = (client: pg.Client) => (client as pg.Client & { connection: { stream: { destroy(): void } } }).connection
