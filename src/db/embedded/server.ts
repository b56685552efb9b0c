import { type ChildProcess, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { codeOf, StartFailure, serverFailure } from '../start-failure.ts'
import { dataArgument, environment } from './data-folder.ts'
import { spawnLeaseKeeper } from './lease.ts'
import type { Lock } from './lock.ts'
import { ensureLogins } from './logins.ts'
import { type Account, isAlive, killServer, serversIn, shellEnvironment, signalTo } from './process.ts'

export type Address = { host: string; port: number; user: string; database: string; password?: string }

export type Server = {
  pid: number
  /** How it ended, once it has. */
  exited: Promise<string>
  stop(): Promise<void>
  /** Ends it at once, without a shutdown that would write. */
  kill(): void
}

type LaunchInput = {
  dataDir: string
  folder: string
  binaries: string
  account: Account
  durable: boolean
  address: Address
  lock: Pick<Lock, 'id' | 'descriptor'>
}

/** Starts the server and returns when the database accepts queries and has its logins. */
export async function launch(input: LaunchInput, signal: AbortSignal): Promise<Server> {
  const logFile = join(input.dataDir, 'postgres.log')
  const log = openLog(logFile)
  const from = fstatSync(log).size
  try {
    const child = spawn(join(input.binaries, 'bin', 'postgres'), serverArguments(input), {
      ...input.account,
      cwd: input.folder,
      env: environment(),
      stdio: ['ignore', log, log, input.lock.descriptor ?? 'ignore'],
      detached: true, // Ctrl-C reaches this process only; the server is stopped last, after its clients
      windowsHide: true,
    })
    const exited = new Promise<string>((resolve) => {
      child.on('error', (error) => resolve(error.message))
      child.on('exit', (code, sign) => resolve(sign ?? `exit code ${code}`))
    })
    const pid = child.pid
    if (pid === undefined) throw new StartFailure(`PostgreSQL could not be started: ${await exited}.`)
    const guard = spawnGuard({ pid, socketDir: input.address.host, account: input.account })
    const keeper = spawnLeaseKeeper({ dataDir: input.dataDir, id: input.lock.id, server: pid })
    void exited.then(() => {
      guard?.kill('SIGKILL')
      keeper?.kill('SIGKILL')
    })
    child.unref()
    const server = {
      pid,
      exited,
      stop: () => stop({ child, pid, exited, folder: input.folder }),
      kill: () => isRunning(child) && killServer(pid),
    }
    try {
      await untilReady({ address: input.address, exited, signal })
      await ensureLogins(input.address)
    } catch (error) {
      await server.stop()
      throw error instanceof ServerExited
        ? serverFailure(readLog(logFile, from), { folder: input.folder, logFile })
        : error
    }
    return server
  } finally {
    closeSync(log)
  }
}

function serverArguments({ folder, durable, address }: LaunchInput): string[] {
  const overTcp = process.platform === 'win32'
  const settings = {
    listen_addresses: overTcp ? '127.0.0.1' : '',
    ...(overTcp ? {} : { unix_socket_directories: address.host }),
    port: address.port,
    cluster_name: 'kontor',
    max_connections: 100,
    shared_buffers: '64MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Failed statements are logged by the application; their values would put private data into this file.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? durableSettings : testSettings),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', dataArgument(folder), ...flags]
}

const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '4GB',
  max_connections: 300, // tests that run at the same time, each with processes of its own
}

