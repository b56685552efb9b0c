import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../../src/core/values/id.ts'

const organizationsCount = 16
/** Each run of an organization updates another customer, as far as they go, so that runs do not wait for row locks. */
const customersCount = 200
const eventsPerInsert = 5
export const webhookAnswersAfterMs = 50
const lookEveryMs = 10
const giveUpAfterMs = 600_000

type Block = { id: string; kind: string; ref?: string | null; config?: object }

/** Work that was committed at once and then done by workers. */
export type Drained = {
  /** How much was committed. */
  count: number
  /** How much of it succeeded, counted in the database afterwards. */
  succeeded: number
  /** From just before the commit until nothing was left. */
  seconds: number
  /** Whether anything was left right after the commit. */
  leftAtFirstLook: boolean
}

/** Organizations with automations that are triggered by test events, and the functions that trigger and await them. */
export type AutomationFixture = Awaited<ReturnType<typeof prepareAutomations>>

export async function prepareAutomations(database: pg.ClientConfig) {
  const client = new pg.Client(database)
  client.on('error', () => {}) // the database may stop first
  await client.connect()
  const receiver = await slowReceiver()
  const scopes = await seedScopes(client)
  for (const [n, scope] of scopes.entries()) {
    for (const [type, graph] of Object.entries(graphsOf(`http://127.0.0.${n + 1}:${receiver.port}/`)))
      await insertAutomation(client, scope, type, graph)
  }
  const exists = async (query: string) => ((await client.query(query)).rowCount ?? 0) > 0
  return {
    /** Commits at least so many events and waits for their runs. `beforeCommit` is called just before the clock starts. */
    async drainRuns(type: string, count: number, beforeCommit?: () => Promise<void>): Promise<Drained> {
      await until(async () => !(await exists(dueJob)))
      const before = await countSucceeded(client, type)
      const committed = await commitEvents(client, { scopes, type, count, beforeCommit })
      const drained = await awaitDrained(committed, () => exists(runningRun))
      return { ...drained, succeeded: (await countSucceeded(client, type)) - before }
    },
    /** Commits at least so many jobs that do nothing and waits for them. A failed job would stay. */
    async drainBareJobs(atLeast: number, beforeCommit?: () => Promise<void>): Promise<Drained> {
      const count = Math.ceil(atLeast)
      const insert = async () => {
        await client.query(bareJobs, [count])
        return count
      }
      const committed = await commitTimed(client, insert, beforeCommit)
      return { ...(await awaitDrained(committed, () => exists(bareJob))), succeeded: count }
    },
    commitEvents: (type: string, count: number) => commitEvents(client, { scopes, type, count }),
    areRunsLeft: () => exists(runningRun),
    runsAreOver: () => until(async () => !(await exists(runningRun))),
    async requireSuccess(): Promise<void> {
      const { rows } = await client.query("select error from automation_runs where status <> 'SUCCEEDED' limit 1")
      if (rows.length > 0) throw new Error(`A run did not succeed: ${rows[0].error}`)
    },
    async close(): Promise<void> {
      receiver.close()
      await client.end()
    },
  }
}

// The last transaction of a run removes its job. To look at the runs instead would scan all of them.
const runningRun = jobOf('run-automation')
const dueJob = 'select from graphile_worker.jobs where run_at <= now() limit 1'
const bareJobs = "select count(graphile_worker.add_job('bare')) from generate_series(1, $1::integer)"
const bareJob = jobOf('bare')

function jobOf(task: string) {
  return `select from graphile_worker.jobs where task_identifier = '${task}' limit 1`
}

type Committed = { count: number; began: number }

/**
 * Inserts in one transaction and starts the clock immediately before its commit. Workers see the jobs, and are
 * notified of them, at the commit: they cannot start before the clock.
 */
async function commitTimed(
  client: pg.Client,
  insert: () => Promise<number>,
  beforeCommit?: () => Promise<void>,
): Promise<Committed> {
  await client.query('begin')
  const count = await insert()
  await client.query('analyze') // as autovacuum would after a minute; inside the transaction, so before the clock
  await beforeCommit?.()
  const began = performance.now()
  await client.query('commit')
  return { count, began }
}

type Events = { scopes: Scope[]; type: string; count: number; beforeCommit?: (() => Promise<void>) | undefined }

