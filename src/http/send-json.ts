import type { FastifyReply } from 'fastify'
import type { Config } from '../config/config.ts'
import { memoize } from '../core/values/memoize.ts'
import { acceptsGzip, compressedMin, gzipped } from './compress.ts'
import { securityHeaders } from './guard.ts'

/** The names and values of headers in turn, as `writeHead` takes them. */
export type Headers = string[]

type JsonAnswer = { status: number; body: string; headers: Headers; compressible?: boolean }

/**
 * Sends the JSON answer of an API operation with the headers that every answer has. It writes to the connection itself,
 * because Fastify's way to send took a twentieth of the time of a read; hooks on the response are called as usual, those on
 * sending are not, so an answer that sets a cookie is sent by Fastify. A long answer is compressed.
 */
export function sendJson(config: Config, reply: FastifyReply, answer: JsonAnswer): FastifyReply {
  const { status, body, headers, compressible = false } = answer
  const own = ['x-request-id', reply.request.id]
  reply.hijack()
  if (compressible && body.length >= compressedMin && acceptsGzip(reply.request.headers)) {
    void sendCompressed(reply, { status, body, headers: [...usualHeaders(config), ...own, ...headers] })
    return reply
  }
  own.push('content-length', String(Buffer.byteLength(body)))
  reply.raw.writeHead(status, [...usualHeaders(config), ...own, ...headers])
  reply.raw.end(body)
  return reply
}

/** Sends the answer plain if it cannot be compressed, for example because memory is short. */
async function sendCompressed({ raw }: FastifyReply, { status, body, headers }: JsonAnswer) {
  const bytes = await gzipped(body).catch(() => undefined)
  const sent = bytes ?? Buffer.from(body)
  const encoding = bytes ? ['content-encoding', 'gzip'] : []
  raw.writeHead(status, [...headers, ...encoding, 'vary', 'accept-encoding', 'content-length', String(sent.length)])
  raw.end(sent)
}

const usualHeaders = memoize(
  (config: Config): Headers =>
    Object.entries({
      ...securityHeaders(config),
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    }).flat(),
)
