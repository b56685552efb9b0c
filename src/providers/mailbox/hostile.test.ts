import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type MailboxAccess, MailboxFailure } from '../../core/outside/mailbox.ts'
import { startImapServer } from '../../simulators/mail/imap-server.ts'
import type { Fault, Faults } from '../../simulators/mail/peer.ts'
import { selfSigned } from '../../test/fakes/certificate.ts'
import {
  accountOf,
  createMailboxClient,
  everything,
  mailboxFailureOf as failureOf,
  inbox,
  mail,
  temporaryFolder,
} from '../../test/fakes/mailbox.ts'
import { startPop3Server } from '../../test/fakes/pop3-server.ts'
import { inProof } from '../../test/prove.ts'

const files = temporaryFolder()
afterAll(() => files.close())
const { cert, key } = selfSigned({ host: 'localhost' })
// Long enough for a server that answers on a busy machine.
const limits = { silenceMs: 1_000, commandMs: 5_000, goodbyeMs: 100 }
const patient = { ...limits, silenceMs: 15_000, commandMs: 18_000 }
const starts = { IMAP: startImapServer, POP3: startPop3Server }
const folder = inbox(...Array.from({ length: 6 }, (_, n) => mail({ uid: n + 1, body: 'line\r\n'.repeat(40 * n) })))

type Run = {
  protocol: 'IMAP' | 'POP3'
  faults?: Faults
  without?: string[]
  withTls?: boolean
  /** Whether the server may fall silent; if not, it is waited for on a busy machine. */
  stalls?: boolean
} & Partial<MailboxAccess>

/** Reads a whole mailbox. The outcome is a failure of the mailbox, or undefined; anything else fails the test. */
async function readAll({ protocol, faults = {}, without = [], withTls = false, stalls = true, ...access }: Run) {
  const tls = withTls ? ({ tls: { cert, key, from: 'STARTTLS' } } as const) : {}
  const server = await starts[protocol]({
    accounts: accountOf([folder]),
    host: '127.0.0.1',
    port: 0,
    faults,
    without,
    ...tls,
  })
  const client = createMailboxClient({ limits: stalls ? limits : patient, ca: cert })
  const began = performance.now()
  try {
    const mailbox = await client.open(server.port, { protocol, host: 'localhost', ...access })
    try {
      for await (const page of mailbox.list(everything, async () => new Set())) {
        for (const { place } of page) await mailbox.fetch(place, { file: files.file(), maxBytes: 100_000 })
      }
    } finally {
      await mailbox.close()
    }
    return { failure: undefined, bytes: client.sockets[0]?.bytesRead ?? 0 }
  } catch (error) {
    expect(error).toBeInstanceOf(MailboxFailure)
    return { failure: error as MailboxFailure, bytes: 0 }
  } finally {
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(client.sockets.every((socket) => socket.destroyed)).toBe(true)
    await server.close()
  }
}

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterEach(async () => {
  await sleep(0)
  expect(unhandled).toEqual([])
})
afterAll(() => void process.off('unhandledRejection', note))

const states = {
  IMAP: ['GREETING', 'CAPABILITY', 'STARTTLS', 'AUTHENTICATE', 'ID', 'EXAMINE', 'UID SEARCH', 'UID FETCH', 'LOGOUT'],
  POP3: ['GREETING', 'CAPA', 'STLS', 'AUTH', 'LIST', 'UIDL', 'TOP', 'RETR', 'QUIT'],
} as const
const expected: Record<Fault, RegExp> = { cut: /CLOSED/, stall: /SILENT/, garbage: /GARBAGE|CLOSED/ }

for (const protocol of ['IMAP', 'POP3'] as const) {
  test(`FLT-15: ${protocol}: a server that hangs, sends garbage or disconnects in any state ends in a failure`, async () => {
    expect(await readAll({ protocol, withTls: true })).toMatchObject({ failure: undefined })
    for (const fault of ['cut', 'stall', 'garbage'] as const) {
      const attempts = states[protocol].map(async (command) => {
        const instead = (each: string) => (each === command ? fault : undefined)
        const { failure } = await readAll({ protocol, withTls: true, faults: { instead }, stalls: fault === 'stall' })
        // A server need not say goodbye.
        const outcome = command === 'LOGOUT' || command === 'QUIT' ? /undefined/ : expected[fault]
        expect([command, fault, `${failure?.trouble}`]).toEqual([command, fault, expect.stringMatching(outcome)])
      })
      await Promise.all(attempts)
    }
  }, 120_000)

  test(`FLT-15: ${protocol}: a connection that breaks at any byte ends in a failure or is read to the end`, async () => {
    const whole = await readAll({ protocol })
    expect(whole.bytes).toBeGreaterThan(5_000)
    const random = seeded(20260316)
    const outcomes: Record<string, number> = {}
    const count = inProof(60, 300)
    const work = Array.from({ length: count }, (_, n) => ({
      byte: Math.floor(random() * whole.bytes),
      fault: (n < (count * 2) / 3 ? 'cut' : n < (count * 5) / 6 ? 'garbage' : 'stall') as Fault,
    }))
    while (work.length > 0) {
      const batch = work.splice(0, 20)
      for (const { failure } of await Promise.all(
        batch.map((at) => readAll({ protocol, faults: { at }, stalls: at.fault !== 'cut' })),
      ))
        outcomes[failure?.trouble ?? 'none'] = (outcomes[failure?.trouble ?? 'none'] ?? 0) + 1
    }
    expect(
      Object.keys(outcomes).filter((name) => !/CLOSED|SILENT|GARBAGE|none|LOGIN|UNAVAILABLE|FOLDER|GONE/.test(name)),
    ).toEqual([])
    expect(outcomes.CLOSED).toBeGreaterThan(count / 2)
    expect(outcomes.SILENT).toBeGreaterThan(count / 10)
    // No part of a message is left as if it were whole.
    const complete = await Promise.all(folder.messages.map(async ({ source }) => (await source()).toString()))
    const fetched = readdirSync(files.path).map((name) => readFileSync(join(files.path, name), 'utf8'))
    expect(fetched.length).toBeGreaterThan(count / 3)
    expect(fetched.filter((text) => !complete.includes(text))).toEqual([])
  }, 120_000)
}

