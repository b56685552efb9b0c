import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { selfSigned } from '../../test/fakes/certificate.ts'
import { pairs } from '../../test/prove.ts'
import { type Connect, connectTo } from './connect.ts'
import { createEgress, type Refused } from './egress.ts'

const organizationId = 'one'
const publicAddress = '93.184.215.14'
const servers: Server[] = []
const sockets = new Set<Socket>()

/** Listens on loopback until the test ends. */
async function listening<T extends Server>(server: T, host = '127.0.0.1'): Promise<T & { port: number }> {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}
const web = (answer: RequestListener) => listening(createHttpServer(answer))

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** The internet of a test: names with their records, and a server that stands for every public address. */
function internet({ names = {} as Record<string, string[]>, port = 0 } = {}) {
  const dialled: string[] = []
  const lookedUp: string[] = []
  const refusals: Refused[] = []
  const connect: Connect = async ({ address, port: asked, signal }) => {
    dialled.push(`${address} ${asked}`)
    // What would reach this machine does reach it: the canary must have its chance.
    const isHere = /^(127|0)\.|^0:0:0:0:0:0:/.test(address)
    if (isHere) return connectTo({ address, port: asked, signal })
    if (!port) throw Object.assign(new Error(`connect ECONNREFUSED ${address}:${asked}`), { code: 'ECONNREFUSED' })
    const socket = await connectTo({ address: '127.0.0.1', port, signal })
    return Object.defineProperties(socket, { remoteAddress: { value: address }, remotePort: { value: asked } })
  }
  const resolve = async (name: string) => {
    lookedUp.push(name)
    return names[name] ?? [publicAddress]
  }
  const audit = (refused: Refused) => void refusals.push(refused)
  return { connect, resolve, audit, dialled, lookedUp, refusals }
}

const strict = (more: Partial<Parameters<typeof createEgress>[0]> = {}) =>
  createEgress({ mode: 'strict', allow: [], allowHttp: true, ...more, limits: { failureStepMs: 1, ...more.limits } })
const message = { organizationId, headers: { 'content-type': 'application/json' }, body: '{}' }
const wanted = { organizationId, maxBytes: 1024, to: 'memory' } as const

const failureOf = async (work: Promise<unknown>) => {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(failure instanceof TargetFailure)) throw new Error('There was no failure of the target.', { cause: failure })
  return failure
}

let canary: Server & { port: number; visits: number }
let redirecting: Server & { port: number; location: string }
beforeAll(async () => {
  const server = createServer((socket) => {
    canary.visits += 1
    socket.destroy()
  })
  const listened = await listening(server, '::').catch(() =>
    listening(createServer(server.listeners('connection')[0] as () => void)),
  )
  canary = Object.assign(listened, { visits: 0 })
  const answering = await web((_, reply) => void reply.writeHead(302, { location: redirecting.location }).end())
  redirecting = Object.assign(answering, { location: '' })
  servers.splice(0) // these outlive each test
})
afterAll(() => {
  canary.close()
  redirecting.close()
  expect(canary.visits).toBe(0)
})

