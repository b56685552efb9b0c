import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An S3-compatible server. It refuses requests without a valid signature (version 4). */
export type S3Server = {
  url: string
  objects: Map<string, { bytes: Buffer; modifiedAt: Date }>
  /** The faults of the next requests, in order. */
  trouble: Trouble[]
  /** Every request, in short: `PUT /bucket/a 200`. */
  seen: string[]
  /** Answers uploads only when this many are in progress. */
  gather(count: number): void
  /** The largest number of uploads at the same time. */
  uploadsMost(): number
  close(): Promise<void>
}

export type Trouble = 'SlowDown' | 'reset before' | 'reset within' | 'wrong etag' | 'silence' | 'full'

const [accessKey, secretKey, region, bucket] = ['KEYID', 'se/cr+et', 'eu-test-1', 'books']
const skewMaxMs = 15 * 60 * 1000

export async function startS3({ secret = secretKey, folder = '' } = {}): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const [trouble, seen]: [Trouble[], string[]] = [[], []]
  const uploads = { now: 0, most: 0, gather: 1, waiting: [] as (() => void)[] }

  const server = createServer(async (request, response) => {
    const { socket } = request
    const met = trouble.shift()
    if (met === 'reset before') return void socket.destroy()
    if (met === 'silence') return
    if (request.method === 'PUT') {
      uploads.most = Math.max(uploads.most, ++uploads.now)
      const gathered = new Promise<void>((resolve) => uploads.waiting.push(resolve))
      if (uploads.waiting.length >= uploads.gather) for (const go of uploads.waiting.splice(0)) go()
      await gathered
    }
    try {
      const body = await bodyOf(request, met === 'reset within' && request.method === 'PUT')
      const status = await answer({ request, response, body, objects, ...(met && { met }) })
      seen.push(`${request.method} ${request.url?.split('?')[0]} ${status}`)
    } catch {
      socket.destroy()
    } finally {
      if (request.method === 'PUT') uploads.now -= 1
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `s3+http://${accessKey}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${bucket}${folder}?region=${region}`,
    objects,
    trouble,
    seen,
    gather: (count) => {
      uploads.gather = count
    },
    uploadsMost: () => uploads.most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage, breaksOff: boolean): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) {
    pieces.push(piece)
    if (breaksOff) throw new Error('broken off')
  }
  return Buffer.concat(pieces)
}

type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
  objects: S3Server['objects']
  met?: Trouble
}

async function answer({ request, response, body, objects, met }: Exchange): Promise<number> {
  const refused = signatureError(request, body)
  if (refused) return error(response, 403, refused)
  if (met === 'SlowDown') return error(response, 503, 'SlowDown')
  if (met === 'full') return error(response, 507, 'XMinioStorageFull')
  const url = new URL(request.url ?? '/', 'http://s3')
  const [, place, ...rest] = url.pathname.split('/')
  const key = decodeURIComponent(rest.join('/'))
  if (place !== bucket) return error(response, 404, 'NoSuchBucket')
  if (key === '') return list(response, url.searchParams, objects)
  const found = objects.get(key)
  switch (request.method) {
    case 'PUT':
      objects.set(key, { bytes: body, modifiedAt: new Date() })
      return send(response, 200, '', { etag: `"${met === 'wrong etag' ? '0'.repeat(32) : md5(body)}"` })
    case 'DELETE':
      objects.delete(key)
      return send(response, 204, '')
    case 'HEAD':
    case 'GET':
      if (!found) return error(response, 404, 'NoSuchKey')
      if (met === 'reset within') return breakOff(response, found.bytes)
      return send(response, 200, found.bytes, { etag: `"${md5(found.bytes)}"` })
    default:
      return error(response, 405, 'MethodNotAllowed')
  }
}

function list(response: ServerResponse, query: URLSearchParams, objects: S3Server['objects']): number {
  if (query.get('list-type') !== '2') return error(response, 400, 'InvalidArgument')
  const prefix = query.get('prefix') ?? ''
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
  const max = Number(query.get('max-keys') ?? 1000)
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const page = keys.slice(0, max)
  const contents = page.map((key) => {
    const { bytes, modifiedAt } = objects.get(key) ?? { bytes: Buffer.alloc(0), modifiedAt: new Date(0) }
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>&quot;${md5(bytes)}&quot;</ETag><Size>${bytes.length}</Size></Contents>`
  })
  const more = keys.length > max
  const token = more
    ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64')}</NextContinuationToken>`
    : ''
  const text = `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${max}</MaxKeys><IsTruncated>${more}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`
  return send(response, 200, text, { 'content-type': 'application/xml' })
}

/** Computes the signature from the secret; the error code if the request does not match it. */
function signatureError({ method, url, headers }: IncomingMessage, body: Buffer): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (!given) return 'AccessDenied'
  const [, key, day = '', itsRegion, names = '', signature] = given
  const at = String(headers['x-amz-date'])
  const instant = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - instant) < skewMaxMs) || !at.startsWith(day)) return 'RequestTimeTooSkewed'
  if (key !== accessKey || itsRegion !== region) return 'InvalidAccessKeyId'
  const signed = names.split(';')
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signed.includes(name))) return 'AccessDenied'
  const payload = String(headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hex(body)) return 'XAmzContentSHA256Mismatch'
  const [path = '', query = ''] = (url ?? '').split('?')
  const canonical = [
    method, path, query.split('&').filter(Boolean).sort().join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`), '', names, payload,
  ].join('\n') // biome-ignore format: as the protocol lists them
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', at, scope, hex(canonical)].join('\n')
  const signing = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretKey}`)
  return hmac(signing, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const hex = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const md5 = (data: Buffer) => createHash('md5').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest()

function send(response: ServerResponse, status: number, body: string | Buffer, headers: Record<string, string> = {}) {
  response
    .writeHead(status, { ...headers, ...(status !== 204 && { 'content-length': Buffer.byteLength(body) }) })
    .end(body)
  return status
}

const error = (response: ServerResponse, status: number, code: string) =>
  send(response, status, `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    'content-type': 'application/xml',
  })

function breakOff(response: ServerResponse, bytes: Buffer): number {
  response.writeHead(200, { 'content-length': bytes.length })
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.destroy())
  return 200
}
