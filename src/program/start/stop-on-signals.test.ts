import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { serversIn } from '../../db/embedded/process.ts'
import { migratedFolder } from '../../test/database.ts'
import { buildFaultyProduct } from '../../test/processes/bundle.ts'
import { copyDataFolder } from '../../test/processes/data-folder.ts'
import { proves } from '../../test/prove.ts'
import { notedAddress } from './running.ts'

let file: string

beforeAll(async () => {
  file = await buildFaultyProduct()
})

/** `kontor start` on a data folder. */
function start(dataDir: string, settings: Record<string, string> = {}) {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [file, 'start'], {
    env: { PATH, HOME, KONTOR_DATA: dataDir, PORT: '0', LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (text) => {
    output.stdout += text
  })
  child.stderr.on('data', (text) => {
    output.stderr += text
  })
  return { child, output }
}

type Running = ReturnType<typeof start>

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 60_000, interval: 2 })

async function stop({ child, output }: Running, ...signals: NodeJS.Signals[]) {
  const exit = exitOf(child)
  for (const signal of signals) child.kill(signal)
  expect(await exit).toEqual({ code: 0, signal: null })
  expect(output.stderr).toBe('')
  expect(output.stdout).toContain('Stopping.\n')
  expect(output.stdout).not.toMatch(/Error|^ +at /m)
}

const exitOf = (child: ChildProcess) =>
  new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))

function expectInOrder(dataDir: string) {
  expect(serversIn(join(dataDir, 'postgres'))).toEqual([])
  expect(readdirSync(dataDir).filter((name) => /^kontor\.|^postgres\.(new|incomplete)/.test(name))).toEqual([])
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
}

// In `npm test` src/demo/demo.test.ts interrupts the filling.
test.runIf(process.platform === 'linux')(
  'FLT-16: a signal while Kontor creates, migrates or fills its database ends it in order, and the next start goes on',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kontor-signals-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const has = (name: string) => existsSync(join(dataDir, name))

    const creating = start(dataDir)
    await until(() => has('postgres.new/PG_VERSION'))
    await stop(creating, 'SIGTERM')
    expect(readdirSync(dataDir)).toEqual([])

    const migrating = start(dataDir)
    await until(() => migrating.output.stdout.includes('Creating the schema'))
    await stop(migrating, 'SIGHUP')
    expectInOrder(dataDir)

    if (proves) {
      const filling = start(dataDir)
      await until(() => filling.output.stdout.includes('Filling the empty database'))
      await stop(filling, 'SIGINT')
      expectInOrder(dataDir)
    }

    const ready = start(dataDir, { KONTOR_DEMO: '0' }) // the rest of the demo would take a while
    await until(() => ready.output.stdout.includes('Kontor is ready'))
    await stop(ready, 'SIGHUP', 'SIGHUP', 'SIGTERM') // a closed terminal sends it more than once
    expectInOrder(dataDir)
  },
)

// In `npm test` uncaught-errors.test.ts shows that a process goes on, and the test above that a signal ends it in order.
test.runIf(proves && process.platform === 'linux')(
  'FLT-17: Kontor goes on when nobody reads its output any more, and a signal still ends it in order',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kontor-signals-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    copyDataFolder(migratedFolder(), dataDir)

    const unread = start(dataDir, { KONTOR_DEMO: '0' })
    unread.child.stdout.destroy() // as the end of `npm start | head`; all lines are still to come
    unread.child.stderr.destroy()
    await until(() => notedAddress(dataDir) !== undefined)
    await vi.waitFor(async () => expect((await fetch(`${notedAddress(dataDir)}/ready`)).status).toBe(200), 15_000)

    const exit = exitOf(unread.child)
    unread.child.kill('SIGTERM')
    expect(await exit).toEqual({ code: 0, signal: null })
    expectInOrder(dataDir)
  },
)