// Every host leads to the canary, or to metadata, if it is connected to at all. `PORT` is the canary's.
const names = {
  'private.example': ['10.0.0.7'],
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'any.example': ['0.0.0.0'],
  'metadata.example': ['169.254.169.254'],
  'azure.example': ['168.63.129.16'],
  'metadata6.example': ['fd00:ec2::254'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'sixtofour.example': ['2002:7f00:1::1'],
  'teredo.example': ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'compatible.example': ['::127.0.0.1'],
  'unique.example': ['fd12:3456::1'],
  'linklocal.example': ['fe80::1'],
  'zoned.example': ['fe80::1%eth0'],
  'two.example': [publicAddress, '127.0.0.1'],
  'two-turned.example': ['127.0.0.1', publicAddress],
  'mixed.example': [publicAddress, '::1'],
  'mixed6.example': ['2606:4700::1111', '10.1.1.1'],
  'nobody.example': [],
  'rubbish.example': ['not an address'],
  // A CNAME to a private name: what the resolver hands over is the address at its end.
  'cname.example': ['192.168.1.10'],
}
const hosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f.1',
    '2130706433',
    '0x7f000001',
  ],
  ...[
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
    '0x7F.0x0.0x0.0x1',
    '127.0x000.0.1',
  ],
  ...[
    '0',
    '0.0.0.0',
    '0x0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
  ],
  ...['169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', '172.16.0.1', '172.31.255.255', '192.0.0.1'],
  ...[
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
    '[::ffff:169.254.169.254]',
  ],
  ...[
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
  ],
  ...[
    '[2001::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[5f00::1]',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost..',
    'app.localhost',
    'app.localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'printer.local',
    'printer.local.',
  ],
  ...[
    'db.internal',
    'metadata.google.internal',
    'metadata.google.internal.',
    'metadata.goog',
    'router.home.arpa',
    'router.home.arpa.',
    'intranet',
    'intranet.',
    'metadata',
  ],
  ...Object.keys(names),
]
const corpus = [
  ...hosts.map((host) => `http://${host}:PORT/`),
  'http://hooks.example.com@127.0.0.1:PORT/',
  'http://hooks.example.com:80@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@hooks.example.com/',
  'http://hooks.example.com#@127.0.0.1:PORT/'.replace('#', '%23'),
  'http://127.0.0.1:PORT\\@hooks.example.com/',
  'http://127.0.0.1:PORT#@hooks.example.com/',
  'http://127.0.0.1:PORT?@hooks.example.com/',
  'http:/\\127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'ht\ntp://127.0.\t0.1:PORT/',
  'http://127.0.0.1:0PORT/',
  'http://[::1]:PORT@hooks.example.com/',
  'http://hooks.example.com:22/',
  'http://hooks.example.com:25/',
  'http://hooks.example.com:5432/',
  'http://hooks.example.com:06379/',
  'http://hooks.example.com:0/',
  'http://hooks.example.com:65536/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_',
  'ftp://127.0.0.1:PORT/',
  'dict://127.0.0.1:PORT/',
]

test('SSRF-11 the corpus has at least sixty entries, all different', () => {
  expect(new Set(corpus).size).toBe(corpus.length)
  expect(corpus.length).toBeGreaterThanOrEqual(60)
})

const ways = ['webhook', 'file', 'saved address', 'redirect'] as const

