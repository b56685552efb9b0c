import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Stops the server. New connections are refused at once, which a proxy meets before it has sent anything, so that it may send even
 * a write to another process. For a moment requests on open connections are still answered, with `connection: close`
 * (mount.ts), so that clients and proxies close them by themselves: on a connection that is closed here while a request is on
 * its way nobody knows whether it was done. A proxy has longer, in which it closes what it does not use. Then running requests
 * are answered and idle connections closed.
 */
export async function drain(server: FastifyInstance, { proxied }: { proxied: boolean }) {
  if (server.server.listening) {
    await afterAccepting(server.server)
    NetServer.prototype.close.call(server.server) // that of http would close idle connections too
    server.draining = true
    await sleep(leavingMs)
    if (proxied) await untilLeft(server, performance.now() + proxyLeavingMs)
  }
  server.draining = true
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  await server.close()
  clearInterval(sweep)
}

/**
 * Waits until no connection waits to be accepted: those that wait when the server closes are cut off, with the request that a
 * proxy has sent on them. The event loop accepts one in each turn, so two short turns without one show that none waits: the first
 * may be the end of a turn that began before. One that arrives between the last turn and the close is lost all the same: the
 * proxy sends its request again (deploy/nginx.conf).
 */
async function afterAccepting(server: FastifyInstance['server']) {
  let quietTurns = 0
  const note = (_: Socket) => {
    quietTurns = -1
  }
  server.on('connection', note)
  const deadline = performance.now() + acceptingMs
  while (quietTurns < 2 && performance.now() < deadline) {
    const startedAt = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    quietTurns = performance.now() - startedAt < shortTurnMs ? quietTurns + 1 : 0
  }
  server.off('connection', note)
}

async function untilLeft({ server }: FastifyInstance, deadline: number) {
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count = 0) => resolve(count)))
  while (performance.now() < deadline && (await open()) > 0) await sleep(20)
}

const acceptingMs = 2_000
const shortTurnMs = 0.3
const leavingMs = 500
/** Longer than a proxy keeps an unused connection: `keepalive_timeout` of the upstream in deploy/nginx.conf. */
const proxyLeavingMs = 3_000
