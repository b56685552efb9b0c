import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Config } from './config.ts'
import { createMeter, type Meter } from './core/meter.ts'
import type { Kept, Providers } from './core/provided.ts'
import { createCharge, createInFlight, createLimiter } from './core/rate-limit.ts'
import { createRunner, type Runner } from './core/run.ts'
import { createSeal } from './core/seal.ts'
import { openSecrets } from './core/secrets.ts'
import { tellings } from './core/subscriber.ts'
import type { Tracer } from './core/tracer.ts'
import { createUsage } from './core/usage.ts'
import { openPool, type Pool } from './db/pool.ts'
import { events } from './events.ts'
import { fileHome } from './file-home.ts'
import { createMetricsServer } from './http/metrics-server.ts'
import { createServer } from './http/server.ts'
import { subscribers } from './jobs.ts'
import { keyringOf } from './key-file.ts'
import { mountMcp } from './mcp/mount.ts'
import { operations } from './operations.ts'
import { createEgress } from './providers/egress.ts'
import { auditRefusals } from './providers/egress-audit.ts'
import { ecbSource } from './providers/exchange-rates.ts'
import { mailFor } from './providers/mail.ts'
import { openStorage } from './providers/storage.ts'
import { openTracer } from './providers/traces.ts'
import { readFigures } from './worker/figures.ts'

/** The API, ready to listen, and what it stands on. */
export type App = {
  server: FastifyInstance
  runner: Runner
  kept: Kept
  providers: Providers
  system: Pool
  confined: Pool
  meter: Meter
  tracer: Tracer | undefined
  /** `/metrics` and `/health` alone, for a process that serves nothing else. */
  metricsServer: () => FastifyInstance
  /** Answers what is under way and takes nothing new. */
  stopServing(): Promise<void>
  close(): Promise<void>
}

/** Builds the API over a database that is already migrated. */
export async function createApp(
  config: Config,
  database: pg.PoolConfig,
  { log }: { log?: Writable } = {},
): Promise<App> {
  const system = openPool(database, { confined: false, max: 4 })
  const secrets = await openSecrets(system, keyringOf(config), {
    alarm: (sentence) => server.log.warn(sentence),
  }).catch(async (error) => {
    await system.close()
    throw error
  })
  // Tokens of apps are for this address alone, and enter() asks the connection which one that is.
  const options = [database.options, `-c app.service=${config.url}`].filter(Boolean).join(' ')
  const confined = openPool({ ...database, options }, { confined: true, max: 12 })
  const kept: Kept = {
    secrets,
    charge: createCharge(config.rateLimitScale),
    installation: { mode: config.mode, url: config.url },
    catalog: { operations, events },
  }
  const egress = createEgress({
    mode: config.mode,
    allow: config.egressAllow,
    allowHttp: config.egressAllowHttp,
    audit: auditRefusals(system),
  })
  const providers: Providers = {
    mail: mailFor(config, system),
    egress,
    exchangeRates: config.exchangeRatesUrl ? ecbSource(config.exchangeRatesUrl, egress) : undefined,
    storage: await openStorage({ dataDir: config.dataDir, s3Url: config.s3Url, home: await fileHome(system) }),
    run: (operation, call) => runner.run(operation, call),
  }
  const meter = createMeter({ confined, system })
  const tracer = await openTracer(config.otlpEndpoint, (sentence) => server.log.warn(sentence))
  const limiter = createLimiter(system, config.rateLimitScale)
  const usage = createUsage(system, (error) =>
    server.log.error({ err: error }, 'The usage of API keys could not be written; it is kept for the next try.'),
  )
  const inFlight = createInFlight({ perCredential: 100, perOrganization: 200 })
  const runner: Runner = createRunner({
    pool: confined,
    limiter,
    inFlight,
    usage,
    tellings: tellings(subscribers),
    kept,
    providers,
    seal: createSeal(secrets.derived('idempotency')),
    tracer,
  })
  const measured = { config, limiter, meter, figures: () => readFigures(system) }
  const server: FastifyInstance = await createServer({
    ...measured,
    operations,
    runner,
    usage,
    kept,
    storage: providers.storage,
    system,
    tracer,
    confined,
    egress: providers.egress,
    ...(log && { log }),
  })
  mountMcp(server, { config, operations, runner, limiter, usage, confined })
  return {
    server,
    runner,
    kept,
    providers,
    system,
    confined,
    meter,
    tracer,
    metricsServer: () => createMetricsServer(measured),
    stopServing: () => drain(server),
    async close() {
      await drain(server)
      await usage.close()
      providers.mail.close()
      await tracer?.close()
      await Promise.all([confined.close(), system.close()])
    },
  }
}

/**
 * Answers what is under way and ends. For a moment new requests are still answered, each with a word that its connection
 * closes (http/mount.ts), so that clients leave by themselves; connections that then fall idle are not waited for.
 */
async function drain(server: FastifyInstance) {
  server.draining = true
  await sleep(server.server.listening ? leavingMs : 0)
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  await server.close()
  clearInterval(sweep)
}

const leavingMs = 500