// In `npm test` each entry is tried in one of the ways, in turn: all of them ask policy.ts.
test.each(pairs(corpus, ways))('SSRF-11 THR-11 %j is reached by no %s', async (entry, way) => {
  const target = entry.replace('PORT', String(canary.port))
  redirecting.location = encodeLocation(target)
  const { dialled, lookedUp, refusals, ...net } = internet({ names, port: redirecting.port })
  const egress = strict(net)
  const attempts: Record<typeof way, () => Promise<unknown>> = {
    webhook: () => egress.post(target, message),
    file: () => egress.download(target, wanted),
    'saved address': () => egress.check(target, { organizationId, use: 'webhook' }),
    redirect: () => egress.download('http://start.example/', wanted),
  }
  const failure = await failureOf(attempts[way]())
  expect(failure).toMatchObject({ target: 'TARGET_NOT_ALLOWED', code: 'VALIDATION', isTransient: false })
  expect(failure.details).toMatchObject([{ code: 'TARGET_NOT_ALLOWED' }])
  expect(failure.message).not.toMatch(/\d+\.\d+|:\d|::|\[/)
  expect(refusals).toHaveLength(1)
  expect(dialled).toEqual(way === 'redirect' ? [`${publicAddress} 80`] : []) // the redirecting server, once
  expect(lookedUp.filter((name) => name !== 'start.example' && !(name in names))).toEqual([])
  expect(canary.visits).toBe(0)
})

/** A header holds bytes: what the corpus says in other letters travels as UTF-8, as servers send it. */
const encodeLocation = (text: string) => Buffer.from(text.replaceAll(/[\n\t]/g, '')).toString('latin1')

const mailHosts = [
  ...hosts.filter((host) => !host.includes('%')),
  '::1',
  '::ffff:127.0.0.1',
  'mail.example.com@127.0.0.1',
  '127.0.0.1/',
  '127.0.0.1#mail.example.com',
  'fe80::1%eth0',
]

const mailPorts = [143, 993, 587]
test.each(pairs(mailHosts, mailPorts))(
  'SSRF-11 THR-11 the mail host %j is not connected to at port %i',
  async (host, port) => {
    const { dialled, refusals, ...net } = internet({ names })
    const egress = strict(net)
    const failure = await failureOf(egress.socket({ organizationId, host, port, tls: port === 993, kind: 'mail' }))
    expect(failure.target).toBe('TARGET_NOT_ALLOWED')
    expect((await failureOf(egress.checkMailServer({ organizationId, host, port, kind: 'mail' }))).target).toBe(
      'TARGET_NOT_ALLOWED',
    )
    expect(dialled).toEqual([])
    expect(refusals).toHaveLength(2)
    expect(canary.visits).toBe(0)
  },
)

test('SSRF-11 a mail server at the canary is refused because of its port and of its address', async () => {
  const egress = strict()
  for (const host of ['localhost', '127.0.0.1', 'mail.example.com']) {
    const failure = await failureOf(
      egress.socket({ organizationId, host, port: canary.port, tls: false, kind: 'mail' }),
    )
    expect(failure.target).toBe('TARGET_NOT_ALLOWED')
  }
})

test('SSRF-3 a target is refused without a connection if the resolver fails or does not answer', async () => {
  const { dialled, refusals, ...net } = internet()
  const broken = strict({
    ...net,
    resolve: async () => Promise.reject(Object.assign(new Error('SERVFAIL 10.0.0.2'), { code: 'ESERVFAIL' })),
  })
  const dead = strict({ ...net, resolve: () => new Promise(() => {}), limits: { resolveMs: 50 } })
  for (const egress of [broken, dead]) {
    const failure = await failureOf(egress.post('https://hooks.example.com/', message))
    expect(failure).toMatchObject({ target: 'TARGET_UNREACHABLE', reason: 'resolver', isTransient: true })
  }
  expect(dialled).toEqual([])
  expect(refusals.map(({ reason }) => reason)).toEqual(['resolver', 'resolver'])
})

test('SSRF-3 SSRF-9 an unknown name and a private one give the same answer', async () => {
  const egress = strict(internet({ names }))
  const failures = await Promise.all(
    ['nobody.example', 'private.example', 'intranet'].map((host) =>
      failureOf(egress.post(`https://${host}/`, message)),
    ),
  )
  expect(new Set(failures.map(({ message, target }) => `${target} ${message}`)).size).toBe(1)
})

test('SSRF-6 the connection goes to the checked address with the Host of the URL, and the name is resolved once', async () => {
  const seen: (string | undefined)[] = []
  const server = await web((request, reply) => {
    seen.push(request.headers.host)
    reply.end('thanks')
  })
  const answers = [[publicAddress], ['127.0.0.1']]
  const { dialled, lookedUp, resolve: _, ...net } = internet({ port: server.port })
  const resolve = async (name: string) => {
    lookedUp.push(name)
    return answers.shift() ?? []
  }
  const egress = strict({ ...net, resolve })
  expect(await egress.post('http://rebinding.example:8080/in?a=1', message)).toMatchObject({
    status: 200,
    text: 'thanks',
  })
  expect({ dialled, lookedUp, seen }).toEqual({
    dialled: [`${publicAddress} 8080`],
    lookedUp: ['rebinding.example'],
    seen: ['rebinding.example:8080'],
  })
  expect((await failureOf(egress.post('http://rebinding.example:8080/', message))).reason).toBe('address')
  expect(dialled).toHaveLength(1)
})

test('SSRF-6 SSRF-7 a name that becomes private between two redirects is refused at the second', async () => {
  const server = await web(
    (_, reply) => void reply.writeHead(302, { location: 'http://rebinding.example/again' }).end(),
  )
  const answers = [[publicAddress], ['127.0.0.1']]
  const { dialled, resolve: _, ...net } = internet({ port: server.port })
  const egress = strict({ ...net, resolve: async () => answers.shift() ?? [] })
  expect((await failureOf(egress.download('http://rebinding.example/', wanted))).reason).toBe('address')
  expect(dialled).toHaveLength(1)
})

test('SSRF-6 a connection to another address than the checked one is closed before a byte is sent', async () => {
  let received = 0
  const server = await listening(createServer((socket) => socket.on('data', (bytes) => (received += bytes.length))))
  const closed = new Promise<void>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  const egress = strict({
    resolve: async () => [publicAddress],
    connect: ({ signal }) => connectTo({ address: '127.0.0.1', port: server.port, signal }),
  })
  expect(await failureOf(egress.post('http://hooks.example.com/', message))).toMatchObject({
    target: 'TARGET_NOT_ALLOWED',
    reason: 'moved',
  })
  await closed
  expect(received).toBe(0)
})

test('SSRF-6 every call has its own connection, and proxy variables are not read', async () => {
  let connections = 0
  const proxy = await web((_, reply) => void reply.end())
  const server = await web((_, reply) => void reply.end('direct'))
  server.on('connection', () => (connections += 1))
  proxy.on('connection', () => expect.unreachable())
  const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  for (const name of variables) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy.port}`
  try {
    const egress = strict({ allow: [`127.0.0.1:${server.port}`] })
    for (const _ of [1, 2, 3])
      expect((await egress.post(`http://127.0.0.1:${server.port}/`, message)).text).toBe('direct')
  } finally {
    for (const name of variables) delete process.env[name]
  }
  expect(connections).toBe(3)
})

