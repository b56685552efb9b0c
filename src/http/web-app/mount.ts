import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { sessionCookie } from '../auth/credentials.ts'
import { securityHeaders } from '../guard.ts'
import { appAddresses } from './addresses.ts'
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
  const policy = pagePolicy(config)
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    if (!sessionCookie(request, config)) {
      const next = encodeURIComponent(request.url)
      return reply.header('cache-control', 'no-store').redirect(`/sign-in?next=${next}`, 302)
    }
    reply.header('cache-control', 'no-cache').header('etag', etag).header('content-security-policy', policy)
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : page.send(request, reply)
  }
  for (const address of appAddresses) app.get(address, open, sendPage)
}

/** Pictures that are not uploaded yet are shown from memory. */
const pagePolicy = (config: Config) => {
  const policy = securityHeaders(config)['content-security-policy']
  return policy.replace("img-src 'self' data:", "img-src 'self' data: blob:")
}
