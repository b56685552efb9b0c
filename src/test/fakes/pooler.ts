import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'

/** What a pooler does with connections: lends them for a session or a transaction, and passes their options on or not. */
export type PoolerKind = { lends: 'sessions' | 'transactions'; options: 'passed' | 'dropped' | 'refused' }

type Message = { type: string; bytes: Buffer }
type Startup = { parameters: [string, string][]; bytes: Buffer }

const sslRequest = 80877103

/** A pooler in front of a PostgreSQL with a local socket, as far as tests need one. */
export async function startPooler({ host, port }: pg.PoolConfig, kind: PoolerKind, ownPort = 0) {
  const sockets = new Set<Socket>()
  const idle: Socket[] = []
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)))
    return socket
  }
  const openServer = () => keep(connect(`${host}/.s.PGSQL.${port}`))

  const server = createServer(async (client) => {
    keep(client)
    const startup = await readStartup(client)
    const hasOptions = startup.parameters.some(([name]) => name === 'options')
    if (kind.options === 'refused' && hasOptions) {
      client.end(refusal)
      return
    }
    const sent = kind.options === 'passed' ? startup.bytes : withoutOptions(startup)
    if (kind.lends === 'sessions') {
      const lent = openServer()
      lent.write(sent)
      client.pipe(lent).on('close', () => client.destroy())
      client.on('close', () => lent.destroy())
      onMessages(lent, (message) => client.write(withOtherKey(message)))
    } else await lendTransactions(client, sent, { idle, openServer })
  })
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Servers = { idle: Socket[]; openServer: () => Socket }

/** The connection goes back when PostgreSQL is ready outside a transaction; the one given back last is lent next. */
async function lendTransactions(client: Socket, startup: Buffer, { idle, openServer }: Servers) {
  let lent: Socket | undefined
  const opened = async () => {
    const server = openServer()
    const greeting: Buffer[] = []
    server.write(startup)
    await new Promise<void>((resolve) => {
      onMessages(server, (message) => {
        greeting.push(withOtherKey(message))
        if (message.type === 'Z' || message.type === 'E') resolve()
      })
    })
    return { server, greeting: Buffer.concat(greeting) }
  }
  const { server, greeting } = await opened()
  idle.push(server)
  client.write(greeting)
  client.on('data', async (bytes) => {
    client.pause()
    lent ??= idle.pop() ?? (await opened()).server
    const current = lent
    onMessages(current, (message) => {
      client.write(message.bytes)
      if (message.type !== 'Z' || message.bytes.at(-1) !== idleState || lent !== current) return
      lent = undefined
      idle.push(current)
    })
    current.write(bytes)
    client.resume()
  })
}

const idleState = 'I'.charCodeAt(0)

function readStartup(client: Socket): Promise<Startup> {
  return new Promise((resolve) => {
    const read = (bytes: Buffer) => {
      if (bytes.readInt32BE(4) === sslRequest) return void client.write('N')
      client.off('data', read)
      const words = bytes.subarray(8).toString().split('\0')
      const parameters = words.flatMap((name, at) =>
        at % 2 === 0 && name !== '' ? [[name, words[at + 1] ?? ''] as [string, string]] : [],
      )
      resolve({ parameters, bytes })
    }
    client.on('data', read)
  })
}

function withoutOptions({ parameters, bytes }: Startup): Buffer {
  const kept = parameters.filter(([name]) => name !== 'options')
  const content = Buffer.from(`${kept.map(([name, value]) => `${name}\0${value}\0`).join('')}\0`)
  const head = Buffer.from(bytes.subarray(0, 8))
  head.writeInt32BE(content.length + 8, 0)
  return Buffer.concat([head, content])
}

/** Calls `receive` with every whole message of PostgreSQL, in place of the one who received them before. */
function onMessages(server: Socket, receive: (message: Message) => void) {
  let rest: Buffer = Buffer.alloc(0)
  server.removeAllListeners('data')
  server.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1
      receive({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
    }
  })
}

/** A pooler has keys of its own, with which queries are cancelled. */
function withOtherKey({ type, bytes }: Message): Buffer {
  if (type !== 'K') return bytes
  const other = Buffer.from(bytes)
  other.writeInt32BE(1, 5)
  return other
}

const refusal = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: options\0\0')
  const head = Buffer.from([0x45, 0, 0, 0, 0])
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
})()