test('SSRF-6 if the first address does not answer, the next checked one is tried', async () => {
  const server = await web((_, reply) => void reply.end('second'))
  const { connect, dialled, ...net } = internet({
    names: { 'hooks.example.com': ['93.184.215.1', '93.184.215.2', publicAddress] },
    port: server.port,
  })
  const egress = strict({
    ...net,
    connect: (to) =>
      to.address === '93.184.215.1'
        ? new Promise(() => {})
        : to.address === '93.184.215.2'
          ? Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }))
          : connect(to),
    limits: { connectMs: 300 },
  })
  expect((await egress.post('http://hooks.example.com/', message)).text).toBe('second')
  expect(dialled).toEqual([`${publicAddress} 80`])
})

test('SSRF-7 a webhook follows no redirect: the 3xx is the answer', async () => {
  let visits = 0
  const server = await web((_, reply) => {
    visits += 1
    reply.writeHead(307, { location: 'http://elsewhere.example/' }).end('moved')
  })
  const { lookedUp, ...net } = internet({ port: server.port })
  expect(await strict(net).post('http://hooks.example.com/', message)).toMatchObject({ status: 307, text: 'moved' })
  expect({ visits, lookedUp }).toEqual({ visits: 1, lookedUp: ['hooks.example.com'] })
})

test('SSRF-2 SSRF-7 a web address without slashes is absolute by itself, and relative in a redirect', async () => {
  const server = await web((request, reply) => {
    if (request.url === '/127.0.0.1:80/') return void reply.end('a path')
    reply.writeHead(302, { location: 'http:127.0.0.1:80/' }).end()
  })
  const egress = strict(internet({ port: server.port }))
  expect((await failureOf(egress.download('http:127.0.0.1:80/', wanted))).reason).toBe('address')
  expect((await egress.download('http://start.example/', wanted)).body?.toString()).toBe('a path')
})

