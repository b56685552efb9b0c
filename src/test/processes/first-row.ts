import pg from 'pg'

/** The first row of a query, on a connection of its own. The server may be killed meanwhile. */
export async function firstRow(database: pg.ClientConfig, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(database)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}
