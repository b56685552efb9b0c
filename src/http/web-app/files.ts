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

/** A file of the built web app. Each of its forms is read when it is first asked for, and kept. */
export type BuiltFile = { type: string; send(request: FastifyRequest, reply: FastifyReply): FastifyReply }

export function builtFile(path: string): BuiltFile {
  const type = mediaTypes[extname(path)] ?? 'application/octet-stream'
  const read = new Map<string, Buffer>()
  const content = (extension: string) => {
    const known = read.get(extension) ?? readFileSync(path + extension)
    read.set(extension, known)
    return known
  }
  const forms = encodings.filter(({ extension }) => existsSync(path + extension))
  return {
    type,
    send(request, reply) {
      const accepted = String(request.headers['accept-encoding'] ?? '')
      const form = forms.find(({ name }) => new RegExp(`\\b${name}\\b(?!;\\s*q=0(\\.0+)?(,|$))`).test(accepted))
      reply.header('content-type', type).header('vary', 'accept-encoding')
      if (form) reply.header('content-encoding', form.name)
      return reply.send(content(form?.extension ?? ''))
    },
  }
}

/** The names of the assets, without their compressed forms. */
export const assetNames = (folder: string): string[] =>
  readdirSync(join(folder, 'assets')).filter((name) => extname(name) in mediaTypes)
