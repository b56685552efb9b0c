import type { FastifyInstance } from 'fastify'

const tickMs = 250
const stallMs = 1_000
const notReadyMs = 3_000

/**
 * Reports whether the event loop was blocked for more than a second within the last `notReadyMs`, by a long computation or
 * a lack of processor time. Requests have queued up meanwhile, so a load balancer should send new ones elsewhere.
 */
export function watchStalls(app: FastifyInstance): () => boolean {
  let stalledAt = Number.NEGATIVE_INFINITY
  app.addHook('onListen', async () => {
    let last = performance.now()
    const tick = () => {
      const now = performance.now()
      if (now - last > tickMs + stallMs) stalledAt = now
      last = now
    }
    setInterval(tick, tickMs).unref()
  })
  return () => performance.now() - stalledAt < notReadyMs
}
