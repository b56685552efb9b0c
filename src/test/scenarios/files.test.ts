import '../own-world.ts'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { form } from '../multipart-form.ts'
import { startApiHere } from '../processes/api-here.ts'
import { type ApiProcess, startApi } from '../processes/api-process.ts'
import { inProof, proves, sample } from '../prove.ts'
import { member, testConfig, theApp, theDatabase, withKey } from '../world.ts'

const uploadsAtOnce = inProof(4, 20)
const mebibyte = 1024 * 1024

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function started(dataDir: string): Promise<ApiProcess> {
  const api = await startApi(theDatabase(), { RATE_LIMIT_SCALE: '100', KONTOR_DATA: dataDir })
  ending.push(() => api.kill('SIGKILL'))
  return api
}

/** An API that neither ends nor is measured needs no process of its own. */
async function servingHere(dataDir: string) {
  const api = await startApiHere({ KONTOR_DATA: dataDir })
  ending.push(api.close)
  return api
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-files-'))
  ending.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function aKey() {
  const amy = await member('CONTRIBUTOR')
  const { authorization } = (await withKey(amy)).credentials as { authorization: string }
  return { authorization, organizationId: String(amy.organizationId) }
}

type Answer = {
  status: number
  body: { id: string; error?: { details?: { code?: string }[] } }
  headers: IncomingMessage['headers']
}

/** Starts an upload whose body the test writes. */
function begin(url: string, headers: Record<string, string | number>) {
  const sending = request(`${url}/api/files`, { method: 'POST', headers, agent: false })
  const answered = new Promise<Answer>((resolve, reject) => {
    sending.on('response', async (response) => {
      const body = JSON.parse(await text(response)) as Answer['body']
      resolve({ status: response.statusCode ?? 0, body, headers: response.headers })
    })
    sending.on('error', reject)
  })
  answered.catch(() => {})
  const closed = new Promise<void>((resolve) => sending.on('close', resolve))
  return { sending, answered, closed }
}

const codeOf = ({ body }: Answer) => body.error?.details?.[0]?.code

async function upload({ url }: { url: string }, authorization: string, bytes: Buffer): Promise<Answer> {
  const { body, headers } = form([{ name: 'file', value: bytes, fileName: 'a.bin' }])
  const { sending, answered } = begin(url, { ...headers, authorization, 'content-length': body.length })
  sending.end(body)
  return answered
}

const read = ({ url }: { url: string }, authorization: string, id: string) =>
  fetch(`${url}/api/files/${id}`, { headers: { authorization } }).then(async (answer) => ({
    status: answer.status,
    size: (await answer.arrayBuffer()).byteLength,
  }))

const arriving = (dataDir: string) => readdirSync(join(dataDir, 'files', 'arriving'))
const nothingArriving = (dataDir: string) => vi.waitFor(() => expect(arriving(dataDir)).toEqual([]), 10_000)

const filesOf = async (organizationId: string) =>
  (await theApp().system.raw.query('select id, storage_key from files where organization_id = $1', [organizationId]))
    .rows

/** Writes until this many bytes are sent or the server stops reading. */
async function keepWriting({ sending, closed }: Sending, bytes: number): Promise<number> {
  const piece = Buffer.alloc(256 * 1024, 'x')
  let sent = 0
  for (; sent < bytes && !sending.destroyed; sent += piece.length) {
    await Promise.race([closed, new Promise((resolve) => sending.write(piece, resolve))])
  }
  return sent
}
type Sending = ReturnType<typeof begin>

const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
const formType = { 'content-type': 'multipart/form-data; boundary=x' }

/** An API that all tests use which do not end or measure it. */
const dataDir = mkdtempSync(join(tmpdir(), 'kontor-files-'))
let api: ApiProcess
beforeAll(async () => {
  api = await startApi(theDatabase(), { RATE_LIMIT_SCALE: '100', KONTOR_DATA: dataDir })
})
afterAll(async () => {
  await api?.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** The API of all in `npm test`, a new one where its memory is measured. */
async function measurable(): Promise<{ api: ApiProcess; dataDir: string }> {
  if (!proves) return { api, dataDir }
  const folder = newFolder()
  return { api: await started(folder), dataDir: folder }
}

describe('FLT-12: an upload above the limit is refused while it arrives, and nothing of it is stored', () => {
  test('100 MB that are announced are refused before they are sent', async () => {
    const { authorization, organizationId } = await aKey()
    const types = [formType, { 'content-type': 'application/json' }]
    for (const type of types) {
      const { sending, answered, closed } = begin(api.url, { ...type, authorization, 'content-length': 100_000_000 })
      sending.flushHeaders()
      const answer = await answered
      expect([answer.status, codeOf(answer), answer.headers.connection]).toEqual([400, 'FILE_TOO_LARGE', 'close'])
      await closed
    }
    expect(await filesOf(organizationId)).toEqual([])
  })

  // Both are counted where they arrive. That a byte too many is refused is shown of both by features/platform/files/operations.test.ts.
  const forms: [string, Record<string, string>, string][] = [
    ['as a form', formType, head],
    ['as JSON', { 'content-type': 'application/json' }, '{"file":{"fileName":"a","base64":"'],
  ]
  test.each(sample(forms, 2))(
    '100 MB that are not announced are cut off %s',
    async (_, type, beginning) => {
      const { authorization, organizationId } = await aKey()
      const begun = begin(api.url, { ...type, authorization })
      const { sending, answered, closed } = begun
      sending.write(beginning)
      const sent = keepWriting(begun, 100 * mebibyte)
      const answer = await answered
      expect([answer.status, codeOf(answer)]).toEqual([400, 'FILE_TOO_LARGE'])
      await closed
      expect(await sent).toBeGreaterThan(19 * mebibyte)
      await nothingArriving(dataDir)
      expect(await filesOf(organizationId)).toEqual([])
      expect(await upload(api, authorization, Buffer.alloc(1000, 'x'))).toMatchObject({ status: 201 })
    },
    60_000,
  )

  test('the body of a caller without access is not read', async () => {
    const { authorization } = await aKey()
    const reader = {
      authorization: String(Object.values((await withKey(await member('OWNER'), ['customers:read'])).credentials)[0]),
    }
    const cases = [
      [{}, 401],
      [{ authorization: 'Bearer nonsense' }, 401],
      [reader, 403],
    ] as const
    for (const [headers, status] of cases) {
      const { sending, answered, closed } = begin(api.url, { ...formType, ...headers, 'content-length': 20_000_000 })
      sending.write(head) // and nothing more: the answer does not wait for the body
      expect(await answered).toMatchObject({ status, headers: { connection: 'close' } })
      await closed
    }
    expect(await upload(api, authorization, Buffer.from('x'))).toMatchObject({ status: 201 })
  })

  test('an aborted upload leaves nothing', async () => {
    const { authorization, organizationId } = await aKey()
    const half = 5 * mebibyte
    const bodies = [
      [formType, head],
      [{ 'content-type': 'application/json' }, '{"file":{"fileName":"a","base64":"'],
    ] as const
    for (const [type, beginning] of bodies) {
      const begun = begin(api.url, { ...type, authorization, 'content-length': 2 * half })
      const { sending, closed } = begun
      sending.write(beginning)
      await keepWriting(begun, half)
      await vi.waitFor(() => expect(arriving(dataDir)).toHaveLength(1), 10_000)
      sending.destroy()
      await closed
      await nothingArriving(dataDir)
    }
    expect(await filesOf(organizationId)).toEqual([])
    expect(await upload(api, authorization, Buffer.from('x'))).toMatchObject({ status: 201 })
  })
})

test('LOAD-09: many uploads at once are all answered, within the memory limit', async () => {
  const { api, dataDir } = await measurable()
  const { authorization, organizationId } = await aKey()
  const idle = (await upload(api, authorization, Buffer.from('x'))) && memoryOf(api).now
  const whole = Buffer.alloc(20 * mebibyte, 'x')
  const together = async (count: number, bytes: Buffer) =>
    (await Promise.all(Array.from({ length: count }, () => upload(api, authorization, bytes)))).map(
      ({ status }) => status,
    )
  expect(await together(1, whole)).toEqual([201])
  const one = memoryOf(api).most / idle
  expect(await together(uploadsAtOnce, whole)).toEqual(Array(uploadsAtOnce).fill(201))
  const many = memoryOf(api).most / idle
  const crowd = await together(101, Buffer.alloc(64 * 1024, 'x'))
  expect(crowd.every((status) => status === 201 || status === 429)).toBe(true)
  expect(crowd.filter((status) => status === 201).length).toBeGreaterThanOrEqual(100)
  await nothingArriving(dataDir)
  expect((await filesOf(organizationId)).length).toBe(
    2 + uploadsAtOnce + crowd.filter((status) => status === 201).length,
  )
  if (!proves) return
  process.stdout.write(`resident memory against idle: one ${one.toFixed(2)}, twenty ${many.toFixed(2)}\n`)
  expect(one).toBeLessThanOrEqual(1.5)
  expect(many).toBeLessThanOrEqual(3)
})

/** Resident memory of a process, now and at its peak; known on Linux only. */
function memoryOf({ child }: ApiProcess) {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 1)
    return { now: field('VmRSS'), most: field('VmHWM') }
  } catch {
    return { now: 1, most: 1 }
  }
}

describe('FLT-08: a full disk is reported, leaves nothing behind, and uploads work again when there is room', () => {
  async function expectFull(api: { url: string }, dataDir: string, makeRoom: () => void) {
    const { authorization, organizationId } = await aKey()
    const big = Buffer.alloc(3 * mebibyte, 'x')
    const small = await upload(api, authorization, Buffer.from('small'))
    for (let tries = 0; tries < 3; tries++) {
      const answer = await upload(api, authorization, big)
      expect([answer.status, codeOf(answer)]).toEqual([500, 'STORAGE_FULL'])
    }
    await nothingArriving(dataDir)
    expect(await filesOf(organizationId)).toMatchObject([{ id: small.body.id }])
    expect(await read(api, authorization, small.body.id)).toEqual({ status: 200, size: 5 })
    makeRoom()
    const after = await upload(api, authorization, big)
    expect(after.status).toBe(201)
    expect(await read(api, authorization, after.body.id)).toEqual({ status: 200, size: big.length })
  }

  test.runIf(proves)('a small disk (needs to mount one)', async (context) => {
    const dataDir = newFolder()
    const files = join(dataDir, 'files')
    mkdirSync(files)
    if (!tried('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', files])) {
      return context.skip('mounting a small disk needs root; the next test needs none')
    }
    ending.push(() => execFileSync('umount', ['-l', files]))
    const api = await servingHere(dataDir)
    const ballast = join(files, 'ballast')
    writeFileSync(ballast, Buffer.alloc(6 * mebibyte))
    await expectFull(api, dataDir, () => rmSync(ballast))
  })

  test('files that may not grow', async (context) => {
    const limit = (size: string) => tried('prlimit', ['--pid', String(api.child.pid), `--fsize=${size}:unlimited`])
    if (!limit(String(mebibyte))) return context.skip('prlimit (util-linux) is not installed')
    ending.push(() => limit('unlimited'))
    await expectFull(api, dataDir, () => expect(limit('unlimited')).toBe(true))
  })
})

