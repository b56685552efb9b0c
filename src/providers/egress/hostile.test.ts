import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { createGzip, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { selfSigned } from '../../test/fakes/certificate.ts'
import { createEgress } from './egress.ts'

// The real limits are 5, 10, 15 and 30 s; their order is what these keep. Slack is for two busy cores.
const limits = { connectMs: 400, firstByteMs: 500, postMs: 1000, downloadMs: 1000, failureStepMs: 1 }
const slackMs = 700
const organizationId = 'one'
const message = { organizationId, headers: {}, body: '{}' }

const servers: Server[] = []
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

async function listening(server: Server) {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Once the request has been heard, it is the script's turn. */
const scripted = (script: (socket: Socket) => void) =>
  listening(createServer((socket) => void socket.once('data', () => script(socket))))

const egressTo = (port: number) =>
  createEgress({ mode: 'strict', allow: [`127.0.0.1:${port}`], allowHttp: true, limits })

function repeat(socket: Socket, everyMs: number, piece: () => string) {
  const timer = setInterval(() => socket.write(piece()), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** Writes as fast as the other side takes it, until the connection ends. */
function flood(socket: Socket, piece: Buffer) {
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', write)
  write()
}

async function outcome(work: Promise<unknown>) {
  const began = performance.now()
  const before = buffered()
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, buffered())), 5)
  const answer = await work.catch((error: unknown) => error)
  clearInterval(watch)
  return {
    answer,
    reason: answer instanceof TargetFailure ? answer.reason : undefined,
    tookMs: performance.now() - began,
    grownMiB: (Math.max(peak, buffered()) - before) / 2 ** 20,
  }
}
// Bodies live in buffers; the heap besides is the test's own noise.
const buffered = () => process.memoryUsage().external

const ok = 'HTTP/1.1 200 OK\r\n'
const zeros = Buffer.alloc(64 * 1024)
const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20)) // a thousand to one

type Case = { server: string; script: (socket: Socket) => void; boundMs: number } & (
  | { reason: string }
  | { text: string | number }
)

