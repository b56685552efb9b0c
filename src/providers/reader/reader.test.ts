import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { ReadOutcome } from '../../core/outside/receipt-reader.ts'
import { newId } from '../../core/values/id.ts'
import { openReceiptReader, type ReaderLimits } from './reader.ts'
import { residentBytes } from './resident-memory.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-reader-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hints = { country: 'SG', dateOrder: 'DMY', currency: 'SGD', today: '2026-06-01' } as const
const readings = { providerId: 'kontor-ocr', fields: {}, checks: [], pages: 1 }

/**
 * A reader whose process does what the path of a file says: it answers with its process id and environment, or crashes,
 * hangs, takes memory or stops answering.
 */
const readerOf = (limits: Partial<ReaderLimits> = {}) => readersOf(limits).read

function readersOf(limits: Partial<ReaderLimits> = {}) {
  const file = join(folder, 'child.mjs')
  writeFileSync(
    file,
    `const kept = []
    process.on('disconnect', () => process.exit())
    process.on('message', ({ id, path }) => {
      if (path === 'mail') return process.send({ id, outcome: { content: path } })
      if (path === 'crash') process.abort()
      if (path === 'exit') process.exit(0)
      if (path === 'loop') for (;;) ;
      if (path === 'memory') setInterval(() => kept.push(Buffer.alloc(20 * 1024 * 1024, 1)), 5)
      else if (path === 'pictures') {
        process.send({ id, outcome: { reading: ${JSON.stringify({ ...readings, text: '' })} }, picturesFollow: true }, () => process.abort())
      } else if (path === 'slow') setTimeout(answer, 1_500)
      else if (path !== 'silent') answer()
      function answer() {
        const text = JSON.stringify({ pid: process.pid, variables: Object.keys(process.env), path })
        process.send({ id, outcome: { reading: { ...${JSON.stringify(readings)}, text } } })
      }
    })`,
  )
  const reader = openReceiptReader({ fileMs: 8_000, ...limits }, pathToFileURL(file))
  onTestFinished(() => reader.close())
  const read = (path: string, organizationId = newId()) =>
    reader.read({ path, contentType: 'image/png', hints, organizationId })
  return { read, reader }
}
const saidIn = (outcome: ReadOutcome) =>
  JSON.parse('reading' in outcome ? outcome.reading.text : 'null') as { pid: number; variables: string[]; path: string }

test('FLT-11: the process of the reader has none of the environment of the program, and is kept for the next file', async () => {
  vi.stubEnv('KONTOR_SECRET_OF_TEST', 'x')
  const read = readerOf()
  const first = saidIn(await read('a'))
  expect(
    first.variables.filter(
      (name) =>
        !['MALLOC_ARENA_MAX', 'ORT_DISABLE_TELEMETRY', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(
          name,
        ),
    ),
  ).toEqual([])
  expect(saidIn(await read('b')).pid).toBe(first.pid)
})

test.for([
  ['crash', {}, 'CRASHED'],
  ['exit', {}, 'CRASHED'],
  ['loop', { fileMs: 700 }, 'TOOK_TOO_LONG'],
  ['silent', { fileMs: 700 }, 'TOOK_TOO_LONG'],
  ['memory', { memoryMax: 300 * 1024 * 1024 }, 'OUT_OF_MEMORY'],
] as const)(
  'FLT-11: a process that does %s at a file is ended, and the next file is read by a new one',
  async ([path, limits, reason]) => {
    const read = readerOf({ ...limits })
    const before = saidIn(await read('before')).pid
    expect(await read(path)).toEqual({ unread: reason, message: expect.stringMatching(/\.$/) })
    const after = saidIn(await read('after'))
    expect(after.path).toBe('after')
    expect(after.pid).not.toBe(before)
    await vi.waitFor(() => expect(isAlive(before)).toBe(false))
  },
)

test('FLT-11: a process that crashes while it makes pictures for a second reader has read the file', async () => {
  const read = readerOf()
  expect(await read('crash')).toMatchObject({ unread: 'CRASHED' })
  expect(await read('pictures')).toEqual({ reading: { ...readings, text: '' } })
  expect(saidIn(await read('after')).path).toBe('after')
})

test('FLT-11: a mail message at which the process crashes or hangs is not read, and what follows is', async () => {
  const { read, reader } = readersOf({ fileMs: 1_500 })
  const mail = (path: string) => reader.readMail({ path, folder, organizationId: newId() })
  expect(await mail('mail')).toEqual({ content: 'mail' })
  expect(await mail('crash')).toEqual({ unread: 'CRASHED', message: 'The reader stopped at this message.' })
  expect(saidIn(await read('after')).path).toBe('after')
  expect(await mail('loop')).toEqual({ unread: 'TOOK_TOO_LONG', message: expect.stringContaining('took too long') })
  expect(await mail('mail')).toEqual({ content: 'mail' })
})

test('FLT-11: a page at which the process crashes or hangs is not drawn, and what follows is, beside a scan', async () => {
  const { read, reader } = readersOf({ drawMs: 4_000 })
  const draw = (path: string) => reader.drawPage({ path, dotsPerInch: 72, organizationId: newId() })
  let isScanned = false
  const scan = read('silent').then(() => {
    isScanned = true
  })
  expect(await draw('page')).toHaveProperty('reading') // what this process answers to every file
  expect(await draw('crash')).toEqual({ unread: 'CRASHED', message: 'The page could not be drawn.' })
  expect(await draw('loop')).toEqual({ unread: 'TOOK_TOO_LONG', message: expect.stringContaining('took too long') })
  expect(await draw('page')).toHaveProperty('reading')
  expect(isScanned).toBe(false)
  await reader.close()
  await scan
})

test('a process killed from outside while it reads gives up that file only', async () => {
  const read = readerOf()
  const { pid } = saidIn(await read('before'))
  const reading = read('slow')
  await sleep(200)
  process.kill(pid, 'SIGKILL')
  expect(await reading).toMatchObject({ unread: 'CRASHED' })
  expect(saidIn(await read('after')).path).toBe('after')
})

test('the process is ended when no file has come for a while', async () => {
  const read = readerOf({ idleMs: 200 })
  const { pid } = saidIn(await read('only'))
  expect(isAlive(pid)).toBe(true)
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5_000 })
})

test('INV-18: organizations take turns, and a file that waits too long is not read', async () => {
  const read = readerOf({ answerMs: 2_500 })
  const [acme, globex] = [newId(), newId()]
  await read('warm')
  const order: string[] = []
  const noted = async (name: string, outcome: Promise<ReadOutcome>) => {
    const { unread } = (await outcome) as { unread?: string }
    order.push(unread ? `${name} ${unread}` : name)
  }
  await Promise.all([
    noted('acme 1', read('slow', acme)),
    noted('acme 2', read('a', acme)),
    noted('acme 3', read('slow', acme)),
    noted('acme 4', read('slow', acme)),
    noted('globex', read('b', globex)),
  ])
  expect(order.slice(0, 3).sort()).toEqual(['acme 1', 'acme 2', 'globex'])
  expect(order.indexOf('globex')).toBeLessThan(order.indexOf('acme 3 TOOK_TOO_LONG'))
  expect(order.slice(3).sort()).toEqual(['acme 3 TOOK_TOO_LONG', 'acme 4 BUSY'])
})

test('the memory of a process is known', async () => {
  expect(await residentBytes(process.pid)).toBeGreaterThan(20 * 1024 * 1024)
  expect(await residentBytes(undefined)).toBeUndefined()
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
