import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { startEmbedded } from './db/embedded.ts'
import { StartFailure } from './db/embedded-failure.ts'
import { migrate } from './db/migrate.ts'
import { type DemoAccess, demoAccess } from './demo/demo.ts'

type Say = (line: string) => void

/** A database to work on, whoever runs it. */
type Database = { config: pg.PoolConfig; stop(): Promise<void> }

const drainMs = 20_000
const oldestMajor = 15

/** Runs the API until it is told to stop. */
export async function start(config: Config, say: Say): Promise<void> {
  const began = Date.now()
  const database = await openDatabase(config, say)
  const stopping = { begun: false }
  try {
    await prepare(database.config, say)
    const app = await createApp(config, database.config)
    const demo = await demoAccess(config, app, say)
    await listen(app.server.listen({ host: config.host, port: config.port }), config)
    stopOnSignals(stopping, say, async () => {
      await Promise.race([app.close(), sleep(drainMs, undefined, { ref: false })])
      await database.stop()
    })
    say(welcome(config, demo, Date.now() - began))
  } catch (error) {
    await database.stop()
    throw error
  }
}

export async function migrateOnly(config: Config, say: Say): Promise<void> {
  const database = await openDatabase(config, say)
  try {
    await prepare(database.config, say)
    say('The database is at this version.')
  } finally {
    await database.stop()
  }
}

/** Fills an empty database with the demo companies, whatever the mode. */
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

async function openDatabase({ databaseUrl, dataDir }: Config, say: Say): Promise<Database> {
  if (databaseUrl) return { config: { connectionString: databaseUrl }, stop: async () => {} }
  const { config, stop } = await startEmbedded({ dataDir, say })
  return { config, stop }
}

/** Waits for the database, refuses one that is too old, and brings it to this version. */
async function prepare(config: pg.PoolConfig, say: Say) {
  const pool = new pg.Pool({ ...config, max: 3, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  try {
    const major = Math.floor((await serverVersion(pool, say)) / 10_000)
    if (major < oldestMajor)
      throw new StartFailure(`DATABASE_URL points at PostgreSQL ${major}; Kontor needs ${oldestMajor} or newer.`)
    await migrate(pool, say)
  } finally {
    await pool.end()
  }
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

async function listen(listening: Promise<unknown>, { host, port }: Config) {
  try {
    await listening
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new StartFailure(`Port ${port} is taken by another program. Choose another one: PORT=${port + 1} npm start`)
    if (code === 'EACCES')
      throw new StartFailure(`Port ${port} may not be used by this user. Choose one above 1023: PORT=3000 npm start`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartFailure(`HOST ${host} is not an address of this machine.`)
    throw error
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
