import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderFailure, StartFailure } from '../start-failure.ts'
import { findBinaries } from './binaries.ts'
import { chooseAccount, initialise, inspect, makeDataDir, passwordFile, superuser } from './data-folder.ts'
import { type Lock, runningOn, takeLock } from './lock.ts'
import { clearServersIn, serversIn } from './process.ts'
import { type Address, clearSocketDir, freePort, launch, makeSocketDir, type Server } from './server.ts'

export type EmbeddedConfig = { host: string; port: number; user: string; database: string; password?: string }

export type Embedded = {
  config: EmbeddedConfig
  /** The server's process now; another one after a restart. */
  readonly pid: number
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  /** Receives a line for whatever takes longer than a second or is worth knowing. */
  say: (line: string) => void
  /** `test` gives up durability for speed; never for data that anybody wants to keep. */
  purpose?: 'product' | 'test'
}

/**
 * Starts PostgreSQL as a child process on `<dataDir>/postgres`, making the database at the first start. It is started
 * again when it dies, and it ends with us, however we end. What cannot be done is thrown as a `StartFailure`.
 */
export async function startEmbedded({ dataDir: given, say, purpose = 'product' }: Options): Promise<Embedded> {
  const dataDir = resolve(given)
  const folder = join(dataDir, 'postgres')
  const durable = purpose === 'product'
  makeDataDir(dataDir)
  const lock = lockOrExplain(dataDir)
  try {
    const account = chooseAccount(dataDir)
    const state = inspect({ folder, account })
    const binaries = findBinaries(account)
    if (lock.abandonedSocketDir) clearSocketDir(lock.abandonedSocketDir)
    if (state === 'absent') {
      const making = initialise({ dataDir, folder, binaries, account, durable })
      await patiently({ say, line: 'Making the database folder (only at the first start).', work: making })
    } else {
      if (serversIn(folder).length > 0) say('A PostgreSQL of an earlier run is still there; stopping it first.')
      await clearServersIn(folder)
    }
    const address = await chooseAddress({ dataDir, account, lock })
    const place = { dataDir, folder, binaries, account, durable, address }
    return await supervise({ start: (signal) => launch(place, signal), folder, address, lock, say })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Whether there is a database in a data folder. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'PG_VERSION'))

/** The address of the database that another Kontor runs on this data folder just now, for work beside it. */
export function findEmbedded(dataDir: string): EmbeddedConfig | undefined {
  const running = runningOn(dataDir)
  if (!running) return undefined
  const common = { user: superuser, database: 'kontor' }
  if (running.socketDir) return { ...common, host: running.socketDir, port: 5432 }
  if (process.platform !== 'win32')
    throw new StartFailure(`Kontor is just starting on ${dataDir}: try again in a moment.`)
  // Where there are no sockets: the fourth line of PostgreSQL's own lock file is its port.
  const port = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3])
  return { ...common, host: '127.0.0.1', port, password: readFileSync(passwordFile(dataDir), 'utf8') }
}

function lockOrExplain(dataDir: string): Lock {
  try {
    return takeLock(dataDir)
  } catch (error) {
    throw folderFailure(error, dataDir)
  }
}

/** A socket in a private folder; where there are none, a port of this machine and a password. */
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
  say: (line: string) => void
}

/** Keeps a server running until `stop`. */
async function supervise({ start, folder, address, lock, say }: Supervised): Promise<Embedded> {
  const stopping = new AbortController()
  const begin = () => patiently({ say, line: 'Waiting for PostgreSQL to be ready.', work: start(stopping.signal) })
  let server: Server
  try {
    server = await begin()
  } catch (error) {
    clearSocketDir(address.host)
    throw error
  }

  let failures = 0
  const watch = async (): Promise<void> => {
    for (;;) {
      const born = Date.now()
      const how = await server.exited
      if (stopping.signal.aborted) return
      if (Date.now() - born > 60_000) failures = 0
      say(`PostgreSQL ended unexpectedly (${how}); starting it again.`)
      if (!(await revive())) return
      say('PostgreSQL is running again.')
    }
  }
  const revive = async (): Promise<boolean> => {
    for (;;) {
      try {
        await sleep(Math.min(100 * 2 ** failures++, 10_000), undefined, { signal: stopping.signal, ref: false })
        await clearServersIn(folder) // workers of the dead server may still be about to notice
        server = await begin()
        return true
      } catch (error) {
        if (stopping.signal.aborted) return false
        say(error instanceof StartFailure ? error.message : `PostgreSQL did not start: ${String(error)}`)
      }
    }
  }
  const watching = watch()

  const end = async () => {
    stopping.abort()
    await patiently({ say, line: 'Waiting for PostgreSQL to stop.', work: server.stop() })
    await watching
    clearSocketDir(address.host)
    lock.release()
  }
  let ended: Promise<void> | undefined
  return {
    config: address,
    get pid() {
      return server.pid
    },
    stop() {
      ended ??= end()
      return ended
    },
  }
}

/** Says what is going on as soon as it takes longer than a second, and again every ten. */
async function patiently<T>({ say, line, work }: { say: (line: string) => void; line: string; work: Promise<T> }) {
  const timers: NodeJS.Timeout[] = []
  timers.push(setTimeout(() => say(line), 1_000))
  timers.push(setInterval(() => say(`${line} Still at it.`), 10_000))
  try {
    return await work
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