test('SSRF-7 a download follows three redirects and not a fourth, and carries no headers over', async () => {
  const heads: unknown[] = []
  const server = await web((request, reply) => {
    heads.push(request.headers)
    const left = Number(request.url?.slice(1))
    if (left === 0) return void reply.end('the file')
    reply.writeHead(302, { location: `http://hop${left}.example/${left - 1}`, 'set-cookie': 'a=b' }).end('x')
  })
  const egress = strict(internet({ port: server.port }))
  expect((await egress.download('http://start.example/3', wanted)).body?.toString()).toBe('the file')
  expect(heads).toHaveLength(4)
  for (const head of heads)
    expect(Object.keys(head as object).sort()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
  expect((await failureOf(egress.download('http://start.example/4', wanted))).reason).toBe('redirects')
})

test('SSRF-7 SSRF-8 https certificates are verified by name, and a redirect never downgrades to http', async () => {
  const { cert, key } = selfSigned({ host: 'files.example.com' })
  const asked: string[] = []
  const SNICallback = (name: string, done: (error: null) => void) => {
    asked.push(name)
    done(null)
  }
  const server = await listening(
    createTlsServer({ cert, key, SNICallback }, (socket) => {
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        const body = bytes.toString().startsWith('GET /down')
          ? 'HTTP/1.1 302 Found\r\nLocation: http://files.example.com/\r\n\r\n'
          : 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsafe'
        socket.end(body)
      })
    }),
  )
  const { dialled, ...net } = internet({ port: server.port })
  const trusting = strict({ ...net, ca: cert })
  expect((await trusting.download('https://files.example.com/', wanted)).body?.toString()).toBe('safe')
  expect((await trusting.post('https://files.example.com./', message)).text).toBe('safe')
  expect(asked).toEqual(['files.example.com', 'files.example.com'])
  expect(await failureOf(trusting.download('https://files.example.com/down', wanted))).toMatchObject({
    target: 'TARGET_NOT_ALLOWED',
    reason: 'scheme',
  })
  expect((await failureOf(trusting.post('https://other.example.com/', message))).reason).toBe('insecure')
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    expect((await failureOf(strict(net).post('https://files.example.com/', message))).reason).toBe('insecure')
  } finally {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  }
  expect(dialled.every((place) => place === `${publicAddress} 443`)).toBe(true)
})

test('SSRF-8 a delivery shows its status, its latency and at most 4 KiB of valid text', async () => {
  const body = Buffer.concat([Buffer.from('é\0'), Buffer.alloc(9000, 0xff)])
  const server = await web((_, reply) => void reply.writeHead(503, { 'retry-after': '30' }).end(body))
  const answer = await strict(internet({ port: server.port })).post('http://hooks.example.com/', message)
  expect(answer).toMatchObject({ status: 503, retryAfterS: 30 })
  expect(answer.latencyMs).toBeGreaterThanOrEqual(0)
  expect(answer.text.startsWith('é\ufffd')).toBe(true)
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(4096)
})

test.each([
  ['0', 0],
  ['86400', 600],
  [new Date(Date.now() + 5_000_000).toUTCString(), 600],
  [new Date(Date.now() - 5_000).toUTCString(), 0],
  ['soon', undefined],
  ['-5', undefined],
])('Retry-After %s is %s seconds', async (text, seconds) => {
  const server = await web((_, reply) => void reply.writeHead(429, { 'retry-after': text }).end())
  const { retryAfterS } = await strict(internet({ port: server.port })).post('http://hooks.example.com/', message)
  expect(retryAfterS).toBe(seconds)
})

