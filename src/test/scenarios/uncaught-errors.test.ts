import '../own-world.ts'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import type { BorrowedConnection } from '../../db/pool.ts'
import { type ApiProcess, ask, startApi } from '../processes/api-process.ts'
import { buildFaultyProduct } from '../processes/bundle.ts'
import { createCustomer } from '../processes/burst.ts'
import { inProof } from '../prove.ts'
import { member, operationNamed, send, theApp, theDatabase, withKey } from '../world.ts'

let product: string
beforeAll(async () => {
  product = await buildFaultyProduct()
})

/** An API that has this fault after every committed write, and a function that writes. */
async function apiWith(fault: 'stall' | 'reject' | 'throw') {
  const amy = await member('CONTRIBUTOR')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  const api = await startApi(theDatabase(), { KONTOR_FAULT: `after-commit-before-reply=${fault}` }, product)
  onTestFinished(() => void api.kill('SIGKILL'))
  return {
    api,
    write: () => createCustomer({ url: api.url, authorization, organizationId: amy.organizationId ?? '' }, newId()),
  }
}

/** How many requests are answered at once. */
const listCount = inProof(4, 20)

const ready = async ({ url }: ApiProcess) => (await ask(`${url}/ready`)).status
const untilReady = (api: ApiProcess) =>
  vi.waitFor(async () => expect(await ready(api)).toBe(200), { timeout: 15_000, interval: 250 })

test('FLT-17: a process whose event loop is blocked is not ready, answers the requests of that time in full, and is ready again', async () => {
  const { api, write } = await apiWith('stall')
  await untilReady(api)
  const writing = write()
  const lists = Promise.all(Array.from({ length: listCount }, () => ask(`${api.url}/api/openapi.json`)))
  expect((await writing).status).toBe(201)
  expect(await ready(api)).toBe(503)
  expect((await lists).map(({ status, body }) => [status, 'openapi' in body])).toEqual(
    Array(listCount).fill([200, true]),
  )
  await untilReady(api)
  expect(api.child.exitCode).toBeNull()
})

test('FLT-17: an unhandled rejection is logged, and the process goes on, also when nobody reads its output any more', async () => {
  const { api, write } = await apiWith('reject')
  for (let n = 0; n < 3; n++) expect((await write()).status).toBe(201)
  await untilReady(api)
  await vi.waitFor(() => expect(api.output()).toContain('Unhandled rejection of a promise.'), 5_000)
  expect(api.child.exitCode).toBeNull()
  api.child.stdout?.destroy()
  api.child.stderr?.destroy()
  for (let n = 0; n < 3; n++) expect((await write()).status).toBe(201)
  await untilReady(api)
  expect(api.child.exitCode).toBeNull()
})

test('FLT-17: after an uncaught error the process answers the requests it has accepted and ends with exit code 1', async () => {
  const { api, write } = await apiWith('throw')
  expect((await write()).status).toBe(201)
  expect(await api.exited).toBe(1)
  expect(api.output()).toContain('Uncaught exception: the process stops.')
})

test('FLT-17: with every connection in use, requests are refused in time and the process is not ready; with connections returned, it serves again', async () => {
  const amy = await member('CONTRIBUTOR')
  const held: BorrowedConnection[] = []
  for (let n = 0; n < 12; n++) held.push(await theApp().confined.borrow())
  const list = operationNamed('customers_list')
  const replies = await Promise.all([
    amy.request(list, {}),
    amy.request(list, {}),
    send({ method: 'GET', url: '/ready' }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([500, 500, 503])
  for (const { body, headers } of replies.slice(0, 2)) {
    expect(body).toMatchObject({ error: { code: 'INTERNAL', details: [{ code: 'UNAVAILABLE' }] } })
    expect(headers['retry-after']).toBe('2')
  }
  for (const lent of held) lent.giveBack()
  expect((await amy.request(list, {})).status).toBe(200)
  expect((await send({ method: 'GET', url: '/ready' })).status).toBe(200)
})

test('FLT-17: PostgreSQL ends a forgotten transaction, and its connection is replaced', async () => {
  const { connection, giveBack } = await theApp().confined.borrow()
  await connection.query("set idle_in_transaction_session_timeout = '200ms'") // 15 s in the product
  await connection.query('begin')
  await vi.waitFor(() => expect(connection.isBroken).toBe(true), 5_000)
  await expect(connection.query('select 1')).rejects.toThrow()
  giveBack(connection.isBroken)
  expect((await send({ method: 'GET', url: '/ready' })).status).toBe(200)
})