function tried(command: string, words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('FLT-01 FLT-08: an API killed during uploads leaves no row without its file, and the next start removes incomplete files', async () => {
  const { dataDir } = testConfig() // so that this process's store is the one under test
  const { authorization, organizationId } = await aKey()
  const acknowledged: string[] = []
  for (let round = 0; round < inProof(1, 10); round++) {
    const api = await started(dataDir)
    const keepGoing = async (): Promise<void> => {
      const answer = await upload(api, authorization, Buffer.alloc(mebibyte, 'x')).catch(() => undefined)
      if (!answer) return
      if (answer.status === 201) acknowledged.push(answer.body.id)
      return keepGoing()
    }
    const enough = acknowledged.length + 6
    const burst = Promise.all(Array.from({ length: 6 }, keepGoing))
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(enough), { timeout: 60_000, interval: 5 })
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
    await api.kill('SIGKILL')
    await burst
    for (const { storage_key: key } of await filesOf(organizationId)) {
      expect(await theApp().providers.storage.has(key)).toBe(true)
    }
  }
  const rows = await filesOf(organizationId)
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  const last = await servingHere(dataDir)
  expect(arriving(dataDir)).toEqual([])
  for (const id of acknowledged.slice(-5)) {
    expect(await read(last, authorization, id)).toEqual({ status: 200, size: mebibyte })
  }
})
