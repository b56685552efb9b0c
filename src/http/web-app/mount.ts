import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { sessionCookie } from '../auth/credentials.ts'
import { securityHeaders } from '../guard.ts'
import { appAddresses, appPath } from './addresses.ts'
import { assetNames, builtFile } from './files.ts'

const open = { config: { open: true }, exposeHeadRoute: true } as const

/**
 * Serves the web app that scripts/web.mjs has built: its assets, whose names contain a hash, for a year, and its page for every
 * address of the app. Whoever has no session is sent to the sign-in page first.
 */
export function mountWebApp(app: FastifyInstance, config: Config, folder: string) {
  if (!existsSync(join(folder, 'index.html'))) return
  for (const name of assetNames(folder)) {
    const file = builtFile(join(folder, 'assets', name))
    app.get(`/assets/${name}`, open, (request, reply) =>
      file.send(request, reply.header('cache-control', 'public, max-age=31536000, immutable')),
    )
  }
  const page = builtFile(join(folder, 'index.html'))
  const etag = `W/"${createHash('sha256').update(page.content).digest('base64url').slice(0, 12)}"`
  const policy = pagePolicy(config, page.content.toString())
  const preloads = preloadsIn(folder)
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    if (!sessionCookie(request, config)) {
      const next = encodeURIComponent(request.url)
      return reply.header('cache-control', 'no-store').redirect(`/sign-in?next=${next}`, 302)
    }
    reply.header('cache-control', 'no-cache').header('etag', etag).header('content-security-policy', policy)
    const link = preloads(request.url)
    if (link) reply.header('link', link)
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : page.send(request, reply)
  }
  for (const address of appAddresses) app.get(address, open, sendPage)
}

/** The Link header of an address: the scripts of its screen, which the browser then loads together with the first one. */
function preloadsIn(folder: string): (url: string) => string | undefined {
  const scripts: Record<string, string[]> = JSON.parse(readFileSync(join(folder, 'preloads.json'), 'utf8'))
  const links = new Map(
    Object.entries(scripts).map(([address, names]) => [
      address,
      names.map((name) => `<${name}>; rel=modulepreload`).join(', '),
    ]),
  )
  return (url) => {
    const path = url.split('?')[0] ?? ''
    const screen = path === appPath ? '' : /^\/o\/[^/]+\/?([^/]*)$/.exec(path)?.[1]
    return screen === undefined ? undefined : links.get(screen)
  }
}

/** Pictures that are not uploaded yet are shown from memory. The script inside the page, and no other, is allowed by its hash. */
const pagePolicy = (config: Config, page: string) => {
  const policy = securityHeaders(config)['content-security-policy']
  const inside = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => ` 'sha256-${hashOf(script)}'`)
  return `${policy.replace("img-src 'self' data:", "img-src 'self' data: blob:")}; script-src 'self'${inside.join('')}`
}
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')
