import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini } from 's3mini'
import { Failure } from '../../core/define/failure.ts'
import { fileLost, storageFull, storageUnavailable, toStorageFailure } from '../../core/files/storage-failure.ts'
import type { Page, Storage } from '../../core/outside/storage.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { base62 } from '../../core/values/id.ts'
import { createConcurrencyLimit } from './concurrency.ts'
import { hasPrefix } from './prefix.ts'

const callMs = 15_000
/** A download goes at the pace of whoever reads it. */
const downloadMs = 120_000
const waitsMs = [100, 400]
const pageSize = 1000
/** An upload is held in memory while it is sent, so few are sent at a time. */
const sendingMax = 4

/** Files in an S3-compatible store. Every call can be repeated without harm, so trouble is tried again a few times. */
export function createS3(url: Secret, home: string, limits = { callMs, downloadMs }): Omit<Storage, 'scratch'> {
  const { calls, downloads, prefix } = clientsOf(url, limits)
  const inTurn = createConcurrencyLimit(sendingMax)
  const nameOf = (key: string) => `${prefix}${key}`

  /** The same name each time: a repeated upload that had arrived after all changes nothing. */
  const put = (path: string) =>
    inTurn(async () => {
      const bytes = await readFile(path).catch(fail)
      const key = `${home}/${base62(43)}`
      await persistently(async () => requireWhole(await calls.putObject(nameOf(key), bytes), bytes))
      return key
    })

  async function list(after?: string): Promise<Page> {
    const found = await persistently(() => calls.listObjectsPaged('/', nameOf(`${home}/`), pageSize, after))
    if (!found) throw storageUnavailable(new Error('The bucket is not there'))
    const objects = (found.objects ?? []).map((object) => ({
      key: object.Key.slice(prefix.length),
      modifiedAt: new Date(object.LastModified),
    }))
    return { objects, ...(found.nextContinuationToken && { next: found.nextContinuationToken }) }
  }

  return {
    put,
    list,
    async open(key) {
      const answer = await persistently(() => downloads.getObjectResponse(nameOf(key)))
      if (!answer?.body) throw fileLost(new Error('No such object'))
      return Readable.fromWeb(answer.body)
    },
    has: async (key) => (await persistently(() => calls.objectExists(nameOf(key)))) === true,
    remove: async (key) => void (hasPrefix(key, home) && (await persistently(() => calls.deleteObject(nameOf(key))))),
    async check() {
      const name = nameOf(`${home}/check-${base62(8)}`)
      await persistently(() => calls.putObject(name, 'May Kontor write here?'))
      await persistently(() => calls.deleteObject(name))
    },
  }
}

function clientsOf(secret: Secret, limits: { callMs: number; downloadMs: number }) {
  const url = new URL(secret.reveal())
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean)
  const settings = {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    endpoint: `${url.protocol.replace('s3+', '')}//${url.host}/${bucket}`,
    region: url.searchParams.get('region') ?? 'auto',
  }
  return {
    calls: new S3mini({ ...settings, requestAbortTimeout: limits.callMs }),
    downloads: new S3mini({ ...settings, requestAbortTimeout: limits.downloadMs }),
    prefix: folders.map((folder) => `${folder}/`).join(''),
  }
}

/** The store names the MD5 of what it has kept, unless it seals with keys of its own. */
function requireWhole(answer: Response, bytes: Buffer) {
  const sealed = answer.headers.get('x-amz-server-side-encryption')?.startsWith('aws:kms')
  const told = answer.headers.get('etag')?.replaceAll('"', '')
  if (sealed || !/^[0-9a-f]{32}$/.test(told ?? '')) return
  if (told !== createHash('md5').update(bytes).digest('hex')) throw new Error('The store has kept something else')
}

/** Tries again what may go better next time, and says the rest in our words. */
async function persistently<T>(call: () => Promise<T>): Promise<T> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await call()
    } catch (error) {
      const waitMs = waitsMs[failed]
      if (waitMs === undefined || !mayPass(error)) throw meaningOf(error)
      await sleep(waitMs * (0.5 + Math.random()))
    }
  }
}

const statusOf = (error: unknown) =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined

/** No answer, a wrong one, or one that says so itself. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined || status === 408 || status === 429 || (status >= 500 && status !== 507)
}

function meaningOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  const isFull = statusOf(error) === 507 || (error instanceof Error && /StorageFull|QuotaExceeded/.test(error.message))
  return isFull ? storageFull(error) : storageUnavailable(error)
}

const fail = (error: unknown): never => {
  throw toStorageFailure(error)
}
