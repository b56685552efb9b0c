import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'

/** A proxy in front of PostgreSQL that a test can make silent. */
export type Proxy = {
  host: string
  port: number
  /** Stops passing bytes on every connection, without closing any. */
  goDead(): void
  /** Lets new connections pass. The old ones stay silent, so that their holders must time out. */
  mend(): void
  close(): Promise<void>
}

export async function proxyTo({ host, port }: pg.PoolConfig): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let dead = false
  const server = createServer({ pauseOnConnect: true }, (near) => {
    keep(near)
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