/** Starts a shell that stops the server when this process ends: it waits until its end of a pipe is closed. */
function spawnGuard({ pid, socketDir, account }: { pid: number; socketDir: string; account: Account }) {
  if (process.platform === 'win32') return undefined
  const script =
    'read -r _; kill -INT "$1"; n=0; while kill -0 "$1" && [ $n -lt 30 ]; do sleep 1; n=$((n+1)); done; rmdir "$2"'
  const guard = spawn('/bin/sh', ['-c', script, 'kontor-guard', String(pid), socketDir], {
    ...account,
    cwd: '/',
    env: shellEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.on('error', () => {}) // without a shell, the next start stops the server
  guard.stdin.on('error', () => {})
  guard.unref()
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  return guard
}

class ServerExited extends Error {}

async function untilReady({
  address,
  exited,
  signal,
}: {
  address: Address
  exited: Promise<string>
  signal: AbortSignal
}) {
  let ended = false
  void exited.then(() => {
    ended = true
  })
  const deadline = Date.now() + 300_000 // crash recovery after a busy day takes a while
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    if (ended) throw new ServerExited()
    try {
      return await execute(address, 'select 1')
    } catch (error) {
      if (codeOf(error) === '3D000')
        await execute({ ...address, database: 'postgres' }, `create database ${address.database}`)
      else if (!isTemporary(error)) throw error
    }
    await sleep(20)
  }
  throw new StartFailure('PostgreSQL was not ready within five minutes.')
}

/** No socket yet, not listening yet, starting up, or stopped again: the loop retries. */
const isTemporary = (error: unknown) =>
  ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'].includes(codeOf(error) ?? '') ||
  (error instanceof Error && /terminated unexpectedly|timeout/i.test(error.message))

async function execute(address: Address, sql: string): Promise<void> {
  const client = new pg.Client({ ...address, ssl: false, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {}) // the server may end after its answer
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** Stops the server: first a fast shutdown, then an immediate one, then by force. */
async function stop({
  child,
  pid,
  exited,
  folder,
}: {
  child: ChildProcess
  pid: number
  exited: Promise<string>
  folder: string
}) {
  child.ref()
  for (const [signal, waitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(pid) || !isRunning(child)) break
    signalTo(pid, signal)
    await Promise.race([exited, sleep(waitMs, undefined, { ref: false })])
  }
  await exited
  const deadline = Date.now() + 5_000
  while (serversIn(folder).length > 0 && Date.now() < deadline) await sleep(20)
}

/** The server writes its log file itself: a pipe to this process would fill up while a debugger has stopped it. */
function openLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > 5_000_000) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

function readLog(file: string, from: number): string {
  const handle = openSync(file, 'r')
  try {
    const text = Buffer.alloc(64_000)
    return text.toString('utf8', 0, readSync(handle, text, 0, text.length, from))
  } finally {
    closeSync(handle)
  }
}

/** A folder for the socket: a short path, because it may have 107 bytes; private, because access to it gives access to the database. */
export function makeSocketDir(account: Account): string {
  const parent = [tmpdir(), '/tmp', '/var/tmp', '/run'].find((path) => path.length < 70 && isOpenTo(path, account))
  if (parent === undefined) {
    throw new StartFailure(
      'PostgreSQL finds no temporary folder for its socket: set TMPDIR to a short path it can use.',
    )
  }
  const folder = mkdtempSync(join(parent, 'kontor-'))
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
  return folder
}

/** Whether an account can enter every folder of a path, and this process can create a folder in it. */
function isOpenTo(path: string, account: Account): boolean {
  try {
    for (let folder = path; ; folder = dirname(folder)) {
      const { mode, uid } = statSync(folder)
      const passable = account.uid === undefined || (uid === account.uid ? mode & 0o100 : mode & 0o001) !== 0
      if (!passable) return false
      if (folder === dirname(folder)) break
    }
    rmdirSync(mkdtempSync(join(path, 'kontor-')))
    return true
  } catch {
    return false
  }
}

/** Removes the socket files of PostgreSQL and the socket folder. A folder with other files stays. */
export function clearSocketDir(folder: string): void {
  try {
    for (const name of readdirSync(folder)) if (name.startsWith('.s.PGSQL.')) unlinkSync(join(folder, name))
    rmdirSync(folder)
  } catch {
    // Already removed by a cleaner of temporary folders.
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new StartFailure('This machine gave no free port.')
  return address.port
}
