import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'

/** What a server does wrong, for tests. */
export type Fault = 'cut' | 'stall' | 'garbage'
export type Faults = {
  /** After so many bytes sent on a connection. */
  at?: { byte: number; fault: Fault }
  /** Instead of the answer to a command; `GREETING` for the first line. A text is sent as it is. POP3 has no tags. */
  instead?: (command: string, tag: string) => Fault | { say: string } | undefined
  /** The size that is told of a message. */
  sizeTold?: (size: number) => number
}

export type Certificate = { cert: string; key: string }
export type ServerSettings = {
  /** TLS from the first byte, or offered with STARTTLS. */
  tls?: Certificate & { from: 'start' | 'STARTTLS' }
  host: '127.0.0.1' | '::1'
  /** 0 for any free port. */
  port: number
  faults?: Faults
}

export type RunningServer = { port: number; close(): Promise<void> }

/** The client of a connection. Everything throws `ClientGone` when it has left. */
export type Peer = {
  /** Without its end. */
  line(): Promise<Buffer>
  bytes(count: number): Promise<Buffer>
  send(data: string | Buffer): Promise<void>
  /** Encrypts the connection, as the server. */
  encrypt(): Promise<void>
  /** Whether a fault took the place of the answer to a command. */
  misbehave(command: string, tag?: string): Promise<boolean>
  readonly isEncrypted: boolean
  readonly canEncrypt: boolean
}

class ClientGone extends Error {}

/** Listens, and serves every connection until its client leaves. */
export async function listen(settings: ServerSettings, serve: (peer: Peer) => Promise<void>): Promise<RunningServer> {
  const sockets = new Set<Socket>()
  const welcome = (socket: Socket) => {
    sockets.add(socket)
    socket.setNoDelay(true).setTimeout(idleMs, () => socket.destroy())
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const peer = createPeer(socket, settings)
    // What fails here fails for one client alone.
    void serve(peer).then(
      () => socket.end(),
      () => socket.destroy(),
    )
  }
  const server: Server =
    settings.tls?.from === 'start'
      ? createTlsServer({ cert: settings.tls.cert, key: settings.tls.key }, welcome).on('tlsClientError', () => {})
      : createTcpServer(welcome)
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, () => resolve())
  })
  server.on('error', () => {})
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : settings.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function createPeer(first: Socket, { tls, faults = {} }: ServerSettings): Peer {
  let socket = first
  let rest: Buffer = Buffer.alloc(0)
  let sent = 0
  let isEncrypted = tls?.from === 'start'

  async function more() {
    for (;;) {
      const bytes: Buffer | null = socket.read()
      if (bytes) {
        rest = Buffer.concat([rest, bytes])
        return
      }
      if (socket.readableEnded || socket.destroyed) throw new ClientGone()
      await happening(socket)
    }
  }

  function write(data: Buffer): Promise<void> {
    sent += data.length
    return new Promise((resolve, reject) => {
      socket.write(data, (error) => (error ? reject(new ClientGone()) : resolve()))
    })
  }

  async function fail(fault: Fault): Promise<never> {
    if (fault === 'garbage') {
      // Bytes that no protocol has, again and again, as a program does that speaks another one.
      for (let count = 0; count < 20; count += 1)
        await write(Buffer.from('\u0000\u00ff{999999999}\r\n) (\r\n* ((((\r\n', 'latin1'))
    }
    if (fault !== 'stall') {
      socket.destroy()
      throw new ClientGone()
    }
    return new Promise((_, reject) => socket.once('close', () => reject(new ClientGone())).resume())
  }

  return {
    async line() {
      for (;;) {
        const end = rest.indexOf(10)
        if (end >= 0) {
          const line = rest.subarray(0, end)
          rest = rest.subarray(end + 1)
          return line.at(-1) === 13 ? line.subarray(0, -1) : line
        }
        if (rest.length > lineMax) throw new ClientGone()
        await more()
      }
    },

    async bytes(count) {
      if (count > bytesMax) throw new ClientGone()
      while (rest.length < count) await more()
      const bytes = rest.subarray(0, count)
      rest = rest.subarray(count)
      return bytes
    },

    async send(data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data
      const { at } = faults
      if (!at || sent + bytes.length <= at.byte) return write(bytes)
      await write(bytes.subarray(0, Math.max(0, at.byte - sent)))
      return fail(at.fault)
    },

    async encrypt() {
      if (!tls) throw new ClientGone()
      rest = Buffer.alloc(0) // what was sent before the handshake is not believed
      const plain = socket
      const encrypted = new TLSSocket(plain, { isServer: true, secureContext: createSecureContext(tls) })
      encrypted.on('error', () => plain.destroy())
      plain.on('close', () => encrypted.destroy())
      socket = encrypted
      isEncrypted = true
    },

    async misbehave(command, tag = '') {
      const wrong = faults.instead?.(command, tag)
      if (!wrong) return false
      if (typeof wrong === 'string') return fail(wrong)
      await this.send(wrong.say)
      return true
    },

    get isEncrypted() {
      return isEncrypted
    },
    get canEncrypt() {
      return tls?.from === 'STARTTLS' && !isEncrypted
    },
  }
}

/** Resolves when something arrives, or the connection ends. */
function happening(socket: Socket): Promise<void> {
  const events = ['readable', 'end', 'close', 'error']
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) socket.off(event, done)
      resolve()
    }
    for (const event of events) socket.on(event, done)
  })
}

const idleMs = 30 * 60_000
const lineMax = 64 * 1024
const bytesMax = 1024 * 1024
const connectionsMax = 100
