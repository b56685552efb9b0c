import { connect, createServer, type Socket } from 'node:net'
import type pg from 'pg'

/** A wire between a process and PostgreSQL that a test can let go dead. */
export type Proxy = {
  host: string
  port: number
  /** From now on not a byte passes, on any connection, and nobody is told. */
  goDead(): void
  /** New connections pass again. Those from before stay dead: whoever holds one must find out by their own clock. */
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
