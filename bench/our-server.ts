import type pg from 'pg'
import { readConfig } from '../src/config/config.ts'
import type { Statement } from '../src/db/wire/batch.ts'
import { Connection } from '../src/db/wire/connection.ts'
import { createApp } from '../src/program/app.ts'
import { answer } from './ipc.ts'

/** What one request made the connections send. */
export type Sent = { roundTrips: number; statements: Statement[] }

/** The API as it runs in production, logging included; its line per request goes where the standard output goes. */
answer({
  async listen(database: pg.PoolConfig): Promise<string> {
    const app = await createApp(readConfig(process.env), database)
    return app.server.listen({ host: '127.0.0.1', port: 0 })
  },

  cpu: () => process.cpuUsage(),

  rss: () => process.memoryUsage.rss(),

  watch() {
    before.clear()
    statements = []
    Connection.prototype.query = watched
  },

  sent(): Sent {
    Connection.prototype.query = query
    let roundTrips = 0
    for (const [connection, flushes] of before) roundTrips += connection.sent.flushes - flushes
    return { roundTrips, statements }
  },
})

const query = Connection.prototype.query
const before = new Map<Connection, number>()
let statements: Statement[] = []

function watched(this: Connection, text: string, values: readonly unknown[] = []) {
  if (!before.has(this)) before.set(this, this.sent.flushes)
  statements.push({ text, values })
  return query.call(this, text, values)
}
