import '../own-world.ts'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { withConnection } from '../../core/run/connection.ts'
import type { FairQueue } from '../../core/share/fair-queue.ts'
import { organizationSubject } from '../../core/share/organization-holder.ts'
import { newId } from '../../core/values/id.ts'
import type { Pool } from '../../db/pool.ts'
import { createApp } from '../../program/app.ts'
import { automate, graphOf, trigger } from '../automations/automations.ts'
import { preview, take } from '../automations/filters.ts'
import { member, operationNamed, type Someone, testConfig, theApp, theDatabase } from '../world.ts'

/** Runs work while the rows of a statement, or a table, stay locked. */
async function whileLocked<T>(text: string, work: () => Promise<T>): Promise<T> {
  return withConnection(theApp().system, true, async ({ connection }) => {
    await connection.query(text)
    return work()
  })
}

const get = operationNamed('customers_get')

/** Who uses the connections of a pool, and who waits for one. */
const turnsOf = ({ turns }: Pool) => turns as FairQueue

test('LOAD-14: an organization whose previews all hang leaves connections for the reads of others', async () => {
  const [amy, bob] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const { id } = await bob.call('customers_create', { name: 'Globex', country: 'SG' })
  const spec = {
    root: 'Document',
    follows: [{ from: 'Document', name: 'lines' }],
    extract: take('Document.id', 'DocumentLine.description'),
  }
  expect(await preview(amy, spec)).toMatchObject({ count: 0 })
  const hanging: Promise<unknown>[] = []
  await whileLocked('lock table document_lines in access exclusive mode', async () => {
    let ended = 0
    for (let n = 0; n < 12; n++) hanging.push(preview(amy, spec).catch(() => ended++))
    for (let n = 0; n < 5; n++) expect((await bob.request(get, { id })).status).toBe(200)
    expect(ended).toBe(0)
  })
  await Promise.all(hanging)
})

test('LOAD-14: of lists with more than 25 rows an organization has two at a time, in the pool for heavy reads', async () => {
  const amy = await member('CONTRIBUTOR')
  const list = (limit: number) => amy.request(operationNamed('invoices_list'), { organizationId: amy.organizationId, limit })
  expect([(await list(25)).status, (await list(100)).status]).toEqual([200, 200])
  const [heavy, ordinary] = [turnsOf(theApp().heavy), turnsOf(theApp().confined)]
  const hanging: Promise<{ status: number }>[] = []
  await whileLocked('lock table document_lines in access exclusive mode', async () => {
    for (let n = 0; n < 6; n++) hanging.push(list(100))
    await vi.waitFor(() => expect([heavy.running, heavy.waiting]).toEqual([2, 4]))
    hanging.push(list(25))
    await vi.waitFor(() => expect(ordinary.running).toBe(1))
    expect(heavy.running).toBe(2)
  })
  expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual(Array(7).fill(200))
}) // biome-ignore format: a list of words

test('LOAD-14: an organization whose writes all wait for a lock leaves connections for the reads of others', async () => {
  const [amy, bob] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const { id } = await bob.call('customers_create', { name: 'Globex', country: 'SG' })
  const locked = await amy.call('customers_create', { name: 'Initech', country: 'SG' })
  const change = () => amy.request(operationNamed('customers_update'), { id: locked.id, notes: 'changed' })
  expect((await change()).status).toBe(200)
  const waiting: Promise<unknown>[] = []
  await whileLocked(`select from customers where id = '${locked.id}' for update`, async () => {
    let ended = 0
    for (let n = 0; n < 20; n++) waiting.push(change().then(() => ended++))
    for (let n = 0; n < 5; n++) expect((await bob.request(get, { id })).status).toBe(200)
    expect(ended).toBe(0)
  })
  await Promise.all(waiting)
})

/** A preview of a filter that finds nothing. */
const previewOf = (someone: Someone) =>
  someone.request(operationNamed('automations_preview'), {
    organizationId: someone.organizationId,
    spec: { root: 'Customer', extract: take('Customer.name') },
  })

const organizationOf = ({ organizationId = '' }: Someone) => organizationSubject(organizationId)

/** Takes places of a pool, as running calls of the organization would. */
async function occupy(pool: Pool, someone: Someone, count: number) {
  const turns = await Promise.all(Array.from({ length: count }, () => pool.turns?.enter([organizationOf(someone)])))
  return () => {
    for (const turn of turns) turn?.leave()
  }
}

