import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { unauthenticated } from '../../core/define/failure.ts'
import { type Figure, figuresPage, type Metrics, pageType } from '../../core/observe/metrics.ts'
import type { Limiter } from '../../core/run/rate-limit.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { sha256 } from '../../core/values/id.ts'
import { rateLimitAddress } from '../../core/values/rate-limit-address.ts'

export type Measured = {
  config: Config
  limiter: Limiter
  meter: Metrics
  /** What the database knows: the queue, the workers, the mail. */
  figures: () => Promise<Figure[]>
}

/** A scraper waits ten seconds as a rule; the page must not wait for a database that is gone. */
const patienceMs = 2_000

/** `/metrics` for Prometheus: open to whoever has METRICS_TOKEN; without one, on a local copy to all and else to nobody. */
export function mountMetrics(app: FastifyInstance, { config, limiter, meter, figures }: Measured) {
  const { metricsToken: token } = config
  if (!token && config.mode === 'strict') return
  const read = oneAtATime(figures)
  app.get('/metrics', { config: { open: true } }, async (request, reply) => {
    if (token && !brings(token, request)) {
      await limiter.take('unauthenticated', rateLimitAddress(request.ip))
      throw unauthenticated('Send the METRICS_TOKEN of this server: Authorization: Bearer <token>.')
    }
    const stored = await withinPatience(read()).catch((error: unknown) => {
      app.log.warn({ err: error }, 'The figures of the database could not be read.')
      return undefined
    })
    const text = [await meter.page(), await figuresPage([databaseUp(stored), ...(stored ?? [])])].join('\n')
    return reply.type(pageType).header('cache-control', 'no-store').send(text)
  })
}

function brings(token: Secret, { headers }: FastifyRequest): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(sha256(given), sha256(token.reveal())) // hashes, so that neither length nor letters show
}

/** However many ask: one reading is under way, and all get it. */
function oneAtATime<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

async function withinPatience<T>(reading: Promise<T>): Promise<T> {
  const given = new AbortController()
  const late = sleep(patienceMs, undefined, { signal: given.signal }).then(() => {
    throw new Error(`The database gave no figures within ${patienceMs} ms.`)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    late.catch(() => {})
    given.abort()
  }
}

const databaseUp = (stored: Figure[] | undefined): Figure => ({
  name: 'kontor_database_up',
  help: 'Whether the database gave its figures in time; without them the page ends here.',
  samples: [{ value: stored ? 1 : 0 }],
})
