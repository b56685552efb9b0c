import '../../../../test/own-world.ts'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { resilientPool } from '../../../../db/pool.ts'
import { createEgress } from '../../../../providers/egress/egress.ts'
import { action, automate, graphOf, trigger } from '../../../../test/automations/automations.ts'
import { logOf, started, withProvider } from '../../../../test/automations/outside-actions.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { member, type Someone, theApp, theDatabase } from '../../../../test/world.ts'
import { startWorker } from '../../../../worker/worker.ts'
import { runAutomation } from '../engine/run-automation.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** A server that runs the script on the first data of each connection. */
async function hostile(script: (socket: Socket) => void) {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.once('data', () => script(socket))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

// Shorter than the real limits of 5, 10 and 15 s, in the same order.
const limits = { connectMs: 400, firstByteMs: 500, postMs: 1_000, failureStepMs: 1 }
const withShortTimeouts = () => withEgress(limits)
// The timeouts exceed the test, so a call to the dead host stays open for the whole test.
const withLongTimeouts = () => withEgress({ firstByteMs: 600_000, postMs: 600_000 })
const withEgress = (limits: object) =>
  withProvider({ egress: createEgress({ mode: 'local', allow: [], allowHttp: true, limits }) })

const ok = 'HTTP/1.1 200 OK\r\n'

function flood(socket: Socket) {
  const write = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, 'a')));
  }
  socket.on('drain', write)
  write()
}

const trickle = (socket: Socket) => {
  socket.write(`${ok}X-Slow: `)
  const timer = setInterval(() => socket.write('a'), 50)
  socket.on('close', () => clearInterval(timer))
}

const silent = 'TARGET_UNREACHABLE: The target did not answer in time.'
const broken = 'TARGET_UNREACHABLE: The target broke off the connection.'

const failing: [string, (socket: Socket) => void, { outcome: string; reason: string }][] = [
  ['accepts and does not answer', () => {}, { outcome: 'FAILED', reason: silent }],
  ['sends its head a byte at a time', trickle, { outcome: 'FAILED', reason: silent }],
  ['resets instead of answering', (socket) => void socket.resetAndDestroy(), { outcome: 'FAILED', reason: broken }],
  [
    'redirects to itself',
    (socket) => void socket.end('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
    { outcome: 'REFUSED', reason: 'The target answered 302: redirects are not followed.' },
  ],
  [
    'speaks no HTTP',
    (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    { outcome: 'REFUSED', reason: 'TARGET_UNREACHABLE: The answer of the target could not be read.' },
  ],
]

test.each(failing)(
  'FLT-09: a webhook to a server that %s fails its step with a clear reason',
  async (_, script, expected) => {
    const amy = await member('CONTRIBUTOR')
    const url = `http://127.0.0.1:${await hostile(script)}/`
    const { work, run } = await started(amy, 'webhook.post', { url, body: {} })
    await work(withShortTimeouts())
    const again = expected.outcome === 'FAILED'
    expect(await run()).toMatchObject({
      status: again ? 'RUNNING' : 'FAILED',
      steps: [{}, { status: again ? 'PENDING' : 'FAILED', error: expected.reason, output: null }],
    })
    expect(await logOf(amy)).toMatchObject([expected])
    await vi.waitFor(() => expect(sockets.size).toBe(0)) // nothing is left open
  },
)

// Compressed before the request, whose time limits are short.
const bomb = gzipSync(Buffer.alloc(16 * 2 ** 20, 'a'))

test.each<[string, (socket: Socket) => void]>([
  [
    'an endless body',
    (socket) => {
      socket.write(`${ok}\r\n`)
      flood(socket)
    },
  ],
  [
    'a gzip bomb',
    (socket) => {
      socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    },
  ],
])('FLT-09 SSRF-8: the step and the log store 4 KiB of %s', async (_, script) => {
  const amy = await member('CONTRIBUTOR')
  const { work, run } = await started(amy, 'webhook.post', { url: `http://127.0.0.1:${await hostile(script)}/` })
  await work(withShortTimeouts())
  const body = 'a'.repeat(4096)
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { output: { status: 200, body } }] })
  expect(await logOf(amy)).toMatchObject([{ outcome: 'DELIVERED', answer: body }])
})

test('LOAD-20 FLT-09: the runs of other organizations finish while the webhooks of one wait for a dead host', async () => {
  const [eve, amy, bob] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const dead = await hostile(() => {})
  const { heard, port } = await receiver()
  await onEachCustomer(eve, `http://127.0.0.1:${dead}/`)
  for (const someone of [amy, bob]) await onEachCustomer(someone, `http://localhost:${port}/`)
  await customers(eve, 30)
  const raw = resilientPool({ ...theDatabase(), max: 12 })
  const worker = await startWorker(raw, {
    ...theApp(),
    ...withLongTimeouts(),
    jobs: [runAutomation],
    subscriberJobs: () => [],
    logError: () => {},
  })
  onTestFinished(async () => {
    for (const server of servers.splice(0)) server.close() // pending connections are refused
    for (const socket of sockets) socket.destroy()
    await worker.stop()
    await raw.end()
  })
  await vi.waitFor(() => expect(sockets.size).toBe(2), 15_000) // the connection limit per host
  for (const someone of [amy, bob]) await customers(someone, 10)
  await vi.waitFor(async () => expect([await ended(amy), await ended(bob)]).toEqual([10, 10]), 60_000)
  expect(heard).toHaveLength(20)
  expect([await ended(eve), sockets.size]).toEqual([0, 2])
})

const onEachCustomer = (someone: Someone, url: string) =>
  automate(someone, graphOf([trigger('customer.created'), action('out', 'webhook.post', { url })], 'start>out'))

async function customers(someone: Someone, count: number) {
  const { organizationId = '' } = someone
  for (let n = 0; n < count; n++)
    await someone.call('customers_create', { organizationId, name: `C${n}`, country: 'SG' })
}

async function ended({ organizationId }: Someone) {
  const text = "select count(*)::int as count from automation_runs where organization_id = $1 and status <> 'RUNNING'"
  return (await theApp().system.raw.query(text, [organizationId])).rows[0].count
}
