import '../test/own-world.ts'
import { readdirSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { withConnection } from '../core/run/connection.ts'
import { type App, createApp } from '../program/app.ts'
import { member, type Someone, testConfig, theApp, theDatabase } from '../test/world.ts'

/** Clients that send a byte at a time, over real sockets, against a server with shorter limits. */

const limits = { receiveMs: 1_000, checkMs: 50, keepAliveMs: 600 }
/** The latest moment at which a slow request is cut, on a busy machine. */
const latestMs = 4_000

let app: App
let port: number
let amy: Someone
let cookie: string
const logged: string[] = []
beforeAll(async () => {
  const log = new Writable({ write: (line, _, done) => done(void logged.push(String(line))) })
  app = await createApp(testConfig({ LOG_LEVEL: 'warn' }), theDatabase(), { log, limits })
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.server.address() as AddressInfo).port
  amy = await member('OWNER')
  cookie = Object.values(amy.credentials)[0] ?? ''
})
afterAll(() => app?.close())

/** A connection, what it has received, and when the server ended it. */
type Client = { socket: Socket; received(): string; closed: Promise<number>; began: number }

function open(): Promise<Client> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(20_000, () => socket.destroy(new Error('The server does not close the connection')))
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    const closed = new Promise<number>((done) => socket.on('close', () => done(performance.now() - began)))
    const received = () => Buffer.concat(chunks).toString()
    socket.on('connect', () => {
      socket.on('error', () => {}) // the server ended the connection while we were sending
      resolve({ socket, received, closed, began })
    })
  })
}

/** Sends `quick` at once and then one byte every 20 ms until the connection ends; answers when it did. */
async function drip({ socket, closed }: Client, quick: string, slow = 'x'.repeat(100_000)) {
  let going = true
  void closed.then(() => {
    going = false
  })
  socket.write(quick)
  for (const byte of slow) {
    if (!going || !socket.writable) break
    socket.write(byte)
    await sleep(20)
  }
  return closed
}

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', `Cookie: ${cookie}`, ...headers].join('\r\n')}\r\n`

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

