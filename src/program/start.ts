import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { crontab, jobs, subscribers } from '../catalog/jobs.ts'
import { type Config, startWarnings } from '../config/config.ts'
import { subscriberJobs } from '../core/define/subscriber.ts'
import { openQueuePool, queueConnections } from '../db/pool.ts'
import { checkServer } from '../db/server-checks.ts'
import { StartFailure } from '../db/start-failure.ts'
import { demoAccess } from '../demo/demo.ts'
import { storeBundledRates } from '../features/exchange-rates/bundled.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import { type App, createApp } from './app.ts'
import { openDatabase, prepare } from './open-database.ts'
import { poolConnections } from './pools.ts'
import { listening, onFreePort } from './port.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { handleUncaughtErrors } from './uncaught-errors.ts'
import { welcome } from './welcome.ts'
import { giveUpLostSecrets } from './without-secrets.ts'

type Say = (line: string) => void

const drainMs = 20_000

type StartOptions = {
  withWorker: boolean
  /** Marks what a missing key encrypted as lost, and starts with a new key. */
  withoutSecrets?: boolean
}

/** Runs the API, and a worker if asked, until a signal stops it. */
export async function start(
  given: Config,
  say: Say,
  { withWorker, withoutSecrets = false }: StartOptions,
): Promise<void> {
  const began = Date.now()
  const config = await onFreePort(given) // before a database is created in vain
  const database = await openDatabase(config, say)
  const stopping = { begun: false }
  try {
    await prepare(database.config, say)
    if (withoutSecrets) await giveUpLostSecrets(config, database.config, say)
    const app = await createApp(config, database.config)
    await checkServer(app.confined, expectations(config, say, { withWorker }))
    await requireStorage(config, app)
    if (!config.exchangeRatesUrl) await app.system.use(storeBundledRates)
    const demo = await demoAccess(config, app, say)
    await listening(config, () => app.server.listen({ host: config.host, port: config.port }))
    const worker = withWorker ? await startWorkerOn(database.config, app) : undefined
    const stop = async () => {
      await withDrainLimit(Promise.all([app.stopServing(), worker?.stop()]))
      await app.close()
      await database.stop()
    }
    stopOnSignals(stopping, say, stop)
    handleUncaughtErrors(app.server.log, stop)
    say(welcome(config, demo, Date.now() - began))
    for (const warning of startWarnings(config)) say(`Warning: ${warning}`)
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** Runs a worker without an API, on a shared database. */
export async function workOnly(config: Config, say: Say): Promise<void> {
  const database = await openDatabase(config, say)
  await prepare(database.config, say)
  const app = await createApp(config, database.config)
  const metrics = await serveMetrics(config, app)
  await checkServer(app.confined, expectations(config, say, { withWorker: true }))
  const worker = await startWorkerOn(database.config, app)
  const stop = async () => {
    await withDrainLimit(worker.stop())
    await metrics?.close()
    await app.close()
  }
  stopOnSignals({ begun: false }, say, stop)
  handleUncaughtErrors(app.server.log, stop)
  say(`The worker is running in ${config.mode} mode, because ${config.modeBecause}. Ctrl+C stops it.`)
}

/** A worker without an API serves its metrics on a port of its own. */
async function serveMetrics({ host, metricsPort: port }: Config, app: App) {
  if (port === undefined) return undefined
  const server = app.metricsServer()
  await listening({ host, port, setting: 'METRICS_PORT' }, () => server.listen({ host, port }))
  return server
}

/** What the database server must provide. `connections` is the sum of the pools of the app and of the worker below. */
const expectations = ({ mode, durableStorage }: Config, say: Say, { withWorker }: { withWorker: boolean }) => ({
  strict: mode === 'strict',
  durableStorage,
  connections: poolConnections + (withWorker ? queueConnections : 0),
  say,
})

/** Refuses to start in strict mode if the file store refuses writes. A store that cannot be reached may come back later. */
async function requireStorage({ mode, s3Url }: Config, { providers, server }: App) {
  if (mode !== 'strict') return
  const place = s3Url ? 'the store of S3_URL' : 'the folder files in KONTOR_DATA'
  await providers.storage.check().catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const refused = !s3Url || (cause instanceof Error && 'status' in cause && Number(cause.status) < 500)
    const sentence = `Files cannot be kept in ${place}: ${cause instanceof Error ? cause.message : cause}.`
    if (refused) throw new StartFailure(`${sentence} Check that Kontor may write there.`)
    server.log.error({ err: error }, sentence)
  })
}

const withDrainLimit = (work: Promise<unknown>) => Promise.race([work, sleep(drainMs, undefined, { ref: false })])

/** The worker's own connections: one to listen, one for each job it fetches at the same time. */
async function startWorkerOn(database: pg.PoolConfig, app: App): Promise<Worker> {
  const pool = openQueuePool(database)
  const logError = (error: unknown, what: string) => app.server.log.error({ err: error }, what)
  const worker = await startWorker(pool, {
    ...app,
    jobs,
    crontab,
    logError,
    subscriberJobs: subscriberJobs(subscribers),
  })
  return {
    async stop() {
      await worker.stop()
      await pool.end()
    },
  }
}
