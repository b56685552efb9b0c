import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { crontab, jobs, subscribers } from '../../catalog/jobs.ts'
import { type Config, startWarnings } from '../../config/config.ts'
import { subscriberJobs } from '../../core/define/subscriber.ts'
import { openQueuePool } from '../../db/pool.ts'
import { checkServer, connectionsSentence } from '../../db/server-checks.ts'
import { StartFailure } from '../../db/start-failure.ts'
import { demoAccess } from '../../demo/demo.ts'
import { companiesBeingFilled, fillDemoCompanies } from '../../demo/fill-companies.ts'
import { storeBundledRates } from '../../features/books/exchange-rates/bundled.ts'
import type { WorkerDependencies } from '../../worker/execute.ts'
import { startWorker, type Worker } from '../../worker/worker.ts'
import { type App, createApp } from '../app.ts'
import type { Say } from '../say.ts'
import { writeDemoEnv } from './demo-env.ts'
import { openDatabase, prepare, whenReady } from './open-database.ts'
import { connectionsOf } from './pools.ts'
import { listening, onFreePort } from './port.ts'
import { noteAddress } from './running.ts'
import { scheduleBackups } from './scheduled-backups.ts'
import { type Stopping, untilStopped } from './stop-on-signals.ts'
import { handleUncaughtErrors } from './uncaught-errors.ts'
import { welcome } from './welcome.ts'
import { giveUpLostSecrets } from './without-secrets.ts'

const drainMs = 20_000

type StartOptions = {
  withWorker: boolean
  /** Marks what a missing key encrypted as lost, and starts with a new key. */
  withoutSecrets?: boolean
}

/** Runs the API, and a worker if asked, until a signal stops it. */
export const start = (given: Config, say: Say, options: StartOptions): Promise<void> =>
  untilStopped(say, (stopping) => serve(given, say, { ...options, stopping }))

async function serve(
  given: Config,
  say: Say,
  { withWorker, withoutSecrets = false, stopping }: StartOptions & { stopping: Stopping },
) {
  const began = Date.now()
  const { signal } = stopping
  const config = await onFreePort(given) // before a database is created in vain
  const database = await openDatabase(config, say, signal)
  stopping.first(database.stop)
  try {
    await prepare(database.config, say, config.migrationWaitS)
    if (withoutSecrets) await whenReady(say, () => giveUpLostSecrets(config, database.config, say))
    signal.throwIfAborted()
    const app = await whenReady(say, () => createApp(config, database.config))
    stopping.first(app.close)
    await whenReady(say, () => requireServer(config, app, say, { withWorker }))
    await requireStorage(config, app)
    if (!config.exchangeRatesUrl) await whenReady(say, () => app.system.use(storeBundledRates))
    const access = await whenReady(say, () => demoAccess(config, app, say))
    if (access)
      app.server.get('/demo', { config: { open: true } }, async () => ({
        beingFilled: await companiesBeingFilled(app.system),
      }))
    signal.throwIfAborted()
    await listening(config, () => app.server.listen({ host: config.host, port: config.port }))
    const worker = withWorker ? await whenReady(say, () => startWorkerOn(config, database.config, app)) : undefined
    const backups = await whenReady(say, () => scheduleBackups(config, database.config, app))
    stopping.first(() => withDrainLimit(Promise.all([app.stopServing(), worker?.stop(), backups.stop()])))
    const forgetAddress = noteAddress(config)
    stopping.first(async () => forgetAddress())
    handleUncaughtErrors(app.server.log, stopping.stop)
    signal.throwIfAborted()
    const demo = access && {
      access,
      envFile: writeDemoEnv(config, access),
      beingFilled: withWorker ? await companiesBeingFilled(app.system) : [],
    }
    say(welcome(config, demo, Date.now() - began))
    for (const warning of startWarnings(config)) say(`Warning: ${warning}`)
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** Runs a worker without an API, on a shared database. */
export const workOnly = (config: Config, say: Say): Promise<void> =>
  untilStopped(say, async (stopping) => {
    const { signal } = stopping
    const database = await openDatabase(config, say, signal)
    await prepare(database.config, say, config.migrationWaitS)
    signal.throwIfAborted()
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL) // what it does comes after requests
    const app = await whenReady(say, () => createApp(config, database.config, { servesRequests: false }))
    stopping.first(app.close)
    const state = { isWorking: false }
    const metrics = await serveMetrics(config, app, () => state.isWorking)
    stopping.first(async () => metrics?.close())
    await whenReady(say, () => requireServer(config, app, say, { withWorker: true }))
    signal.throwIfAborted()
    const worker = await whenReady(say, () => startWorkerOn(config, database.config, app))
    state.isWorking = true
    const backups = await whenReady(say, () => scheduleBackups(config, database.config, app))
    stopping.first(() => {
      state.isWorking = false
      return withDrainLimit(Promise.all([worker.stop(), backups.stop()]))
    })
    handleUncaughtErrors(app.server.log, stopping.stop)
    signal.throwIfAborted()
    say(`The worker is running in ${config.mode} mode, because ${config.modeBecause}. Ctrl+C stops it.`)
  })

/** A worker without an API serves its metrics on a port of its own. */
async function serveMetrics({ host, metricsPort: port }: Config, app: App, isWorking: () => boolean) {
  if (port === undefined) return undefined
  const server = app.metricsServer(isWorking)
  await listening({ host, port, setting: 'METRICS_PORT' }, () => server.listen({ host, port }))
  return server
}

/** Checks the database server, and says how many connections this process may open if the server is the operator's own. */
async function requireServer(
  { mode, durableStorage, pools, databaseUrl }: Config,
  { confined }: App,
  say: Say,
  { withWorker }: { withWorker: boolean },
) {
  const kinds = connectionsOf(pools)
  const connections = withWorker ? kinds.worker : kinds.api
  const strict = mode === 'strict'
  const { connectionsMax } = await checkServer(confined, { strict, durableStorage, connections, say })
  if (databaseUrl) say(connectionsSentence({ connections, connectionsMax, kinds }))
}

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

/** Of the connections of the queue one listens and one is spare: jobs are fetched with the others. */
const queueOverhead = 2

/** The worker's own connections. */
async function startWorkerOn({ pools }: Config, database: pg.PoolConfig, app: App): Promise<Worker> {
  const pool = openQueuePool(database, pools.queue)
  const { log, outages } = app.server
  const logError: WorkerDependencies['logError'] = (error, what, job) => {
    if (!outages?.cover(error)) log.error({ err: error, ...job }, what)
    else if (job) log.error({ reason: error instanceof Error ? error.message : String(error), ...job }, what)
  }
  const starting = startWorker(pool, {
    ...app,
    jobs: [...jobs, fillDemoCompanies],
    crontab,
    concurrency: pools.queue - queueOverhead,
    logError,
    subscriberJobs: subscriberJobs(subscribers),
  })
  const worker = await starting.catch(async (error) => {
    await pool.end()
    throw error
  })
  return {
    async stop() {
      await worker.stop()
      await pool.end()
    },
  }
}
