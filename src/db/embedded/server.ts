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
import { type Account, isAlive, serversIn, signalTo } from './process.ts'

export type Address = { host: string; port: number; user: string; database: string; password?: string }

export type Server = {
  pid: number
  /** How it ended, once it has. */
  exited: Promise<string>
  stop(): Promise<void>
}

type Place = {
  dataDir: string
  folder: string
  binaries: string
  account: Account
  durable: boolean
  address: Address
}

/** Starts the server and answers when the database accepts queries. */
export async function launch(place: Place, signal: AbortSignal): Promise<Server> {
  const logFile = join(place.dataDir, 'postgres.log')
  const log = openLog(logFile)
  const from = fstatSync(log).size
  try {
    const child = spawn(join(place.binaries, 'bin', 'postgres'), serverArguments(place), {
      ...place.account,
      cwd: place.folder,
      env: environment(),
      stdio: ['ignore', log, log],
      detached: true, // Ctrl-C reaches us only; the server goes last, when its clients are done
      windowsHide: true,
    })
    const exited = new Promise<string>((resolve) => {
      child.on('error', (error) => resolve(error.message))
      child.on('exit', (code, sign) => resolve(sign ?? `exit code ${code}`))
    })
    const pid = child.pid
    if (pid === undefined) throw new StartFailure(`PostgreSQL could not be started: ${await exited}.`)
    const guard = spawnGuard({ pid, socketDir: place.address.host, account: place.account })
    void exited.then(() => guard?.kill('SIGKILL'))
    child.unref()
    const server = { pid, exited, stop: () => stop({ child, pid, exited, folder: place.folder }) }
    try {
      await untilReady({ address: place.address, exited, signal })
    } catch (error) {
      await server.stop()
      throw error instanceof Ended ? serverFailure(readLog(logFile, from), { folder: place.folder, logFile }) : error
    }
    return server
  } finally {
    closeSync(log)
  }
}

function serverArguments({ folder, durable, address }: Place): string[] {
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
    // Refused statements are the application's to log; with their values they would put private data into this file.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(durable ? kept : throwaway),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', dataArgument(folder), ...flags]
}

const kept = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const throwaway = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '4GB',
  max_connections: 300, // tests that run at the same time, each with processes of its own
}

/** A shell that waits for our end of a pipe to close, which happens however we die, and then stops the server. */
function spawnGuard({ pid, socketDir, account }: { pid: number; socketDir: string; account: Account }) {
  if (process.platform === 'win32') return undefined
  const script =
    'read -r _; kill -INT "$1"; n=0; while kill -0 "$1" && [ $n -lt 30 ]; do sleep 1; n=$((n+1)); done; rmdir "$2"'
  const guard = spawn('/bin/sh', ['-c', script, 'kontor-guard', String(pid), socketDir], {
    ...account,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.on('error', () => {}) // without a shell the next start finds the server and stops it
  guard.stdin.on('error', () => {})
  guard.unref()
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref()
  return guard
}

class Ended extends Error {}

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
  const deadline = Date.now() + 300_000 // replaying the log of a busy day after a power cut takes its time
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    if (ended) throw new Ended()
    try {
      return await ask(address, 'select 1')
    } catch (error) {
      if (codeOf(error) === '3D000')
        await ask({ ...address, database: 'postgres' }, `create database ${address.database}`)
      else if (!isTemporary(error)) throw error
    }
    await sleep(20)
  }
  throw new StartFailure('PostgreSQL did not get ready within five minutes.')
}

/** No socket yet, not listening yet, starting up, or gone again: the loop finds out which. */
const isTemporary = (error: unknown) =>
  ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P03'].includes(codeOf(error) ?? '') ||
  (error instanceof Error && /terminated unexpectedly|timeout/i.test(error.message))

async function ask(address: Address, sql: string): Promise<void> {
  const client = new pg.Client({ ...address, ssl: false, connectionTimeoutMillis: 3_000 })
  client.on('error', () => {}) // a server that dies after the answer
  try {
    await client.connect()
    await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

/** In order first; then without waiting for anybody; then by force. */
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
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (!isAlive(pid) || child.exitCode !== null || child.signalCode !== null) break
    signalTo(pid, signal)
    await Promise.race([exited, sleep(patienceMs, undefined, { ref: false })])
  }
  await exited
  const deadline = Date.now() + 5_000
  while (serversIn(folder).length > 0 && Date.now() < deadline) await sleep(20)
}

/** The file is the server's own to write: a pipe to us would fill up whenever we are stopped in a debugger. */
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

/** Short, because a socket's path may have 107 bytes; private, because whoever can enter it is let in. */
export function makeSocketDir(account: Account): string {
  const place = [tmpdir(), '/tmp', '/var/tmp', '/run'].find((path) => path.length < 70 && isOpenTo(path, account))
  if (place === undefined) {
    throw new StartFailure(
      'PostgreSQL finds no temporary folder for its socket: set TMPDIR to a short path it can use.',
    )
  }
  const folder = mkdtempSync(join(place, 'kontor-'))
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
  return folder
}

/** Whether an account can pass every folder on the way, and we can make one at its end. */
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

/** Takes PostgreSQL's files out of a socket folder and the folder away; anything else in it is not ours and stays. */
export function clearSocketDir(folder: string): void {
  try {
    for (const name of readdirSync(folder)) if (name.startsWith('.s.PGSQL.')) unlinkSync(join(folder, name))
    rmdirSync(folder)
  } catch {
    // Already gone with a temporary folder that was cleaned.
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
