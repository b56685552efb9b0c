import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '../compress.ts'

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
    .map(({ name, extension }) => ({ name, content: readFileSync(path + extension), accepts: acceptsEncoding(name) }))
  return {
    content: plain,
    send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
      const form = forms.find(({ accepts }) => accepts(request.headers['accept-encoding']))
      reply.header('content-type', type).header('vary', 'accept-encoding')
      return form ? reply.header('content-encoding', form.name).send(form.content) : reply.send(plain)
    },
  }
}

/** The names of the assets, without their compressed forms. */
export const assetNames = (folder: string): string[] =>
  readdirSync(join(folder, 'assets')).filter((name) => extname(name) in mediaTypes)

/** Fonts of the web app that the other pages use too, by the beginning of the file's name. */
const fonts = [
  {
    name: 'inter-latin',
    family: 'Kontor Sans',
    range: 'U+0000-00FF, U+0131, U+0152-0153, U+2000-206F, U+20AC, U+2212',
  },
  { name: 'sans-hebrew', family: 'Kontor Sans', range: 'U+0590-05FF, U+20AA, U+FB1D-FB4F' },
  { name: 'serif-latin', family: 'Kontor Book', range: 'U+0000-00FF, U+2000-206F, U+20AC, U+2212' },
  { name: 'serif-hebrew', family: 'Kontor Book', range: 'U+0590-05FF, U+20AA, U+FB1D-FB4F' },
]

/** The rules that load these fonts; none if the web app is not built. */
export function fontFaces(folder: string): string {
  if (!existsSync(join(folder, 'assets'))) return ''
  const names = assetNames(folder)
  return fonts
    .flatMap(({ name, family, range }) => {
      const file = names.find((each) => each.startsWith(`${name}-`) && each.endsWith('.woff2'))
      if (!file) return []
      const source = `url("/assets/${file}") format("woff2")`
      return `@font-face { font-family: "${family}"; src: ${source}; font-weight: 100 900; font-display: swap; unicode-range: ${range}; }`
    })
    .join('\n')
}
