import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesGzip } from '../compress.ts'

const mediaTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** A text with its hash and gzipped form, so that `send` can answer plain, compressed or 304. */
export type CachedText = { type: string; hash: string; text: string; gzipped: Buffer }

export const published = (kind: keyof typeof mediaTypes, text: string): CachedText => ({
  type: mediaTypes[kind],
  hash: createHash('sha256').update(text).digest('base64url').slice(0, 12),
  text,
  gzipped: gzipSync(text),
})

export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, hash, text, gzipped }: CachedText,
  cacheControl = 'no-cache',
) {
  const { 'if-none-match': known = '', 'accept-encoding': accepted } = request.headers
  const etag = `W/"${hash}"` // weak: the same for the compressed and the plain form
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ')
  reply.header('etag', etag).header('cache-control', cacheControl).header('vary', vary)
  if (known.split(/,\s*/).some((tag) => tag === '*' || tag.replace(/^W\//, '') === `"${hash}"`))
    return reply.code(304).send()
  reply.header('content-type', type)
  return namesGzip(accepted) ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(text)
}
