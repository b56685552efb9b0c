import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { crontab, jobs, subscribers } from '../catalog/jobs.ts'
import { type Config, startWarnings } from '../config/config.ts'
import { subscriberJobs } from '../core/define/subscriber.ts'
import { rotate } from '../core/secrets/rotate.ts'
import { openSecrets } from '../core/secrets/secrets.ts'
import { findEmbedded, hasEmbedded, startEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { type DatabaseConfig, openPool, openQueuePool, queueConnections, resilientPool } from '../db/pool.ts'
import { checkServer } from '../db/server-checks.ts'
import { StartFailure } from '../db/start-failure.ts'
import { type DemoAccess, demoAccess } from '../demo/demo.ts'
import { storeBundledRates } from '../features/exchange-rates/bundled.ts'
import { readObservations, report, verify } from '../verify/verify.ts'
import { startWorker, type Worker } from '../worker/worker.ts'
import { type App, createApp } from './app.ts'
import { keyringOf } from './key-file.ts'
import { poolConnections } from './pools.ts'
import { listening, onFreePort } from './port.ts'
import { handleUncaughtErrors } from './uncaught-errors.ts'

type Say = (line: string) => void

/** A database: the embedded one, or one of the operator. */
type Database = { config: DatabaseConfig; stop(): Promise<void> }

const drainMs = 20_000
const oldestMajor = 15

/** Runs the API, and a worker if asked, until a signal stops it. */
export async function start(given: Config, say: Say, { withWorker }: { withWorker: boolean }): Promise<void> {
  const began = Date.now()
  const config = await onFreePort(given) // before a database is created in vain
  const database = await openDatabase(config, say)
  const stopping = { begun: false }
  try {
    await prepare(database.config, say)
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

export async function migrateOnly(config: Config, say: Say): Promise<void> {
  const database = await openDatabase(config, say)
  try {
    await prepare(database.config, say)
    say('The database has this version.')
  } finally {
    await database.stop()
  }
}

/** Fills an empty database with the demo companies, in any mode. */
export async function seedOnly(config: Config, say: Say): Promise<void> {
  const database = await openDatabase(config, say)
  try {
    await prepare(database.config, say)
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const demo = await demoAccess({ ...config, mode: 'local', demo: true }, app, say)
    await app.close()
    say(demo ? `Sign in as ${demo.email} with ${demo.password}.` : 'The database is not empty, so nothing was added.')
  } finally {
    await database.stop()
  }
}

/** Checks every invariant. Returns true if all hold. */
export async function verifyOnly(config: Config, say: Say): Promise<boolean> {
  const database = await openExisting(config, say)
  try {
    await prepare(database.config, say)
    const app = await createApp({ ...config, logLevel: 'warn' }, database.config)
    const violations = await verify({ system: app.system, storage: app.providers.storage })
    const observed = await readObservations(app.system)
    await app.close()
    say(report(violations, observed))
    return violations.length === 0
  } finally {
    await database.stop()
  }
}

/** Wraps all keys with the first one of KONTOR_SECRETS_KEY; with `data`, also encrypts every secret with a new key. */
export async function rotateOnly(config: Config, { data }: { data: boolean }, say: Say): Promise<void> {
  const database = await openExisting(config, say)
  const pool = openPool(database.config, { confined: false, max: 3 })
  try {
    await prepare(database.config, say)
    const keyring = keyringOf(config)
    await openSecrets(pool, keyring)
    const { unreadable } = await rotate({ pool, keyring, data, say })
    if (unreadable.length > 0) {
      throw new StartFailure(
        `All but ${unreadable.length} values were encrypted again. These cannot be decrypted, and their old keys are kept: ${unreadable.slice(0, 20).join(', ')}.`,
      )
    }
    say(`All values use the key ${keyring.current.id}; other keys can be removed from KONTOR_SECRETS_KEY.`)
  } finally {
    await pool.close()
    await database.stop()
  }
}

/** Opens an existing database, also while another Kontor runs on its data folder. */
export async function openExisting(config: Config, say: Say): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !hasEmbedded(dataDir)) {
    throw new StartFailure(`There is no database in ${dataDir}: set KONTOR_DATA or DATABASE_URL.`)
  }
  const running = databaseUrl ? undefined : await findEmbedded(dataDir)
  return running ? { config: running, stop: async () => {} } : openDatabase(config, say)
}

export async function openDatabase({ databaseUrl, dataDir }: Config, say: Say): Promise<Database> {
  if (databaseUrl) return { config: { connectionString: databaseUrl }, stop: async () => {} }
  const { config, stop } = await startEmbedded({ dataDir, say })
  return { config, stop }
}

/** Waits for the database, refuses a PostgreSQL that is too old, and migrates the database to this version. */
async function prepare(config: pg.PoolConfig, say: Say) {
  const pool = resilientPool({ ...config, max: 3, connectionTimeoutMillis: 5_000 })
  try {
    await reach(pool, say)
    await migrate(pool, say)
  } finally {
    await pool.end()
  }
}

/** Waits for the database and refuses one that is too old. */
export async function reach(pool: pg.Pool, say: Say): Promise<void> {
  const major = Math.floor((await serverVersion(pool, say)) / 10_000)
  if (major < oldestMajor)
    throw new StartFailure(`DATABASE_URL points at PostgreSQL ${major}; Kontor needs ${oldestMajor} or newer.`)
}

async function serverVersion(pool: pg.Pool, say: Say): Promise<number> {
  for (let tries = 10; ; tries--) {
    try {
      const { rows } = await pool.query<{ version: string }>("select current_setting('server_version_num') as version")
      return Number(rows[0]?.version)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (tries === 1)
        throw new StartFailure(
          `The database cannot be reached (${reason}). Check DATABASE_URL and that the server runs.`,
        )
      say(`Waiting for the database: ${reason}`)
      await sleep(1_500)
    }
  }
}

/** Ctrl+C or a deploy: finish what is under way, then end. A second Ctrl+C ends at once. */
function stopOnSignals(stopping: { begun: boolean }, say: Say, stop: () => Promise<void>) {
  const onSignal = async () => {
    if (stopping.begun) process.exit(1)
    stopping.begun = true
    say('Stopping.')
    await stop()
    process.exit(0)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

function welcome(
  { url, dataDir, databaseUrl, mode, modeBecause, egressAllow, egressAllowHttp }: Config,
  demo: DemoAccess | undefined,
  tookMs: number,
) {
  const curl = demo && `curl -H "Authorization: Bearer ${demo.apiKey}" ${url}/api/customers`
  const rows = [
    ['Web', url],
    ['Reference', `${url}/docs`],
    ['MCP', `${url}/mcp, or kontor mcp for agents that speak over pipes`],
    ...(demo
      ? [
          ['Sign in', `${demo.email}  ${demo.password}`],
          ['API key', demo.apiKey],
        ]
      : []),
    ['Data', databaseUrl ? 'the database in DATABASE_URL' : dataDir],
    ['Mode', `${mode}, because ${modeBecause}`],
    ...(egressAllow.length > 0 ? [['Egress', `also open to ${egressAllow.join(', ')}`]] : []),
    ...(egressAllowHttp ? [['Egress', 'plain http is open']] : []),
    ...(curl ? [['Try', curl]] : []),
  ] as const
  const lines = rows.map(([title, text]) => `  ${title?.padEnd(11)}${text}`)
  const insecure =
    mode === 'strict' && url.startsWith('http:')
      ? '\n\n  Sessions travel over plain http: put https in front and set KONTOR_URL.'
      : ''
  return `\nKontor is ready (${(tookMs / 1000).toFixed(1)} s).\n\n${lines.join('\n')}${insecure}\n\nCtrl+C stops it.`
}
