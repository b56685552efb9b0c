import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { StartFailure } from '../start-failure.ts'
import { createLease, renewLease } from './lease.ts'
import { runningOn, takeLock } from './lock.ts'

const top = mkdtempSync(join(tmpdir(), 'kontor-lock-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const newFolder = () => mkdtempSync(join(top, 'd-'))
const traces = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('kontor.'))

/** A short patience: leases are renewed every 50 ms here. */
async function take(dataDir: string) {
  const said: string[] = []
  const lock = await takeLock({ dataDir, say: (line) => said.push(line), patienceMs: 1_000 })
  onTestFinished(() => lock.release())
  return { lock, said }
}

/** The lock of a Kontor on another machine, whose process id is ours by chance. */
function lockFromElsewhere(dataDir: string, fields = {}) {
  const holder = {
    pid: process.pid,
    birth: 'another kernel 1',
    id: 'far',
    host: 'far-away',
    boot: 'b',
    namespace: 'b pid',
  }
  writeFileSync(join(dataDir, 'kontor.lock'), JSON.stringify({ ...holder, ...fields }))
  createLease(dataDir, 'far')
}

/** Renews the lease of the other machine until the end of the test, or until it is stopped and the last renewal is written. */
function renewFromElsewhere(dataDir: string) {
  const renewals: Promise<void>[] = []
  const timer = setInterval(() => renewals.push(renewLease(dataDir, 'far', renewals.length + 1).catch(() => {})), 50)
  const stop = () => {
    clearInterval(timer)
    return Promise.all(renewals)
  }
  onTestFinished(() => void stop())
  return stop
}

test('a released lock leaves nothing, and can be taken again', async () => {
  const dataDir = newFolder()
  const { lock } = await take(dataDir)
  expect(traces(dataDir)).toContain('kontor.lock')
  lock.release()
  expect(traces(dataDir)).toEqual([])
  expect((await take(dataDir)).lock.followsDead).toBe(false)
})

test('a lock whose lease is renewed on another machine is refused with a sentence', async () => {
  const dataDir = newFolder()
  lockFromElsewhere(dataDir)
  renewFromElsewhere(dataDir)
  await expect(take(dataDir)).rejects.toThrow(
    `Kontor already runs on the data folder ${dataDir}, in another container or on another machine (host far-away): stop`,
  )
  await expect(take(dataDir)).rejects.toBeInstanceOf(StartFailure)
  await expect(runningOn(dataDir, () => {})).rejects.toThrow('(host far-away): run this command there.')
})

test('a lock is taken over after its lease was not renewed for a while, and a sentence says what is awaited', async () => {
  const dataDir = newFolder()
  lockFromElsewhere(dataDir, { socketDir: '/tmp/abandoned' })
  const { lock, said } = await take(dataDir)
  expect(said).toEqual([
    expect.stringMatching(/\(host far-away\), .+: watching for 1 seconds whether it still runs\.$/),
  ])
  expect(lock).toMatchObject({ followsDead: true, abandonedSocketDir: '/tmp/abandoned' })
  expect(traces(dataDir)).not.toContain('kontor.far.lease')
})

test('a PostgreSQL that still writes counts as running, even without a lease', async () => {
  const dataDir = newFolder()
  lockFromElsewhere(dataDir)
  mkdirSync(join(dataDir, 'postgres', 'pg_wal'), { recursive: true })
  const timer = setInterval(() => writeFileSync(join(dataDir, 'postgres', 'pg_wal', '1'), ''), 50)
  onTestFinished(() => clearInterval(timer))
  await expect(take(dataDir)).rejects.toThrow('(host far-away)')
})

test('of several starts at the same time one gets the lock of a dead holder', async () => {
  const dataDir = newFolder()
  lockFromElsewhere(dataDir)
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => take(dataDir)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a lock file that was truncated or removed is no reason to start beside a running Kontor', async () => {
  for (const damage of [(file: string) => writeFileSync(file, ''), (file: string) => rmSync(file)]) {
    const dataDir = newFolder()
    lockFromElsewhere(dataDir)
    damage(join(dataDir, 'kontor.lock'))
    const stop = renewFromElsewhere(dataDir)
    await expect(take(dataDir)).rejects.toThrow('in another container or on another machine')
    await stop()
    expect((await take(dataDir)).said).toEqual([expect.stringContaining('lock file is missing or damaged')])
  }
})

test('the holder puts back a lock file that somebody removed, and notices one that another Kontor has written', async () => {
  const dataDir = newFolder()
  const { lock } = await take(dataDir)
  const file = join(dataDir, 'kontor.lock')
  const before = readFileSync(file, 'utf8')
  rmSync(file)
  await expect.poll(() => readdirSync(dataDir), { timeout: 10_000 }).toContain('kontor.lock')
  expect(readFileSync(file, 'utf8')).toBe(before)
  lockFromElsewhere(dataDir)
  expect(await lock.lost).toContain('Another Kontor (host far-away) has taken over the data folder')
  expect(() => lock.note('/tmp/socket')).toThrow(StartFailure)
  lock.release()
  expect(traces(dataDir)).toEqual(['kontor.far.lease', 'kontor.lock'])
})
