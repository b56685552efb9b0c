import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'

/** A proxy in front of PostgreSQL that a test can make silent. */
export type Proxy = {
  host: string
  port: number
  /** Stops passing bytes on every connection, without closing any. */
  goDead(): void
  /** Refuses these connections, counted from 1, as PostgreSQL does while it starts (57P03). */
  refuseAsStarting(...connections: number[]): void
  /** How many connections were opened, also those that were refused. */
  readonly connections: number
  /** Lets new connections pass. The old ones stay silent, so that their holders must time out. */
  mend(): void
  close(): Promise<void>
}

export async function proxyTo({ host, port }: pg.PoolConfig): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let dead = false
  let connections = 0
  const refused = new Set<number>()
  const server = createServer({ pauseOnConnect: true }, (near) => {
    keep(near)
    connections++
    if (refused.has(connections)) return refuse(near)
    if (dead) return
    const far = connect(`${host}/.s.PGSQL.${port}`)
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    host: '127.0.0.1',
    port: typeof address === 'object' && address ? address.port : 0,
    refuseAsStarting(...which) {
      for (const each of which) refused.add(each)
    },
    get connections() {
      return connections
    },
    goDead() {
      dead = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    mend() {
      dead = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers the first message of a connection with an error, and closes it. */
function refuse(socket: Socket) {
  const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0')
  const text = Buffer.from(`${fields}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(text.length + 4, 1)
  socket.once('data', () => socket.end(Buffer.concat([head, text]))).resume()
}
