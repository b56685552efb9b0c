import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderFailure, StartFailure } from '../start-failure.ts'
import { findBinaries } from './binaries.ts'
import { chooseAccount, initialise, inspect, makeDataDir, passwordFile } from './data-folder.ts'
import { type Lock, runningOn, takeLock } from './lock.ts'
import { ensureLogins, loginsAt, superuser } from './logins.ts'
import { clearServersIn, serversIn } from './process.ts'
import { type Address, clearSocketDir, freePort, launch, makeSocketDir, type Server } from './server.ts'

/** How Kontor logs in. No login is a superuser. */
export type EmbeddedConfig = ReturnType<typeof loginsAt>

export type Embedded = {
  config: EmbeddedConfig
  /** The superuser, who creates other databases and changes settings: for tests and the benchmark. */
  superuser: Address
  /** The process id of the server; it changes with a restart. */
  readonly pid: number
  stop(): Promise<void>
}

type Say = (line: string) => void

type Options = {
  dataDir: string
  /** Receives a line about anything that takes longer than a second or is unusual. */
  say: Say
  /** Ends a start that is under way, and leaves nothing incomplete. */
  signal?: AbortSignal
  /** Called after another Kontor took over the data folder: this PostgreSQL was stopped and does not come back. */
  lost?: Say
  /** `test` trades durability for speed; never for data that must be kept. */
  purpose?: 'product' | 'test'
}

/**
 * Starts PostgreSQL as a child process on `<dataDir>/postgres`, and creates the database at the first start. PostgreSQL
 * is restarted if it ends, and ends with this process in every case. Throws a `StartFailure` if it cannot start.
 */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const { dataDir: given, say, signal = new AbortController().signal, lost = say, purpose = 'product' } = options
  const dataDir = resolve(given)
  const folder = join(dataDir, 'postgres')
  const durable = purpose === 'product'
  makeDataDir(dataDir)
  const lock = await lockOrExplain(dataDir, say)
  try {
    const account = chooseAccount(dataDir)
    const state = inspect({ folder, account })
    const binaries = findBinaries(account)
    if (lock.abandonedSocketDir) clearSocketDir(lock.abandonedSocketDir)
    if (state === 'absent') {
      const creating = initialise({ dataDir, folder, binaries, account, durable, signal })
      await withProgress({ say, line: 'Creating the database folder (only at the first start).', work: creating })
    } else {
      if (serversIn(folder).length > 0) say('PostgreSQL of an earlier run is still running; stopping it first.')
      await clearServersIn(folder, { known: lock.followsDead })
    }
    signal.throwIfAborted()
    const address = await chooseAddress({ dataDir, account, lock })
    const input = { dataDir, folder, binaries, account, durable, address, lock }
    return await supervise({ start: (until) => launch(input, until), folder, address, lock, say, signal, lost })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Whether a data folder contains a database. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'PG_VERSION'))

/** The database if another Kontor, which may be of the version before, is running on this data folder. */
export async function findEmbedded(dataDir: string, say: Say = () => {}): Promise<EmbeddedConfig | undefined> {
  const address = await findAddress(dataDir, say)
  if (!address) return undefined
  await ensureLogins(address)
  return loginsAt(address)
}

async function findAddress(dataDir: string, say: Say): Promise<Address | undefined> {
  const running = await runningOn(dataDir, say)
  if (!running) return undefined
  const common = { user: superuser, database: 'kontor' }
  if (running.socketDir) return { ...common, host: running.socketDir, port: 5432 }
  if (process.platform !== 'win32') throw new StartFailure(`Kontor is starting on ${dataDir}: try again in a moment.`)
  // Windows has no socket folder: the fourth line of PostgreSQL's own lock file is its port.
  const port = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3])
  return { ...common, host: '127.0.0.1', port, password: readFileSync(passwordFile(dataDir), 'utf8') }
}

async function lockOrExplain(dataDir: string, say: Say): Promise<Lock> {
  try {
    return await takeLock({ dataDir, say })
  } catch (error) {
    throw folderFailure(error, dataDir)
  }
}

/** A socket in a private folder; on Windows, a local port and a password. */
async function chooseAddress({ dataDir, account, lock }: ChooseAddress): Promise<Address> {
  const common = { user: superuser, database: 'kontor' }
  if (process.platform === 'win32') {
    const password = readFileSync(passwordFile(dataDir), 'utf8')
    return { ...common, host: '127.0.0.1', port: await freePort(), password }
  }
  const host = makeSocketDir(account)
  lock.note(host)
  return { ...common, host, port: 5432 }
}
type ChooseAddress = { dataDir: string; account: ReturnType<typeof chooseAccount>; lock: Lock }

type Supervised = {
  start: (signal: AbortSignal) => Promise<Server>
  folder: string
  address: Address
  lock: Lock
  say: Say
  signal: AbortSignal
  lost: Say
}

/** Keeps a server running until `stop`, or until the lock is lost. */
async function supervise({ start, folder, address, lock, say, signal, lost }: Supervised): Promise<Embedded> {
  const stopping = new AbortController()
  const giveUp = () => stopping.abort()
  const startServer = () =>
    withProgress({ say, line: 'Waiting for PostgreSQL to be ready.', work: start(stopping.signal) })
  let server: Server
  signal.addEventListener('abort', giveUp)
  try {
    server = await startServer()
  } catch (error) {
    clearSocketDir(address.host)
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  void lock.lost.then((sentence) => {
    giveUp()
    server.kill()
    lost(sentence)
  })

  let failures = 0
  const watch = async (): Promise<void> => {
    for (;;) {
      const startedAt = Date.now()
      const how = await server.exited
      if (stopping.signal.aborted) return
      if (Date.now() - startedAt > 60_000) failures = 0
      say(`PostgreSQL ended unexpectedly (${how}); starting it again.`)
      if (!(await restart())) return
      say('PostgreSQL is running again.')
    }
  }
  const restart = async (): Promise<boolean> => {
    let said = ''
    for (;;) {
      try {
        await sleep(Math.min(100 * 2 ** failures++, 10_000), undefined, { signal: stopping.signal, ref: false })
        await clearServersIn(folder, { known: true }) // workers of the ended server may still be running
        server = await startServer()
        return true
      } catch (error) {
        if (stopping.signal.aborted) return false
        const reason = error instanceof StartFailure ? error.message : `PostgreSQL did not start: ${String(error)}`
        if (reason !== said) say(reason)
        said = reason // a full disk stays full for many attempts
      }
    }
  }
  const watching = watch()

  const end = async () => {
    giveUp()
    await withProgress({ say, line: 'Waiting for PostgreSQL to stop.', work: server.stop() })
    await watching
    clearSocketDir(address.host)
    lock.release()
  }
  let ended: Promise<void> | undefined
  return {
    config: loginsAt(address),
    superuser: address,
    get pid() {
      return server.pid
    },
    stop() {
      ended ??= end()
      return ended
    },
  }
}

/** Prints the line if the work takes longer than a second, and again every ten seconds. */
async function withProgress<T>({ say, line, work }: { say: Say; line: string; work: Promise<T> }) {
  const timers: NodeJS.Timeout[] = []
  timers.push(setTimeout(() => say(line), 1_000))
  timers.push(setInterval(() => say(`${line} Still waiting.`), 10_000))
  try {
    return await work
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
