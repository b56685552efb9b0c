import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../../core/outside/storage.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { type S3Server, startS3, type Trouble } from '../../test/fakes/s3.ts'
import { createS3 } from './s3.ts'
import { openStorage } from './storage.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'kontor-storage-'))
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3({ folder: '/kontor' })
})
afterAll(async () => {
  await s3.close()
  rmSync(dataDir, { recursive: true })
})
afterEach(() => {
  s3.trouble.length = 0
})

const stores: Record<string, (home?: string) => Promise<Storage>> = {
  disk: (home = 'home') => openStorage({ dataDir, s3Url: undefined, home }),
  S3: (home = 'home') => openStorage({ dataDir, s3Url: new Secret(s3.url), home }),
}

async function brought(storage: Storage, content: string | Buffer) {
  const path = storage.scratch()
  await writeFile(path, content)
  const key = await storage.put(path)
  rmSync(path, { force: true })
  return key
}

const read = async (storage: Storage, key: string) => (await buffer(await storage.open(key))).toString()

async function everything(storage: Storage) {
  const keys: string[] = []
  let page = await storage.list()
  for (; page.next !== undefined; page = await storage.list(page.next)) keys.push(...page.objects.map(({ key }) => key))
  return [...keys, ...page.objects.map(({ key }) => key)].sort()
}

describe.each(Object.keys(stores))('the store on %s', (kind) => {
  const open = (home?: string) => stores[kind]?.(home) as Promise<Storage>

  test('stores a file and returns it', async () => {
    const storage = await open()
    const key = await brought(storage, 'hello')
    expect(await read(storage, key)).toBe('hello')
    expect(await storage.has(key)).toBe(true)
  })

  test('removes a file, and does nothing the second time', async () => {
    const storage = await open()
    const key = await brought(storage, 'hello')
    await storage.remove(key)
    await storage.remove(key)
    expect(await storage.has(key)).toBe(false)
    await expect(storage.open(key)).rejects.toMatchObject({ status: 500, details: [{ code: 'FILE_LOST' }] })
  })

  test('lists all its files with their time, and none of another installation', async () => {
    const [storage, other] = [await open('listed'), await open('other')]
    expect(await everything(storage)).toEqual([])
    const keys: string[] = []
    for (let n = 0; n < 5; n++) keys.push(await brought(storage, `${n}`))
    const foreign = await brought(other, 'x')
    expect(await everything(storage)).toEqual(keys.sort())
    const { objects } = await storage.list()
    for (const { modifiedAt } of objects) expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000)
    expect(await everything(other)).toEqual([foreign])
  })

  test('FLT-19: a restored copy reads the files of its original and cannot remove them', async () => {
    const [original, copy] = [await open('original'), await open('copy')]
    const key = await brought(original, 'hello')
    expect(await read(copy, key)).toBe('hello')
    expect(await everything(copy)).toEqual([])
    await copy.remove(key)
    expect(await read(original, key)).toBe('hello')
  })

  test('passes its write check', async () => expect(await (await open()).check()).toBeUndefined())
})

describe('the disk', () => {
  test('stores files readable by its own user only, under random names', async () => {
    const storage = await openStorage({ dataDir, s3Url: undefined, home: 'modes' })
    const path = storage.scratch()
    await writeFile(path, 'x', { mode: 0o600 })
    const name = (await storage.put(path)).split('/')[1] ?? ''
    expect(name).toMatch(/^[0-9A-Za-z]{43}$/)
    const kept = join(dataDir, 'files', 'modes', name.slice(0, 2), name)
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'files', 'modes')).mode & 0o777).toBe(0o700)
  })

  test.each(['home/../../../etc/passwd', '../x', 'home/', 'other/abc', `home/${'.'.repeat(43)}`, ''])(
    'THR-16: the key %j is refused',
    async (key) => {
      const storage = await openStorage({ dataDir, s3Url: undefined, home: 'home' })
      expect(await buffer(await storage.open(await brought(storage, 'x')))).toEqual(Buffer.from('x'))
      expect(() => storage.open(key)).toThrow(expect.objectContaining({ status: 500 }))
    },
  )

  test('a leftover of an interrupted check is not listed and hides no file', async () => {
    const storage = await openStorage({ dataDir, s3Url: undefined, home: 'probed' })
    const key = await brought(storage, 'x')
    writeFileSync(join(dataDir, 'files', 'probed', 'check-abcdefgh'), '')
    expect(await everything(storage)).toEqual([key])
  })

  test('a folder that is not writable is reported', async () => {
    const path = join(dataDir, 'no-folder')
    writeFileSync(path, '')
    const storage = await openStorage({ dataDir: path, s3Url: undefined, home: 'home' })
    await expect(storage.check()).rejects.toThrow(/ENOTDIR|EEXIST/)
    expect(() => storage.scratch()).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' })] }),
    )
  })
})

