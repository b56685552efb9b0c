import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { reasonOf } from './connect-failure.ts'
import { codeOf, StartFailure } from './start-failure.ts'
import { destroyConnection } from './wire/connection.ts'

const needs =
  'Kontor needs connections of its own, for locks, notifications, prepared statements and the role that keeps organizations apart'

const sharesConnections = `DATABASE_URL leads through a pooler in transaction or statement mode, which gives every transaction another connection. ${needs}: use the address of PostgreSQL itself, or a pooler in session mode that passes connection options on.`

const dropsOptions = `DATABASE_URL leads through a pooler that does not pass connection options on (PgBouncer does not, in any mode). ${needs}: use the address of PostgreSQL itself.`

const onlyOne = (reason: string) =>
  `PostgreSQL, or a pooler in front of it, gives this process only one connection (${reason}). Allow more: docs/postgresql.md says how many a process opens.`

/**
 * Refuses a pooler that Kontor cannot work with, before anything is changed. It is recognized by what it does: two
 * connections use the same process of PostgreSQL in turn, or the options that they begin with do not arrive.
 */
export async function refusePooler(config: pg.ClientConfig): Promise<void> {
  const mark = randomUUID()
  const open = () =>
    connect({ ...config, options: [config.options, `-c kontor.probe=${mark}`].filter(Boolean).join(' ') })
  const first = await open()
  const second = await open().catch((error: unknown) => {
    destroyConnection(first)
    const isOther = error instanceof StartFailure || codeOf(error)?.startsWith('57P') // the server is starting or stopping
    throw isOther ? error : new StartFailure(onlyOne(reasonOf(error)))
  })
  try {
    if (await areShared(first, second)) throw new StartFailure(sharesConnections)
    if ((await answerTo(first, "current_setting('kontor.probe', true)")) !== mark) throw new StartFailure(dropsOptions)
  } finally {
    destroyConnection(first)
    destroyConnection(second)
  }
}

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  client.on('error', () => {}) // the running statement gets the error
  try {
    await client.connect()
    return client
  } catch (error) {
    destroyConnection(client)
    throw codeOf(error) === '08P01' ? new StartFailure(dropsOptions) : error
  }
}

const rounds = 4

/** Whether a connection loses its process to another one between two transactions. */
async function areShared(first: pg.Client, second: pg.Client): Promise<boolean> {
  const [own, others] = [new Set<unknown>(), new Set<unknown>()]
  for (let round = 0; round < rounds; round++) {
    own.add(await processOf(first))
    if (!(await canBegin(second))) return true
    others.add(await processOf(second))
    // If the second one has its process now and the pooler has no other, this query is not answered.
    own.add(await processOf(first).catch(() => 'none'))
    if (own.size > 1 || others.size > 1 || [...own].some((pid) => others.has(pid))) return true
    await second.query('commit')
  }
  return false
}

/** A pooler that lends connections for single statements refuses transactions. */
async function canBegin(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin')
    return true
  } catch (error) {
    if (codeOf(error) === '08P01') return false
    throw error
  }
}

const processOf = (client: pg.Client) => answerTo(client, 'pg_backend_pid()')

async function answerTo(client: pg.Client, expression: string): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`select ${expression} as value`)
  return rows[0]?.value
}
