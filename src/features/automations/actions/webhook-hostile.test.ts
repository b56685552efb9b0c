import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { resilientPool } from '../../../db/pool.ts'
import { createEgress } from '../../../providers/egress/egress.ts'
import { action, automate, graphOf, trigger } from '../../../test/automations.ts'
import { receiver } from '../../../test/fakes/webhook-receiver.ts'
import { logOf, started, withProvider } from '../../../test/outside-actions.ts'
import { member, type Someone, theApp, theDatabase } from '../../../test/world.ts'
import { startWorker } from '../../../worker/worker.ts'
import { runAutomation } from '../engine/run-automation.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** Once a request has been heard, it is the script's turn. */
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

// The real limits are 5, 10 and 15 s; their order is what these keep.
const limits = { connectMs: 400, firstByteMs: 500, postMs: 1_000, failureStepMs: 1 }
const hurried = () => wayOut(limits)
// Whoever waits for it waits longer than the test: only what does not depend on it can be done.
const patient = () => wayOut({ firstByteMs: 600_000, postMs: 600_000 })
const wayOut = (limits: object) =>
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
  ['accepts and says nothing', () => {}, { outcome: 'FAILED', reason: silent }],
  ['sends its head a byte at a time', trickle, { outcome: 'FAILED', reason: silent }],
  ['resets instead of answering', (socket) => void socket.resetAndDestroy(), { outcome: 'FAILED', reason: broken }],
  [
    'redirects to itself',
    (socket) => void socket.end('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
    { outcome: 'REFUSED', reason: 'The target answered 302: it redirects, which is not followed.' },
  ],
  [
    'speaks no HTTP',
    (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    { outcome: 'REFUSED', reason: 'TARGET_UNREACHABLE: The answer of the target could not be read.' },
  ],
]

test.each(failing)(
  'FLT-09: a webhook to a server that %s fails its step with a plain reason',
  async (_, script, told) => {
    const amy = await member('CONTRIBUTOR')
    const url = `http://127.0.0.1:${await hostile(script)}/`
    const { work, run } = await started(amy, 'webhook.post', { url, body: {} })
    await work(hurried())
    const again = told.outcome === 'FAILED'
    expect(await run()).toMatchObject({
      status: again ? 'RUNNING' : 'FAILED',
      steps: [{}, { status: again ? 'PENDING' : 'FAILED', error: told.reason, output: null }],
    })
    expect(await logOf(amy)).toMatchObject([told])
    await vi.waitFor(() => expect(sockets.size).toBe(0)) // nothing is left open
  },
)

test.each<[string, (socket: Socket) => void]>([
  [
    'a body without end',
    (socket) => {
      socket.write(`${ok}\r\n`)
      flood(socket)
    },
  ],
  [
    'a gzip bomb',
    (socket) => {
      const bomb = gzipSync(Buffer.alloc(16 * 2 ** 20, 'a'))
      socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    },
  ],
])('FLT-09 SSRF-8: of %s the step and the log keep 4 KiB', async (_, script) => {
  const amy = await member('CONTRIBUTOR')
  const { work, run } = await started(amy, 'webhook.post', { url: `http://127.0.0.1:${await hostile(script)}/` })
  await work(hurried())
  const body = 'a'.repeat(4096)
  expect(await run()).toMatchObject({ status: 'SUCCEEDED', steps: [{}, { output: { status: 200, body } }] })
  expect(await logOf(amy)).toMatchObject([{ outcome: 'DELIVERED', answer: body }])
})

test('LOAD-20 FLT-09: while the webhooks of one organization hang on a dead host, the runs of others all finish', async () => {
  const [eve, amy, bob] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const dead = await hostile(() => {})
  const { heard, port } = await receiver()
  await onEachCustomer(eve, `http://127.0.0.1:${dead}/`)
  for (const someone of [amy, bob]) await onEachCustomer(someone, `http://localhost:${port}/`)
  await customers(eve, 30)
  const raw = resilientPool({ ...theDatabase(), max: 12 })
  const worker = await startWorker(raw, {
    ...theApp(),
    ...patient(),
    jobs: [runAutomation],
    subscriberJobs: () => [],
    logError: () => {},
  })
  onTestFinished(async () => {
    for (const server of servers.splice(0)) server.close() // what waits for its turn is refused
    for (const socket of sockets) socket.destroy()
    await worker.stop()
    await raw.end()
  })
  await vi.waitFor(() => expect(sockets.size).toBe(2), 15_000) // as many as one host gets
  for (const someone of [amy, bob]) await customers(someone, 10)
  await vi.waitFor(async () => expect([await ended(amy), await ended(bob)]).toEqual([10, 10]), 60_000)
  expect(heard).toHaveLength(20)
  expect([await ended(eve), sockets.size]).toEqual([0, 2])
}, 120_000)

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