const cases: Case[] = [
  { server: 'accepts and says nothing', script: () => {}, boundMs: limits.firstByteMs, reason: 'silent' },
  {
    server: 'sends its head a byte at a time',
    script: (socket) => {
      const head = [...`${ok}X-Slow: ${'a'.repeat(1000)}`]
      repeat(socket, 50, () => head.shift() ?? '')
    },
    boundMs: limits.postMs,
    reason: 'silent',
  },
  {
    server: 'sends its body a byte at a time',
    script: (socket) => {
      socket.write(`${ok}Content-Length: 100000\r\n\r\n`)
      repeat(socket, 50, () => 'a')
    },
    boundMs: limits.postMs,
    reason: 'silent',
  },
  {
    server: 'answers 200 too late',
    script: (socket) => void setTimeout(() => socket.end(`${ok}Content-Length: 0\r\n\r\n`), limits.firstByteMs + 300),
    boundMs: limits.firstByteMs,
    reason: 'silent',
  },
  {
    server: 'goes on informing and never answers',
    script: (socket) => repeat(socket, 20, () => 'HTTP/1.1 102 Processing\r\n\r\n'),
    boundMs: limits.postMs,
    reason: 'silent',
  },
  {
    server: 'sends a body without end',
    script: (socket) => {
      socket.write(`${ok}\r\n`)
      flood(socket, zeros)
    },
    boundMs: limits.postMs,
    text: 4096 / 3,
  },
  {
    server: 'sends a body in chunks without end',
    script: (socket) => {
      socket.write(`${ok}Transfer-Encoding: chunked\r\n\r\n`)
      flood(socket, Buffer.from(`1000\r\n${'a'.repeat(0x1000)}\r\n`))
    },
    boundMs: limits.postMs,
    text: 4096,
  },
  {
    server: 'sends a body of a gibibyte',
    script: (socket) => {
      socket.write(`${ok}Content-Length: ${2 ** 30}\r\n\r\n`)
      flood(socket, Buffer.alloc(64 * 1024, 'a'))
    },
    boundMs: limits.postMs,
    text: 4096,
  },
  {
    server: 'sends a gzip bomb',
    script: (socket) => {
      socket.write(`${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    },
    boundMs: limits.postMs,
    text: 4096 / 3,
  },
  {
    server: 'sends gzip without end and without content',
    script: (socket) => {
      socket.write(`${ok}Content-Encoding: gzip\r\n\r\n`)
      const gzip = createGzip()
      gzip.pipe(socket)
      const timer = setInterval(() => gzip.flush(), 0)
      socket.on('close', () => clearInterval(timer))
    },
    boundMs: limits.postMs,
    reason: 'silent',
  },
  {
    server: 'packs gzip in gzip',
    script: (socket) => void socket.end(`${ok}Content-Encoding: gzip, gzip\r\nConnection: close\r\n\r\nx`),
    boundMs: limits.postMs,
    text: '',
  },
  {
    server: 'says gzip and sends something else',
    script: (socket) => void socket.end(`${ok}Content-Encoding: gzip\r\nConnection: close\r\n\r\nplain words`),
    boundMs: limits.postMs,
    text: '',
  },
  {
    server: 'sends ten mebibytes of headers',
    script: (socket) => {
      socket.write(ok)
      flood(socket, Buffer.from(`X-Header: ${'a'.repeat(8000)}\r\n`.repeat(8)))
    },
    boundMs: limits.postMs,
    reason: 'unreadable',
  },
  {
    server: 'sends one header without end',
    script: (socket) => {
      socket.write(`${ok}X-Long: `)
      flood(socket, Buffer.alloc(16 * 1024, 'a'))
    },
    boundMs: limits.postMs,
    reason: 'unreadable',
  },
  {
    server: 'speaks no HTTP',
    script: (socket) => void socket.end('SSH-2.0-OpenSSH_9.6 secret banner\r\n'),
    boundMs: limits.postMs,
    reason: 'unreadable',
  },
  {
    server: 'sends two lengths',
    script: (socket) => void socket.end(`${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    boundMs: limits.postMs,
    reason: 'unreadable',
  },
  {
    server: 'wants another protocol',
    script: (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    boundMs: limits.postMs,
    reason: 'broken',
  },
  {
    server: 'closes without a word',
    script: (socket) => void socket.end(),
    boundMs: limits.postMs,
    reason: 'broken',
  },
  {
    server: 'resets instead of answering',
    script: (socket) => void socket.resetAndDestroy(),
    boundMs: limits.postMs,
    reason: 'broken',
  },
  {
    server: 'resets in the middle of the body',
    script: (socket) => {
      socket.write(`${ok}Content-Length: 100\r\n\r\nabc`, () => setTimeout(() => socket.resetAndDestroy(), 50))
    },
    boundMs: limits.postMs,
    reason: 'broken',
  },
  {
    server: 'resets after the whole body',
    script: (socket) => {
      socket.write(`${ok}Content-Length: 3\r\n\r\nabc`, () => setTimeout(() => socket.resetAndDestroy(), 20))
    },
    boundMs: limits.postMs,
    text: 'abc',
  },
  {
    server: 'redirects to itself',
    script: (socket) => void socket.end('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
    boundMs: limits.postMs,
    text: '',
  },
]

test.each(cases)(
  'FLT-09 a webhook to a server that $server ends in time, in little memory, with a plain reason',
  async ({ script, boundMs, ...expected }) => {
    const port = await scripted(script)
    const { answer, reason, tookMs, grownMiB } = await outcome(
      egressTo(port).post(`http://127.0.0.1:${port}/`, message),
    )
    expect(tookMs).toBeLessThan(boundMs + slackMs)
    expect(grownMiB).toBeLessThan(16)
    if ('reason' in expected) {
      expect({ reason, answer }).toMatchObject({ reason: expected.reason, answer: { target: 'TARGET_UNREACHABLE' } })
      expect((answer as Error).message).not.toMatch(/127|\d{4}|SSH|banner/)
    } else if (typeof expected.text === 'number') {
      expect((answer as { text: string }).text).toHaveLength(Math.floor(expected.text))
    } else {
      expect(answer).toMatchObject({ text: expected.text })
    }
    await expect.poll(() => sockets.size, { timeout: 2000 }).toBe(0) // nothing is left open
  },
)

test('FLT-09 data beyond 64 KiB is not fetched', async () => {
  let written = 0
  const port = await scripted((socket) => {
    socket.on('close', () => (written = socket.bytesWritten))
    socket.write(`${ok}\r\n`)
    flood(socket, zeros)
  })
  await egressTo(port).post(`http://127.0.0.1:${port}/`, message)
  await expect.poll(() => written).toBeGreaterThan(0)
  expect(written).toBeLessThan(16 * 2 ** 20) // what the kernel's buffers of both ends took
})

const downloads: (Case & { reason: string })[] = [
  { ...(cases[0] as Case), server: 'accepts and says nothing', boundMs: limits.firstByteMs, reason: 'silent' },
  {
    server: 'sends its file a byte at a time',
    script: (socket) => {
      socket.write(`${ok}Content-Length: 100000\r\n\r\n`)
      repeat(socket, 50, () => 'a')
    },
    boundMs: limits.downloadMs,
    reason: 'silent',
  },
  {
    server: 'redirects to itself',
    script: (socket) => void socket.end('HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'),
    boundMs: limits.downloadMs,
    reason: 'redirects',
  },
  {
    server: 'redirects to another port of this machine',
    script: (socket) =>
      void socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:8080/\r\nContent-Length: 0\r\n\r\n'),
    boundMs: limits.downloadMs,
    reason: 'address',
  },
  {
    server: 'resets in the middle of the file',
    script: (socket) => {
      socket.write(`${ok}Content-Length: 100\r\n\r\nabc`, () => setTimeout(() => socket.resetAndDestroy(), 50))
    },
    boundMs: limits.downloadMs,
    reason: 'broken',
  },
  {
    server: 'breaks its gzip off',
    script: (socket) =>
      void socket.end(
        Buffer.concat([
          Buffer.from(`${ok}Content-Encoding: gzip\r\nConnection: close\r\n\r\n`),
          gzipSync('a file').subarray(0, 12),
        ]),
      ),
    boundMs: limits.downloadMs,
    reason: 'unreadable',
  },
]

test.each(downloads)(
  'FLT-09 a download from a server that $server ends in time and leaves no file',
  async ({ script, boundMs, reason }) => {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-egress-'))
    const port = await scripted(script)
    const wanted = { organizationId, maxBytes: 2 ** 20, to: { file: join(folder, 'file') } }
    const found = await outcome(egressTo(port).download(`http://127.0.0.1:${port}/`, wanted))
    expect(found.reason).toBe(reason)
    expect(found.tookMs).toBeLessThan(boundMs + slackMs)
    expect(found.grownMiB).toBeLessThan(16)
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  },
)

test.each(['a gzip bomb', 'a body without end'])('FLT-09 the download of %s stops at its limit', async (which) => {
  const port = await scripted((socket) => {
    if (which === 'a gzip bomb') {
      socket.write(`${ok}Content-Encoding: gzip\r\nConnection: close\r\n\r\n`)
      return void socket.end(bomb)
    }
    socket.write(`${ok}\r\n`)
    flood(socket, zeros)
  })
  const { answer, grownMiB } = await outcome(
    egressTo(port).download(`http://127.0.0.1:${port}/`, { organizationId, maxBytes: 2 ** 20, to: 'memory' }),
  )
  expect(answer).toMatchObject({ details: [{ code: 'FILE_TOO_LARGE' }] })
  expect(grownMiB).toBeLessThan(16)
})

test('FLT-09 an unread answer does not keep its connection open', async () => {
  const port = await scripted((socket) => {
    socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n')
    repeat(socket, 50, () => 'a')
  })
  const wanted = { organizationId, maxBytes: 2 ** 20, to: 'memory' } as const
  expect((await outcome(egressTo(port).download(`http://127.0.0.1:${port}/`, wanted))).reason).toBe('status')
  await expect.poll(() => sockets.size, { timeout: 300 }).toBe(0)
})

const wrongTls: [name: string, server: () => Server][] = [
  ['signs for itself', () => createTlsServer(selfSigned({ host: '127.0.0.1' }))],
  [
    'lets its certificate expire',
    () => createTlsServer(selfSigned({ host: '127.0.0.1', until: new Date('2021-01-01') })),
  ],
  ['has the certificate of another host', () => createTlsServer(selfSigned({ host: 'other.example' }))],
  [
    'speaks old TLS',
    () =>
      createTlsServer({
        ...selfSigned({ host: '127.0.0.1' }),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
  ],
  ['speaks no TLS', () => createServer((socket) => void socket.end('220 mail.corp.example ESMTP\r\n'))],
]

test.each(wrongTls)('FLT-09 SSRF-8 a target that %s gets no request', async (_name, create) => {
  const server = create()
  server.on('tlsClientError', () => {})
  server.on('secureConnection', (socket) => socket.on('data', () => expect.unreachable()).on('error', () => {}))
  const port = await listening(server)
  const { answer, reason, tookMs } = await outcome(egressTo(port).post(`https://127.0.0.1:${port}/`, message))
  expect({ reason, answer }).toMatchObject({ reason: 'insecure', answer: { target: 'TARGET_UNREACHABLE' } })
  expect((answer as Error).message).not.toMatch(/127|\d{3}|mail|ESMTP/)
  expect(tookMs).toBeLessThan(limits.connectMs + slackMs)
})

test('FLT-09 a target that never completes its handshake times out', async () => {
  const port = await listening(createServer((socket) => void socket.resume()))
  const { reason, tookMs } = await outcome(egressTo(port).post(`https://127.0.0.1:${port}/`, message))
  expect(reason).toBe('silent')
  expect(tookMs).toBeLessThan(limits.connectMs + slackMs)
  await expect.poll(() => sockets.size).toBe(0)
})

test('FLT-09 an address that never accepts a connection times out', async () => {
  const connect = () => new Promise<never>(() => {})
  const egress = createEgress({
    mode: 'strict',
    allow: [],
    allowHttp: true,
    resolve: async () => ['93.184.215.14', '2606:4700::1111'],
    connect,
    limits,
  })
  const { reason, tookMs } = await outcome(egress.post('https://hooks.example.com/', message))
  expect(reason).toBe('silent')
  expect(tookMs).toBeLessThan(limits.connectMs + slackMs)
})

test('FLT-09 a port without a listener is reported as refused', async () => {
  const port = await listening(createServer())
  await new Promise((resolve) => servers.pop()?.close(resolve))
  expect((await outcome(egressTo(port).post(`http://127.0.0.1:${port}/`, message))).reason).toBe('refused')
})

test("FLT-09 an organization's dead target delays only its own calls", async () => {
  const dead = await listening(createServer())
  const alive = await scripted((socket) => void socket.end(`${ok}Content-Length: 0\r\n\r\n`))
  const egress = createEgress({ mode: 'local', allow: [], allowHttp: true, limits })
  const slow = { ...message, organizationId: 'slow', waitMs: 0 }
  const stuck = Array.from({ length: 10 }, () =>
    egress.post(`http://127.0.0.1:${dead}/`, slow).catch((error: TargetFailure) => error.reason),
  )
  const began = performance.now()
  const quick = { ...message, organizationId: 'quick' }
  expect((await egress.post(`http://localhost:${alive}/`, quick)).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(limits.firstByteMs)
  expect((await Promise.all(stuck)).sort()).toEqual([...Array(8).fill('busy'), 'silent', 'silent'])
})
