import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newId } from '../src/core/values/id.ts'

const organizationsCount = 16
/** Each run of an organization is about another customer, as long as they last: nobody waits for anybody's row. */
const customersCount = 200
const eventsInRow = 5
const receiverWaitsMs = 50

type Block = { id: string; kind: string; ref?: string | null; config?: object }

/** Organizations with automations that wait for events of our own, and what fires and awaits them. */
export type Ground = Awaited<ReturnType<typeof prepareGround>>

export async function prepareGround(database: pg.ClientConfig) {
  const client = new pg.Client(database)
  client.on('error', () => {}) // the database may stop before us
  await client.connect()
  const receiver = await slowReceiver()
  const places = await seedPlaces(client)
  for (const [n, place] of places.entries()) {
    for (const [type, graph] of Object.entries(graphsOf(`http://127.0.0.${n + 1}:${receiver.port}/`)))
      await arm(client, place, type, graph)
  }
  return {
    /** Commits so many events at once, those of the organizations mixed as they come in: each starts one run. */
    async fire(type: string, count: number): Promise<void> {
      await client.query('begin')
      const rounds = Math.ceil(count / (places.length * eventsInRow))
      for (let round = 0; round < rounds; round++)
        for (const { organizationId, customerIds } of places) {
          await client.query("select set_config('app.organization', $1, true)", [organizationId])
          await client.query(
            `insert into events (id, type, payload, cause)
             select new_id(), $1, jsonb_build_object('n', n, 'customerId', ($3::uuid[])[1 + n % cardinality($3)]), '{}'
             from generate_series($4::integer, $4 + $2::integer - 1) n`,
            [type, eventsInRow, customerIds, round * eventsInRow],
          )
        }
      await client.query('commit')
      await client.query('analyze') // as autovacuum would, given a minute
    },
    orderBare: (count: number) =>
      client.query("select count(graphile_worker.add_job('bare')) from generate_series(1, $1::integer)", [count]),
    runsAreOver: () => drained(client, "select from automation_runs where status = 'RUNNING' limit 1"),
    bareAreOver: () => drained(client, 'select from graphile_worker._private_jobs limit 1'),
    /** Nobody measures runs that went wrong. */
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

async function drained(client: pg.Client, left: string): Promise<void> {
  while (((await client.query(left)).rowCount ?? 0) > 0) await sleep(10)
}

type Place = { organizationId: string; personId: string; customerIds: string[] }

async function seedPlaces(client: pg.Client): Promise<Place[]> {
  const personId = newId()
  await client.query("insert into users (id, name, email) values ($1, 'Eve', 'eve@example.com')", [personId])
  const places: Place[] = []
  for (let n = 0; n < organizationsCount; n++) {
    const organizationId = newId()
    const customerIds = Array.from({ length: customersCount }, () => newId())
    await client.query(
      `with place as (insert into organizations (id, name, country, currency, timezone)
         values ($1, 'Automated', 'SG', 'SGD', 'Asia/Singapore')),
       owner as (insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER'))
       insert into customers (organization_id, id, name, kind, country, default_currencies)
       select $1, id, 'Lim', 'ORGANIZATION', 'SG', '{SGD}' from unnest($3::uuid[]) id`,
      [organizationId, personId, customerIds],
    )
    places.push({ organizationId, personId, customerIds })
  }
  return places
}

/** The blocks in a row, by the event that starts them. */
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

async function arm(client: pg.Client, { organizationId, personId }: Place, type: string, actions: Block[]) {
  const whole = [{ id: 'start', kind: 'TRIGGER', ref: type }, ...actions]
  const blocks = whole.map((block) => ({ ref: null, config: {}, position: {}, ...block }))
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

/** A receiver of webhooks that takes its time, as those out there do. */
async function slowReceiver() {
  const server = createServer(async (request, reply) => {
    request.resume()
    await sleep(receiverWaitsMs)
    reply.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() } // TCP, as asked for
}
