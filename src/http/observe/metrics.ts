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

export type MetricsDependencies = {
  config: Config
  limiter: Limiter
  meter: Metrics
  /** Figures read from the database: queue, workers, mail. */
  figures: () => Promise<Figure[]>
}

/** Prometheus gives up after ten seconds by default, so a database that does not answer must not delay the page. */
const databaseTimeoutMs = 2_000

/** `/metrics` for Prometheus, protected by METRICS_TOKEN. Without a token it is open in local mode and absent in strict mode. */
export function mountMetrics(app: FastifyInstance, { config, limiter, meter, figures }: MetricsDependencies) {
  const { metricsToken: token } = config
  if (!token && config.mode === 'strict') return
  const read = sharePending(figures)
  app.get('/metrics', { config: { open: true } }, async (request, reply) => {
    if (token && !hasToken(token, request)) {
      await limiter.take('unauthenticated', rateLimitAddress(request.ip))
      throw unauthenticated('Send the METRICS_TOKEN of this server: Authorization: Bearer <token>.')
    }
    const databaseFigures = await withTimeout(read()).catch((error: unknown) => {
      if (!app.outages?.cover(error)) app.log.warn({ err: error }, 'The metrics of the database could not be read.')
      return undefined
    })
    const text = [
      await meter.page(),
      await figuresPage([databaseUp(databaseFigures), ...(databaseFigures ?? [])]),
    ].join('\n')
    return reply.type(pageType).header('cache-control', 'no-store').send(text)
  })
}

function hasToken(token: Secret, { headers }: FastifyRequest): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(sha256(given), sha256(token.reveal())) // compares hashes, so timing reveals neither length nor content
}

/** Callers that ask while a read is pending share its result. */
function sharePending<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

async function withTimeout<T>(reading: Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = sleep(databaseTimeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`The database did not return its metrics within ${databaseTimeoutMs} ms.`)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    late.catch(() => {})
    timer.abort()
  }
}

const databaseUp = (databaseFigures: Figure[] | undefined): Figure => ({
  name: 'kontor_database_up',
  help: 'Whether the database gave its figures in time; without them the page ends here.',
  samples: [{ value: databaseFigures ? 1 : 0 }],
})