test('a webhook arrives as given, and headers that control the connection cannot be given', async () => {
  const received: unknown[] = []
  const server = await web((request, reply) => {
    let body = ''
    request.on('data', (bytes) => (body += bytes))
    request.on('end', () => {
      received.push([request.method, request.url, request.headers['content-type'], request.headers['webhook-id'], body])
      reply.end()
    })
  })
  const { dialled, ...net } = internet({ port: server.port })
  const egress = strict(net)
  const headers = { 'Content-Type': 'application/json', 'webhook-id': 'step-1' }
  await egress.post('http://hooks.example.com/in?x=%20y#part', { organizationId, headers, body: '{"é":1}' })
  expect(received).toEqual([['POST', '/in?x=%20y', 'application/json', 'step-1', '{"é":1}']])
  for (const wrong of [
    { Host: 'a' },
    { 'Transfer-Encoding': 'chunked' },
    { 'content-length': '1' },
    { 'x-a': 'b\r\nc: d' },
    { 'x a': 'b' },
  ]) {
    await expect(
      egress.post('http://hooks.example.com/', { ...message, headers: wrong as Record<string, string> }),
    ).rejects.toThrow()
  }
  expect(dialled).toHaveLength(1)
})

test('SSRF-8 a download is limited after decompression, and a file that exceeds the limit is deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-egress-'))
  const server = await web((request, reply) => {
    const size = Number(request.url?.slice(1))
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(size, 'a')))
  })
  const egress = strict(internet({ port: server.port }))
  const file = join(folder, 'kept')
  expect(await egress.download('http://files.example.com/1024', { ...wanted, to: { file } })).toEqual({
    size: 1024,
    body: undefined,
  })
  expect((await readFile(file)).length).toBe(1024)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const refused = egress.download('http://files.example.com/1025', { ...wanted, to: { file: join(folder, 'dropped') } })
  await expect(refused).rejects.toMatchObject({ status: 400, details: [{ code: 'FILE_TOO_LARGE' }] })
  await expect(egress.download('http://files.example.com/1025', wanted)).rejects.toMatchObject({
    details: [{ code: 'FILE_TOO_LARGE' }],
  })
  await expect(egress.download('http://files.example.com/1', { ...wanted, to: { file } })).rejects.toThrow(/EEXIST/)
  expect(await readdir(folder)).toEqual(['kept'])
  await rm(folder, { recursive: true })
})

test('SSRF-8 a missing file and an unknown encoding are reported', async () => {
  const server = await web(
    (request, reply) => void reply.writeHead(request.url === '/br' ? 200 : 404, { 'content-encoding': 'br' }).end('no'),
  )
  const egress = strict(internet({ port: server.port }))
  expect((await failureOf(egress.download('http://files.example.com/', wanted))).reason).toBe('status')
  expect((await failureOf(egress.download('http://files.example.com/br', wanted))).reason).toBe('unreadable')
  expect(await egress.post('http://files.example.com/br', message)).toMatchObject({ status: 200, text: '' })
})

test('SSRF-9 a failure before the connection is reported at a fixed time step, for blocked and refused targets alike', async () => {
  const failureStepMs = 120
  const egress = strict({ ...internet({ names }), limits: { failureStepMs } })
  const took = async (url: string) => {
    const began = performance.now()
    const { target } = await failureOf(egress.post(url, message))
    return [target, Math.floor((performance.now() - began + 2) / failureStepMs)]
  }
  expect(await took('http://10.0.0.1/')).toEqual(['TARGET_NOT_ALLOWED', 1])
  expect(await took('http://private.example/')).toEqual(['TARGET_NOT_ALLOWED', 1])
  expect(await took('http://nobody.example/')).toEqual(['TARGET_NOT_ALLOWED', 1])
  expect(await took('http://closed.example/')).toEqual(['TARGET_UNREACHABLE', 1])
})

