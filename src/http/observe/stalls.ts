import type { FastifyInstance } from 'fastify'

const tickMs = 250
const stallMs = 1_000
const redMs = 3_000

/**
 * Tells whether this process stood still for more than a second just now, by a computation that let nothing else run or
 * for want of a processor. Requests have piled up meanwhile: new ones had better go elsewhere for a moment.
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
  return () => performance.now() - stalledAt < redMs
}
