import type { FastifyInstance } from 'fastify'

const tickMs = 250
const windowMs = 5_000
const blockedMaxMs = 1_600

/**
 * Reports whether the event loop was blocked for about two of the last five seconds, by long computations or a lack of
 * processor time: requests queue up, so a load balancer should send new ones elsewhere. A single stall of a second is over
 * when it is noticed, and taking the process out of service for it would only move its requests to others.
 */
export function watchStalls(app: FastifyInstance): () => boolean {
  const stalls = createStalls()
  app.addHook('onListen', async () => {
    stalls.tick(performance.now())
    setInterval(() => stalls.tick(performance.now()), tickMs).unref()
  })
  return () => stalls.isBlocked(performance.now())
}

/** How long the event loop was blocked, from the times of ticks that should be `tickMs` apart. */
export function createStalls() {
  let last: number | undefined
  let found: { at: number; ms: number }[] = []
  return {
    tick(now: number) {
      const lateMs = last === undefined ? 0 : now - last - tickMs
      if (lateMs > tickMs) found.push({ at: now, ms: lateMs })
      last = now
    },
    isBlocked(now: number): boolean {
      found = found.filter(({ at }) => now - at < windowMs)
      return found.reduce((sum, { ms }) => sum + ms, 0) > blockedMaxMs
    },
  }
}