/** A server that does one thing with every connection. */
async function speaking(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    speak(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, close }
}

test.each(['IMAP', 'POP3'] as const)(
  '%s: a server that sends byte by byte, or without end, is left',
  async (protocol) => {
    const slow = await speaking((socket) => {
      const timer = setInterval(() => socket.write('*'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const endless = await speaking((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, `* OK ${'x'.repeat(1017)}\r\n`)));
      }
      socket.write(protocol === 'IMAP' ? '* OK ready\r\n' : '+OK ready\r\n')
      socket.on('drain', more)
      more()
    })
    const long = await speaking((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x')));
      }
      socket.on('drain', more)
      more()
    })
    for (const [server, trouble] of [[slow, /SILENT/], [endless, /GARBAGE/], [long, /GARBAGE|SILENT/]] as const) {
    const client = createMailboxClient({ limits: { ...limits, ...(server === slow && { commandMs: 500 }) } })
    expect((await failureOf(client.open(server.port, { protocol }))).trouble).toMatch(trouble)
    expect(client.sockets.every((socket) => socket.destroyed)).toBe(true)
    server.close()
  } // biome-ignore format: pairs
  },
)

test.each(['IMAP', 'POP3'] as const)('%s: reading ends at once when it is aborted, in any state', async (protocol) => {
  for (const command of states[protocol].slice(0, -1)) {
    const server = await starts[protocol]({
      accounts: accountOf([folder]),
      host: '127.0.0.1',
      port: 0,
      tls: { cert, key, from: 'STARTTLS' },
      faults: { instead: (each) => (each === command ? 'stall' : undefined) },
    })
    const client = createMailboxClient({ ca: cert, limits: { silenceMs: 10_000, commandMs: 10_000 } })
    const stop = new AbortController()
    const reason = new Error('Stopped by the user')
    const reading = (async () => {
      const mailbox = await client.open(server.port, { protocol, host: 'localhost' }, stop.signal)
      for await (const page of mailbox.list(everything, async () => new Set())) {
        for (const { place } of page) await mailbox.fetch(place, { file: files.file(), maxBytes: 100_000 })
      }
    })()
    const timer = setTimeout(() => stop.abort(reason), 150)
    const began = performance.now()
    await expect(reading).rejects.toBe(reason)
    expect(performance.now() - began).toBeLessThan(2_000)
    clearTimeout(timer)
    expect(client.sockets.every((socket) => socket.destroyed)).toBe(true)
    await server.close()
  }
})

/** Random numbers that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test.each([
  ['IMAP', '* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n', 'A1 OK Begin\r\n'],
  ['POP3', '+OK ready\r\n', '+OK Begin\r\n'],
] as const)(
  'THR-19: %s: what a server sends before the handshake of STARTTLS is not believed',
  async (protocol, greeting, begin) => {
    for (const injected of ['', 'A2 OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] injected\r\n']) {
      const said: string[] = []
      const server = await speaking((socket) => {
        socket.write(greeting)
        socket.on('data', (bytes) => {
          said.push(bytes.toString('latin1'))
          if (bytes.toString() === 'CAPA\r\n') socket.write('+OK\r\nSTLS\r\n.\r\n')
          else socket.write(`${begin}${injected}`)
        })
      })
      const client = createMailboxClient({ limits })
      // Without anything injected, the handshake begins, and fails because the server speaks no TLS.
      const { trouble } = await failureOf(client.open(server.port, { protocol, host: 'localhost' }))
      expect([injected, trouble]).toEqual([injected, injected === '' ? 'CERTIFICATE' : 'GARBAGE'])
      expect(said.join('')).not.toMatch(/LOGIN|AUTH|PASS/)
      server.close()
    }
  },
)
