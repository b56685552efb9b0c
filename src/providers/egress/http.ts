import { type IncomingMessage, request, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Socket } from 'node:net'
import { TargetFailure, toTargetFailure } from '../../core/outside/target-failure.ts'

export type Request = {
  method: 'GET' | 'POST' | 'PUT'
  url: URL
  headers: Record<string, string>
  body?: Uint8Array
}

/** Checks and completes the headers of a request. Headers that control the connection cannot be given. */
export function headersOf({ url, headers, body }: Request): Record<string, string | number> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  for (const [name, value] of given) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    if (
      /^(host|connection|content-length|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*)$/.test(name)
    ) {
      throw new Error(`The header ${name} cannot be set: the connection sets it.`)
    }
  }
  return {
    'user-agent': 'Kontor',
    'accept-encoding': 'gzip',
    ...Object.fromEntries(given),
    host: url.host,
    connection: 'close',
    ...(body && { 'content-length': body.byteLength }),
  }
}

type Exchange = { socket: Socket; request: Request; firstByteMs: number; signal: AbortSignal }

/** Sends one request on a separate connection; resolves when the headers of the response have arrived. */
export function exchange({ socket, request: input, firstByteMs, signal }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, url, body } = input
    const sent = request({
      createConnection: () => socket, // without an agent or a pool: nothing is shared, and no proxy variable is read
      method,
      path: url.pathname + url.search,
      headers: headersOf(input),
      setHost: false,
      maxHeaderSize: headBytesMax,
      insecureHTTPParser: false,
    })
    const timer = setTimeout(() => sent.destroy(new TargetFailure('silent')), firstByteMs)
    const stop = () => sent.destroy(signal.reason)
    signal.addEventListener('abort', stop)
    sent.on('socket', (used) => used.once('data', () => clearTimeout(timer)))
    sent.on('response', (response) => {
      response.on('error', () => {}) // the reader of the body gets the error
      resolve(response)
    })
    sent.on('error', (error) => reject(toTargetFailure(error)))
    sent.on('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      reject(new TargetFailure('broken'))
    })
    sent.end(body)
  })
}

/** `Retry-After` in seconds, from either of its forms, at most ten minutes. */
export function retryAfterOf({ headers }: IncomingMessage, now: Date): number | undefined {
  const text = headers['retry-after']?.trim()
  if (!text) return undefined
  const until = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((until - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), retryAfterMaxS)
}

const headBytesMax = 16 * 1024
const retryAfterMaxS = 600
