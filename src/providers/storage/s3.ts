import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
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
/** A download is as slow as its reader. */
const downloadMs = 120_000
const retryDelaysMs = [100, 400]
const pageSize = 1000
/** Uploads sent at a time: each is in memory while it is sent. */
const uploadsMax = 4

/** Files in an S3-compatible store. Every call is idempotent, so failed calls are retried a few times. */
export function createS3(url: Secret, home: string, limits = { callMs, downloadMs }): Omit<Storage, 'scratch'> {
  const { calls, downloads, prefix } = clientsOf(url, limits)
  const limited = createConcurrencyLimit(uploadsMax)
  const nameOf = (key: string) => `${prefix}${key}`

  /** All attempts use the same name, so a repeated upload changes nothing if the first one had arrived. */
  const put = (path: string) =>
    limited(async () => {
      const bytes = await readFile(path).catch(fail)
      const key = `${home}/${base62(43)}`
      await withRetries(async () => requireWhole(await calls.putObject(nameOf(key), bytes), bytes))
      return key
    })

  async function list(after?: string): Promise<Page> {
    const found = await withRetries(() => calls.listObjectsPaged('/', nameOf(`${home}/`), pageSize, after))
    if (!found) throw storageUnavailable(new Error('The bucket does not exist'))
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
      const answer = await withRetries(() => downloads.getObjectResponse(nameOf(key)))
      if (!answer?.body) throw fileLost(new Error('No such object'))
      return Readable.fromWeb(answer.body as NodeStream) // the types of Node and of browsers differ
    },
    has: async (key) => (await withRetries(() => calls.objectExists(nameOf(key)))) === true,
    remove: async (key) => void (hasPrefix(key, home) && (await withRetries(() => calls.deleteObject(nameOf(key))))),
    async check() {
      const name = nameOf(`${home}/check-${base62(8)}`)
      await withRetries(() => calls.putObject(name, 'May Kontor write here?'))
      await withRetries(() => calls.deleteObject(name))
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

/** Compares the MD5 in the answer. A store that encrypts with its own keys sends no MD5. */
function requireWhole(answer: Response, bytes: Buffer) {
  const isEncrypted = answer.headers.get('x-amz-server-side-encryption')?.startsWith('aws:kms')
  const etag = answer.headers.get('etag')?.replaceAll('"', '')
  if (isEncrypted || !/^[0-9a-f]{32}$/.test(etag ?? '')) return
  if (etag !== createHash('md5').update(bytes).digest('hex')) throw new Error('The store has stored other bytes')
}

/** Retries transient errors, and turns the others into a failure. */
async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await call()
    } catch (error) {
      const waitMs = retryDelaysMs[failed]
      if (waitMs === undefined || !isTransient(error)) throw toFailure(error)
      await sleep(waitMs * (0.5 + Math.random()))
    }
  }
}

const statusOf = (error: unknown) =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined

/** Errors without a status, timeouts, rate limits and server errors are transient. */
function isTransient(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined || status === 408 || status === 429 || (status >= 500 && status !== 507)
}

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const isFull = statusOf(error) === 507 || (error instanceof Error && /StorageFull|QuotaExceeded/.test(error.message))
  return isFull ? storageFull(error) : storageUnavailable(error)
}

const fail = (error: unknown): never => {
  throw toStorageFailure(error)
}
