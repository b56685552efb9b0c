import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The compressed forms that the build writes beside each file, the smallest first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
]

/**
 * A file of the built web app with its compressed forms, read at once: an upgrade may replace the files while this server still
 * runs.
 */
export function builtFile(path: string) {
  const type = mediaTypes[extname(path)] ?? 'application/octet-stream'
  const plain = readFileSync(path)
  const forms = encodings
    .filter(({ extension }) => existsSync(path + extension))
    .map(({ name, extension }) => ({ name, content: readFileSync(path + extension), accepts: acceptedIn(name) }))
  return {
    content: plain,
    send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
      const form = forms.find(({ accepts }) => accepts(String(request.headers['accept-encoding'] ?? '')))
      reply.header('content-type', type).header('vary', 'accept-encoding')
      return form ? reply.header('content-encoding', form.name).send(form.content) : reply.send(plain)
    },
  }
}

/** Whether an Accept-Encoding names this encoding, and not with the weight 0. */
function acceptedIn(name: string): (header: string) => boolean {
  const pattern = new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`)
  return (header) => pattern.test(header)
}

/** The names of the assets, without their compressed forms. */
export const assetNames = (folder: string): string[] =>
  readdirSync(join(folder, 'assets')).filter((name) => extname(name) in mediaTypes)