/** The events of all organizations in turn, five of each: each event starts one run. */
function commitEvents(client: pg.Client, { scopes, type, count, beforeCommit }: Events) {
  const rounds = Math.ceil(count / (scopes.length * eventsPerInsert))
  const insert = async () => {
    for (let round = 0; round < rounds; round++)
      for (const { organizationId, customerIds } of scopes) {
        await client.query("select set_config('app.organization', $1, true)", [organizationId])
        await client.query(
          `insert into events (id, type, payload, cause)
           select new_id(), $1, jsonb_build_object('n', n, 'customerId', ($3::uuid[])[1 + n % cardinality($3)]), '{}'
           from generate_series($4::integer, $4 + $2::integer - 1) n`,
          [type, eventsPerInsert, customerIds, round * eventsPerInsert],
        )
      }
    return rounds * scopes.length * eventsPerInsert
  }
  return commitTimed(client, insert, beforeCommit)
}

async function awaitDrained({ count, began }: Committed, isLeft: () => Promise<boolean>) {
  const leftAtFirstLook = await isLeft()
  await until(async () => !(await isLeft()))
  return { count, leftAtFirstLook, seconds: (performance.now() - began) / 1_000 }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + giveUpAfterMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The workers did not finish within ten minutes.')
    await sleep(lookEveryMs)
  }
}

async function countSucceeded(client: pg.Client, type: string): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::integer as count from automation_runs where trigger_type = $1 and status = 'SUCCEEDED'",
    [type],
  )
  return rows[0].count
}

type Scope = { organizationId: string; personId: string; customerIds: string[] }

async function seedScopes(client: pg.Client): Promise<Scope[]> {
  const personId = newId()
  await client.query("insert into users (id, name, email) values ($1, 'Eve', 'eve@example.com')", [personId])
  const scopes: Scope[] = []
  for (let n = 0; n < organizationsCount; n++) {
    const organizationId = newId()
    const customerIds = Array.from({ length: customersCount }, () => newId())
    await client.query(
      `with organization as (insert into organizations (id, name, country, currency, timezone)
         values ($1, 'Automated', 'SG', 'SGD', 'Asia/Singapore')),
       owner as (insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER'))
       insert into customers (organization_id, id, name, kind, country, default_currencies)
       select $1, id, 'Lim', 'ORGANIZATION', 'SG', '{SGD}' from unnest($3::uuid[]) id`,
      [organizationId, personId, customerIds],
    )
    scopes.push({ organizationId, personId, customerIds })
  }
  return scopes
}

/** Blocks in sequence, by the event that starts them. */
function graphsOf(url: string): Record<string, Block[]> {
  const note = (id: string): Block => ({
    ...{ id, kind: 'ACTION', ref: 'customers_update' },
    config: { input: { id: '{{trigger.customerId}}', notes: 'Event {{trigger.n}}' } },
  })
  const read = { ...note('read'), ref: 'customers_get', config: { input: { id: '{{trigger.customerId}}' } } }
  const extract = [{ as: 'id', path: 'Customer.id' }]
  const predicates = [{ object: 'Customer', field: 'id', op: 'eq', value: '{{trigger.customerId}}' }]
  const filter = { id: 'filter', kind: 'FILTER', config: { spec: { root: 'Customer', predicates, extract } } }
  const post = { id: 'post', kind: 'ACTION', ref: 'webhook.post', config: { input: { url, body: {} } } }
  return {
    'bench.one': [note('a')],
    'bench.filter': [filter, read, note('b')],
    'bench.twenty': Array.from({ length: 20 }, (_, n) => note(`a${n}`)),
    'bench.post': [post],
  }
}

async function insertAutomation(
  client: pg.Client,
  { organizationId, personId }: Scope,
  type: string,
  actions: Block[],
) {
  const sequence = [{ id: 'start', kind: 'TRIGGER', ref: type }, ...actions]
  const blocks = sequence.map((block) => ({ ref: null, config: {}, position: {}, ...block }))
  const edges = actions.map(({ id }, n) => ({
    ...{ id, fromBlockId: blocks[n]?.id, toBlockId: id },
    ...{ cond: null, mode: 'ONCE', order: 0 },
  }))
  await client.query(
    `insert into automations (organization_id, id, owner_user_id, name, status, blocks, edges, enabled_at)
     values ($1, $2, $3, $4, 'ENABLED', $5, $6, now())`,
    [organizationId, newId(), personId, type, JSON.stringify(blocks), JSON.stringify(edges)],
  )
}

/** A webhook receiver with the delay of a remote server. */
async function slowReceiver() {
  const server = createServer(async (request, reply) => {
    request.resume()
    await sleep(webhookAnswersAfterMs)
    reply.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() } // listens on TCP
}