/** The connection was cut in time, and its last answer is the refusal. */
function expectCut(tookMs: number, { received }: Client) {
  const answers = received()
  const answer = answers.slice(answers.lastIndexOf('HTTP/1.1'))
  expect(tookMs).toBeGreaterThanOrEqual(limits.receiveMs - 50)
  expect(tookMs).toBeLessThan(latestMs)
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(bodyOf(answer)).toEqual({
    error: {
      code: 'VALIDATION',
      message: 'The request took longer than 1 second to arrive.',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  })
}

const customers = async () => (await amy.call('customers_list', { limit: 1 })).pagination.total
const scratchFiles = () => {
  const entries = readdirSync(testConfig().dataDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

test('the limits of the product are those of THR-27', () => {
  const { server } = theApp().server
  expect(server).toMatchObject({
    requestTimeout: 15_000,
    headersTimeout: 15_000,
    keepAliveTimeout: 72_000,
    timeout: 60_000,
  })
  expect(server).toMatchObject({ connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 })
})

describe('THR-27: a request that arrives too slowly is cut', () => {
  const json = JSON.stringify({ name: 'Slow', country: 'SG' })
  const create = (...headers: string[]) => head('POST /api/customers', 'Content-Type: application/json', ...headers)

  test('one that arrives in time, in pieces, is answered', async () => {
    const client = await open()
    client.socket.write(create(`Content-Length: ${json.length}`, 'Connection: close'))
    for (const piece of ['\r\n', json.slice(0, 10), json.slice(10)]) {
      await sleep(50)
      client.socket.write(piece)
    }
    await client.closed
    expect(client.received()).toMatch(/^HTTP\/1\.1 201 /)
  })

  test('in its headers', async () => {
    const client = await open()
    expectCut(await drip(client, head('GET /api/customers', 'X-Slow: ')), client)
  })

  test('before its first byte', async () => {
    const client = await open()
    expectCut(await client.closed, client)
  })

  test.each([
    ['of known length', () => `${create('Content-Length: 5000')}\r\n{"name": "`, undefined],
    ['in chunks', () => `${create('Transfer-Encoding: chunked')}\r\n`, '1\r\nx\r\n'.repeat(1_000)],
  ])('in its body %s', async (_, quick, slow) => {
    const before = await customers()
    const client = await open()
    expectCut(await drip(client, quick(), slow), client)
    expect(await customers()).toBe(before)
  })

  const form = 'Content-Type: multipart/form-data; boundary=b'
  const part =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n'
  test.each([
    ['a form', () => `${head('POST /api/files', form, 'Content-Length: 50000')}\r\n${part}`],
    [
      'JSON',
      () =>
        `${head('POST /api/files', 'Content-Type: application/json', 'Content-Length: 50000')}\r\n{"file":{"base64":"`,
    ],
  ])('in an upload as %s, of which nothing is kept', async (_, quick) => {
    const complete = await open()
    const whole = `${part}Hello.\r\n--b--\r\n`
    complete.socket.write(
      `${head('POST /api/files', form, `Content-Length: ${whole.length}`, 'Connection: close')}\r\n${whole}`,
    )
    await complete.closed
    expect(complete.received()).toMatch(/^HTTP\/1\.1 201 /)
    const before = scratchFiles()
    const client = await open()
    expectCut(await drip(client, quick()), client)
    await vi.waitFor(() => expect(scratchFiles()).toEqual(before), 5_000)
  })

  test('in the second request of a connection', async () => {
    const client = await open()
    client.socket.write(`${head('GET /api/customers')}\r\n`)
    await vi.waitFor(() => expect(client.received()).toMatch(/^HTTP\/1\.1 200 /), 5_000)
    const sent = performance.now() - client.began
    const tookMs = (await drip(client, 'GET /api/customers HTTP/1.1\r\nX-Slow: ')) - sent
    expectCut(tookMs, client)
    expect(client.received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  test('and whose answer has begun gets no second answer', async () => {
    const client = await open()
    // Another media type than JSON is refused before the body has arrived.
    const tookMs = await drip(
      client,
      `${head('POST /api/customers', 'Content-Type: text/plain', 'Content-Length: 5000')}\r\n`,
    )
    expect(tookMs).toBeGreaterThanOrEqual(limits.receiveMs - 50)
    expect(tookMs).toBeLessThan(latestMs)
    expect(client.received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403'])
    expect(bodyOf(client.received()).error.message).toContain('send JSON')
  })

  test('behind one that is still executed gets no answer in its place', async () => {
    const { id } = await amy.call('customers_create', { name: 'Locked', country: 'SG' })
    const client = await open()
    const patch = JSON.stringify({ notes: 'waits' })
    const update = head(
      `PATCH /api/customers/${id}`,
      'Content-Type: application/json',
      `Content-Length: ${patch.length}`,
    )
    await withConnection(theApp().system, true, async ({ connection }) => {
      await connection.query('select from customers where id = $1 for update', [id])
      await drip(client, `${update}\r\n${patch}GET /api/customers HTTP/1.1\r\nX-Slow: `)
    })
    expect(client.received()).toBe('')
  })

  test('without an error in the log', () => {
    expect(logged).toEqual([])
  })
})

test('THR-27: an idle connection is closed after its last answer', async () => {
  const client = await open()
  client.socket.write(`${head('GET /api/customers')}\r\n`)
  await vi.waitFor(() => expect(client.received()).toMatch(/^HTTP\/1\.1 200 /), 5_000)
  const answered = performance.now() - client.began
  const idleMs = (await client.closed) - answered
  expect(idleMs).toBeGreaterThan(limits.keepAliveMs - 100)
  expect(idleMs).toBeLessThan(latestMs)
  expect(client.received().match(/HTTP\/1\.1/g)).toHaveLength(1)
})