test('SSRF-9 each refusal is audited with its organization, its use and its host, and with no address', async () => {
  const { refusals, ...net } = internet({ names })
  const egress = strict(net)
  await failureOf(egress.post('http://private.example/secret?token=1', message))
  await failureOf(egress.download('http://user:pass@files.example.com/', wanted))
  await failureOf(egress.socket({ organizationId, host: 'cname.example', port: 143, tls: false, kind: 'mail' }))
  expect(refusals).toEqual([
    { organizationId, use: 'webhook', host: 'private.example', reason: 'address' },
    { organizationId, use: 'file', host: 'files.example.com', reason: 'credentials' },
    { organizationId, use: 'mail', host: 'cname.example', reason: 'address' },
  ])
  await failureOf(egress.post('http://closed.example/', message))
  expect(refusals).toHaveLength(3)
})

test('SSRF-10 local mode reaches this machine by address and by name, and strict mode reaches allowed targets', async () => {
  const server = await web((_, reply) => void reply.end('here'))
  const local = createEgress({ mode: 'local', allow: [], allowHttp: false })
  for (const host of ['127.0.0.1', 'localhost', 'app.localhost', '[::ffff:127.0.0.1]']) {
    expect((await local.post(`http://${host}:${server.port}/`, message)).text).toBe('here')
  }
  await local.check(`http://localhost:${server.port}/`, { organizationId, use: 'webhook' })
  const listed = strict({ allow: [`127.0.0.1:${server.port}`] })
  expect((await listed.download(`http://127.0.0.1:${server.port}/`, wanted)).size).toBe(4)
  expect((await failureOf(listed.post(`http://127.0.0.1:${canary.port}/`, message))).reason).toBe('address')
  expect(() => strict({ allow: ['0.0.0.0/0'] })).toThrow()
})

test('a mail server is reached at the checked address, and STARTTLS is verified like TLS', async () => {
  const { cert, key } = selfSigned({ host: 'localhost' })
  const plain = await listening(
    createServer((socket) => {
      socket.write('* OK\r\n')
      socket.once('data', () => {
        socket.write('a OK\r\n')
        secured.emit('connection', socket)
      })
    }),
  )
  const secured = createTlsServer({ cert, key }, (socket) => socket.end('secret')).on('tlsClientError', () => {})
  const once = (socket: Socket, event: string) => new Promise<Buffer>((resolve) => socket.once(event, resolve))
  const say = async (ca?: string) => {
    const egress = createEgress({ mode: 'local', allow: [], allowHttp: false, ...(ca && { ca }) })
    const socket = await egress.socket({
      organizationId,
      host: 'localhost',
      port: plain.port,
      tls: false,
      kind: 'mail',
    })
    expect((await once(socket, 'data')).toString()).toBe('* OK\r\n')
    const answered = once(socket, 'data')
    socket.write('a STARTTLS\r\n')
    await answered
    return (await once(await egress.startTls(socket, 'localhost'), 'data')).toString()
  }
  expect(await say(cert)).toBe('secret')
  expect((await failureOf(say())).reason).toBe('insecure')
})

test('data that a mail server sends before the handshake is refused', async () => {
  const server = await listening(createServer((socket) => socket.write('a OK\r\nb injected\r\n')))
  const egress = createEgress({ mode: 'local', allow: [], allowHttp: false })
  const socket = await egress.socket({ organizationId, host: '127.0.0.1', port: server.port, tls: false, kind: 'mail' })
  await new Promise((resolve) => socket.once('readable', resolve))
  expect((await failureOf(egress.startTls(socket, '127.0.0.1'))).reason).toBe('unreadable')
  expect(socket.destroyed).toBe(true)
})

test('an aborted call ends at once', async () => {
  const server = await listening(createServer())
  const egress = strict({ allow: [`127.0.0.1:${server.port}`] })
  const signal = AbortSignal.timeout(50)
  const began = performance.now()
  await expect(egress.post(`http://127.0.0.1:${server.port}/`, { ...message, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  expect(performance.now() - began).toBeLessThan(2000)
})