test('scratch files of ended processes are removed at the next start, and those of running ones are kept', async () => {
  const folder = join(dataDir, 'files', 'arriving')
  const storage = await openStorage({ dataDir, s3Url: undefined, home: 'home' })
  const mine = storage.scratch()
  const name = mine.split('/').at(-1) ?? ''
  const [host] = name.split('.')
  const names = {
    mine: name,
    parent: `${host}.${process.ppid}.abcdefgh.x`,
    dead: `${host}.4194305.abcdefgh.x`,
    before: `${host}.${process.pid}.other-life.x`,
    elsewhere: 'another-host.1.abcdefgh.x',
    elsewhereOld: 'another-host.1.abcdefgh.y',
  }
  for (const each of Object.values(names)) writeFileSync(join(folder, each), 'x')
  const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  utimesSync(join(folder, names.elsewhereOld), hoursAgo, hoursAgo)
  await openStorage({ dataDir, s3Url: undefined, home: 'home' })
  expect(readdirSync(folder).sort()).toEqual([names.mine, names.parent, names.elsewhere].sort())
  for (const each of readdirSync(folder)) rmSync(join(folder, each))
})

describe('S3', () => {
  test('stores files in the folder of S3_URL', async () => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'placed' })
    const key = await brought(storage, 'x')
    expect([...s3.objects.keys()]).toContain(`kontor/${key}`)
  })

  test('reads every page of a long listing', async () => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'long' })
    for (let n = 0; n < 2_345; n++) {
      s3.objects.set(`kontor/long/${n}`, { bytes: Buffer.from('x'), modifiedAt: new Date() })
    }
    expect(await everything(storage)).toHaveLength(2_345)
  })

  test.each<Trouble[]>([
    ['SlowDown'],
    ['SlowDown', 'SlowDown'],
    ['reset before'],
    ['reset within', 'SlowDown'],
    ['wrong etag'],
  ])('FLT: %s is retried until it succeeds', async (...trouble) => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'home' })
    s3.trouble.push(...trouble)
    const key = await brought(storage, Buffer.alloc(300_000, 'x'))
    expect((await read(storage, key)).length).toBe(300_000)
  })

  test.each<Trouble[]>([
    ['SlowDown', 'SlowDown', 'SlowDown'],
    ['reset before', 'reset before', 'reset before'],
    ['wrong etag', 'wrong etag', 'wrong etag'],
  ])('FLT: %s %s %s is reported after the last attempt', async (...trouble) => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'home' })
    s3.trouble.push(...trouble)
    await expect(brought(storage, 'x')).rejects.toMatchObject({
      status: 500,
      details: [{ code: 'STORAGE_UNAVAILABLE' }],
    })
    expect(s3.trouble).toEqual([])
  })

  test('a full store is reported at once', async () => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'home' })
    s3.trouble.push('full', 'full')
    await expect(brought(storage, 'x')).rejects.toMatchObject({ status: 500, details: [{ code: 'STORAGE_FULL' }] })
    expect(s3.trouble).toEqual(['full'])
  })

  test('a store that does not answer times out', async () => {
    const storage = createS3(new Secret(s3.url), 'home', { callMs: 100, downloadMs: 100 })
    s3.trouble.push('silence', 'silence', 'silence')
    await expect(storage.has('home/x')).rejects.toMatchObject({ details: [{ code: 'STORAGE_UNAVAILABLE' }] })
  })

  test('an interrupted download is an error, never a truncated file', async () => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'home' })
    const key = await brought(storage, Buffer.alloc(500_000, 'x'))
    s3.trouble.push('reset within')
    const stream = await storage.open(key)
    await expect(buffer(stream)).rejects.toThrow()
  })

  test('a wrong secret, region or bucket is reported', async () => {
    const wrong = [
      s3.url.replace('se%2Fcr', 'xx'),
      s3.url.replace('eu-test-1', 'us'),
      s3.url.replace('/books', '/none'),
    ]
    for (const url of wrong) {
      const storage = createS3(new Secret(url), 'home')
      await expect(storage.check()).rejects.toMatchObject({
        details: [{ code: 'STORAGE_UNAVAILABLE' }],
        cause: { status: expect.any(Number) },
      })
    }
    expect(s3.seen.slice(-3).map((line) => line.split(' ').at(-1))).toEqual(['403', '403', '404'])
  })

  test('LOAD-09: many uploads are sent a few at a time', async () => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'home' })
    s3.gather(4)
    await Promise.all(Array.from({ length: 12 }, () => brought(storage, Buffer.alloc(100_000, 'x'))))
    expect(s3.uploadsMost()).toBe(4)
    s3.gather(1)
  })

  test('an uploaded scratch file is left to the caller', async () => {
    const storage = await openStorage({ dataDir, s3Url: new Secret(s3.url), home: 'home' })
    const path = storage.scratch()
    await writeFile(path, 'x')
    await storage.put(path)
    expect(await readFile(path, 'utf8')).toBe('x')
    rmSync(path)
  })
})
