import { Connection } from '../db/wire/connection.ts'

/** What the connections that authorized a call sent during some work: how often, and which statements, in their order. */
export type SentDuring<T> = { result: T; flushes: number; statements: string[] }

/** Watches the connections of this process. Other calls at the same time are counted too. */
export async function sentDuring<T>(work: () => Promise<T>): Promise<SentDuring<T>> {
  const query = Connection.prototype.query
  const before = new Map<Connection, number>()
  const sent: { connection: Connection; text: string }[] = []
  Connection.prototype.query = function watched(this: Connection, text, values) {
    if (!before.has(this)) before.set(this, this.sent.flushes)
    const answer = query.call(this, text, values)
    sent.push({ connection: this, text }) // unless the connection refused it
    return answer
  }
  try {
    const result = await work()
    const authorizing = new Set(sent.filter(({ text }) => isAuthorization(text)).map(({ connection }) => connection))
    const counts = [...authorizing].map((connection) => connection.sent.flushes - (before.get(connection) ?? 0))
    const flushes = counts.reduce((sum, count) => sum + count, 0)
    const statements = sent.filter(({ connection }) => authorizing.has(connection)).map(({ text }) => named(text))
    return { result, flushes, statements }
  } finally {
    Connection.prototype.query = query
  }
}

const isAuthorization = (text: string) => text.includes('authorize_request(')

/** `insert into "customers" …` becomes `insert customers`, so that tests compare what is done. */
function named(text: string): string {
  if (isAuthorization(text)) return 'authorize'
  const [, table] = /^insert into "?(\w+)/.exec(text) ?? []
  return table ? `insert ${table}` : (text.split(' ')[0] ?? '')
}
