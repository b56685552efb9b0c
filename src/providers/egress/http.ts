import { type IncomingMessage, request, validateHeaderName, validateHeaderValue } from 'node:http'
import type { Socket } from 'node:net'
import { TargetFailure, toTargetFailure } from '../../core/outside/target-failure.ts'

export type Request = {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: Uint8Array
}

/** Headers as they go out, checked before anything is connected. What frames the message is ours to say. */
export function headersOf({ url, headers, body }: Request): Record<string, string | number> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  for (const [name, value] of given) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    if (
      /^(host|connection|content-length|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*)$/.test(name)
    ) {
      throw new Error(`The header ${name} is set by the connection alone.`)
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

/** One request on a connection of its own; answers when the head of the response is there. */
export function exchange({ socket, request: asked, firstByteMs, signal }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, url, body } = asked
    const sent = request({
      createConnection: () => socket, // with neither agent nor pool: nothing is shared, no proxy variable is read
      method,
      path: url.pathname + url.search,
      headers: headersOf(asked),
      setHost: false,
      maxHeaderSize: headBytesMax,
      insecureHTTPParser: false,
    })
    const silent = setTimeout(() => sent.destroy(new TargetFailure('silent')), firstByteMs)
    const stop = () => sent.destroy(signal.reason)
    signal.addEventListener('abort', stop)
    sent.on('socket', (used) => used.once('data', () => clearTimeout(silent)))
    sent.on('response', (response) => {
      response.on('error', () => {}) // whoever reads the body is told; nobody else needs to be
      resolve(response)
    })
    sent.on('error', (error) => reject(toTargetFailure(error)))
    sent.on('close', () => {
      clearTimeout(silent)
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