test('LOAD-14: the third preview of an organization waits for one of the two before, whoever of its members sends it', async () => {
  const amy = await member('CONTRIBUTOR')
  const colleague = await member('VIEWER', { of: amy })
  expect((await previewOf(amy)).status).toBe(200)
  const release = await occupy(theApp().heavy, amy, 2)
  let answered = 0
  const replies = [amy, colleague].map((someone) => previewOf(someone).finally(() => answered++))
  expect((await previewOf(await member('VIEWER'))).status).toBe(200)
  expect(answered).toBe(0)
  expect(theApp().heavy.turns?.waiting).toBe(2)
  release()
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200])
})

test('LOAD-14: the filter of a test of an automation takes one of the two places for heavy reads of its organization', async () => {
  const amy = await member('MANAGER')
  const spec = { root: 'Customer', extract: take('Customer.name') }
  const id = await automate(
    amy,
    graphOf([trigger('customer.created'), { id: 'all', kind: 'FILTER', config: { spec } }], 'start>all'),
  )
  const testIt = () => amy.request(operationNamed('automations_test'), { id })
  expect((await testIt()).body).toMatchObject({ status: 'SUCCEEDED' })
  const release = await occupy(theApp().heavy, amy, 2)
  let answered = 0
  const replies = [1, 2, 3].map(() => testIt().finally(() => answered++))
  await vi.waitFor(() => expect(turnsOf(theApp().heavy).waiting).toBe(3))
  expect([answered, turnsOf(theApp().confined).running]).toEqual([0, 0])
  release()
  expect((await Promise.all(replies)).map(({ body }) => body)).toMatchObject(Array(3).fill({ status: 'SUCCEEDED' }))
})

test('LOAD-14: a third preview that waited five seconds is refused with 429 and Retry-After', async () => {
  const amy = await member('CONTRIBUTOR')
  const release = await occupy(theApp().heavy, amy, 2)
  const { status, body, headers } = await previewOf(amy)
  release()
  expect(status).toBe(429)
  expect(body).toMatchObject({ error: { code: 'RATE_LIMIT', details: [{ code: 'TOO_MANY_AT_ONCE' }] } })
  expect(headers['retry-after']).toBe('3')
  expect((await previewOf(amy)).status).toBe(200)
})

test('LOAD-14: calls beyond the part of an organization wait in the order in which they came, and none are lost', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const [release, releaseRest] = [await occupy(theApp().confined, amy, 1), await occupy(theApp().confined, amy, 5)]
  const order: number[] = []
  const replies = Array.from({ length: 10 }, (_, n) => amy.request(get, { id }).finally(() => order.push(n)))
  const bob = await member('CONTRIBUTOR')
  expect((await bob.request(operationNamed('customers_list'), {})).status).toBe(200)
  expect(order).toEqual([])
  expect(theApp().confined.turns?.waiting).toBe(10)
  release() // they go through this one place
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  releaseRest()
})

test('LOAD-14: a call that is refused, fails or whose caller disconnects gives its place back', async () => {
  const amy = await member('CONTRIBUTOR')
  const { confined, heavy, server } = theApp()
  const held = () => [confined, heavy].map(turnsOf).map(({ running, waiting }) => [running, waiting])
  const nothing = [[0, 0], [0, 0]] // biome-ignore format: a table
  expect((await amy.request(get, { id: newId() })).status).toBe(404)
  expect((await amy.request(operationNamed('customers_create'), { name: 1 })).status).toBe(400)
  expect((await amy.request(operationNamed('automations_preview'), { ...amy, spec: {} })).status).toBe(400)
  expect(held()).toEqual(nothing)
  const release = await occupy(heavy, amy, 2)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const headers = { ...amy.credentials, 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` }
  const asked = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/automations/filter/preview', headers })
  asked.on('error', () => {})
  asked.end(
    JSON.stringify({ organizationId: amy.organizationId, spec: { root: 'Customer', extract: take('Customer.name') } }),
  )
  await vi.waitFor(() => expect(heavy.turns?.waiting).toBe(1))
  asked.destroy()
  release()
  await vi.waitFor(() => expect(held()).toEqual(nothing))
})

test('FLT-16: calls that wait for their turn are answered before the process stops', async () => {
  const app = await createApp(testConfig(), theDatabase())
  const amy = await member('CONTRIBUTOR')
  const url = `/api/customers?organizationId=${amy.organizationId}`
  const list = () => app.server.inject({ method: 'GET', url, headers: { ...amy.credentials } })
  expect((await list()).statusCode).toBe(200)
  const release = await occupy(app.confined, amy, 6)
  const waiting = [list(), list()]
  await vi.waitFor(() => expect(app.confined.turns?.waiting).toBe(2))
  const stopping = app.stopServing()
  release()
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  await stopping
  await app.close()
})
