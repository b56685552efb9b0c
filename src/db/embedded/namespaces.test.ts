import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { migratedFolder } from '../../test/database.ts'
import { buildProgram } from '../../test/processes/bundle.ts'
import { copyDataFolder } from '../../test/processes/data-folder.ts'
import { firstRow } from '../../test/processes/first-row.ts'
import { proves } from '../../test/prove.ts'
import type { EmbeddedConfig } from './embedded.ts'
import { isAlive, signalTo } from './process.ts'

/** Each program is the first process of a PID namespace of its own, like a container. Killing `unshare` kills all of it. */
const unshare = ['-p', '-i', '-n', '--fork', '--mount-proc', '--kill-child']
const canUnshare = process.platform === 'linux' && spawnSync('unshare', [...unshare, 'true']).status === 0

const top = mkdtempSync(join(tmpdir(), 'kontor-namespaces-'))
const containers: ChildProcess[] = []
let file: string

beforeAll(async () => {
  if (!canUnshare) return
  chmodSync(top, 0o755)
  file = await buildProgram('embedded')
})

afterAll(async () => {
  await Promise.all(containers.splice(0).map(kill))
  rmSync(top, { recursive: true, force: true })
})

/** A data folder with a database in it. */
function filledFolder(): string {
  const dataDir = mkdtempSync(join(top, 'd-'))
  copyDataFolder(migratedFolder(), dataDir)
  return dataDir
}

/** Another host name, and another run of the kernel, so that only the lease can decide. */
const anotherMachine = `echo far-away > /proc/sys/kernel/hostname && echo another-boot > "$BOOT" &&
  mount --bind "$BOOT" /proc/sys/kernel/random/boot_id && exec "$@"`

type Line = { said?: string; refused?: string; pid?: number; config?: EmbeddedConfig }

/** Starts Kontor's PostgreSQL in a container, and answers what it said once it runs or has refused to. */
async function startInContainer(dataDir: string, { onAnotherMachine = false } = {}) {
  const run = onAnotherMachine ? ['-u', 'sh', '-c', anotherMachine, 'sh'] : []
  const child = spawn('unshare', [...unshare, ...run, process.execPath, file], {
    env: { PATH: process.env.PATH, KONTOR_DATA: dataDir, BOOT: join(top, 'boot') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  containers.push(child)
  const said: string[] = []
  return new Promise<{ child: ChildProcess; said: string[]; refused?: string; config?: EmbeddedConfig }>(
    (resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (text) => {
        const { said: sentence, ...outcome }: Line = JSON.parse(text)
        if (sentence) said.push(sentence)
        else resolve({ child, said, ...outcome })
      })
      child.once('exit', (code) => reject(new Error(`It ended with ${code}, after: ${said.join(' ')}`)))
    },
  )
}

async function started(dataDir: string, options = {}) {
  const { config, ...rest } = await startInContainer(dataDir, options)
  if (!config) throw new Error(rest.refused)
  return { ...rest, config }
}

/** The processes in the container of a child, Kontor first. */
function processesOf({ pid }: ChildProcess): number[] {
  const [kontor] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const namespace = namespaceOf(kontor ?? '')
  const all = readdirSync('/proc').filter((each) => /^\d+$/.test(each) && namespaceOf(each) === namespace)
  return all.map(Number).sort((a, b) => a - b)
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return undefined // ended meanwhile
  }
}

function signalAll(pids: number[], signal: NodeJS.Signals) {
  for (const pid of pids) signalTo(pid, signal)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

const isPostgres = (pid: number) => isAlive(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'

// At once, because the tests wait most of the time.
describe.runIf(canUnshare)('two containers on one data folder', { concurrent: true }, () => {
  test('the second one is refused with a sentence, and the first one loses nothing', async () => {
    const dataDir = filledFolder()
    const first = await started(dataDir)
    await firstRow(first.config, 'create table kept as select generate_series(1, 100) as n')
    const second = await startInContainer(dataDir)
    expect(second.refused).toMatch(/^Kontor already runs on the data folder .+ in another container .+\.$/)
    await firstRow(first.config, 'insert into kept select generate_series(101, 200)')
    expect(await firstRow(first.config, 'select count(*)::int as rows from kept')).toEqual({ rows: 200 })
  })

  // Alone, because it says within which time.
  // In `npm test` embedded.test.ts starts on the folder of one whose processes were killed.
  test
    .runIf(proves)
    .sequential('the second one starts at once after all processes of the first one were killed', async () => {
      const dataDir = filledFolder()
      const first = await started(dataDir)
      await firstRow(first.config, 'create table kept as select generate_series(1, 100) as n')
      await kill(first.child)
      expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
      const began = Date.now()
      const second = await started(dataDir)
      expect(Date.now() - began).toBeLessThan(8_000)
      expect(await firstRow(second.config, 'select count(*)::int as rows from kept')).toEqual({ rows: 100 })
      expect(readdirSync(dataDir).filter((name) => name.startsWith('kontor.'))).toHaveLength(3)
    })

  test.runIf(proves)('a suspended one keeps its folder, because its socket stays open', async () => {
    const dataDir = filledFolder()
    const first = await started(dataDir)
    const suspended = processesOf(first.child)
    signalAll(suspended, 'SIGSTOP')
    const second = await startInContainer(dataDir)
    signalAll(suspended, 'SIGCONT')
    expect(second.said).toEqual([expect.stringContaining('does not answer, but it or its PostgreSQL still uses')])
    expect(second.refused).toContain('in another container')
    expect(await firstRow(first.config, 'select 1 as one')).toEqual({ one: 1 })
  })

  test('another machine waits for the lease, and one that lost it while suspended ends its PostgreSQL at once', async () => {
    const dataDir = filledFolder()
    const first = await started(dataDir)
    await firstRow(first.config, 'create table kept as select generate_series(1, 100) as n')
    const all = processesOf(first.child)
    signalAll(all.slice(0, 1), 'SIGSTOP') // Kontor alone: its PostgreSQL works on, so the lease is renewed
    const refused = await startInContainer(dataDir, { onAnotherMachine: true })
    expect(refused.said).toEqual([expect.stringContaining('watching for 10 seconds whether it still runs')])
    expect(refused.refused).toContain('Kontor already runs on the data folder')

    signalAll(all, 'SIGSTOP')
    signalAll(processesOf(first.child), 'SIGSTOP') // with those that were just starting
    const second = await started(dataDir, { onAnotherMachine: true })
    signalAll(processesOf(first.child), 'SIGCONT')
    await vi.waitFor(
      () => expect(first.said).toContainEqual(expect.stringContaining('(host far-away) has taken over')),
      { timeout: 20_000 },
    )
    await vi.waitFor(() => expect(processesOf(first.child).filter(isPostgres)).toEqual([]), { timeout: 10_000 })
    await firstRow(second.config, 'insert into kept select generate_series(101, 200)')
    expect(await firstRow(second.config, 'select count(*)::int as rows from kept')).toEqual({ rows: 200 })
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
  })
})
