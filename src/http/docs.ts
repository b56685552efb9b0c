import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiVersion, toolList } from '../core/tools.ts'
import { consentScript } from './oauth/consent-script.ts'
import { openApi } from './openapi.ts'
import { landing } from './pages/landing.ts'
import { landingScript } from './pages/landing-script.ts'
import { type Language, languageOf } from './pages/landing-words.ts'
import { type Assets, icon } from './pages/page.ts'
import { reference } from './pages/reference.ts'
import { referenceScript } from './pages/reference-script.ts'
import { style } from './pages/style.ts'
import type { Ground } from './server.ts'

/** The system describing itself: OpenAPI, the list of tools, the reference and the front page. Each is made when first asked for. */
export function mountDocs(app: FastifyInstance, { config, operations }: Pick<Ground, 'config' | 'operations'>): Assets {
  const open = { config: { open: true }, exposeHeadRoute: true } as const
  const { url } = config
  const assets = mountAssets(app)
  const document = once(() => published('json', JSON.stringify(openApi(operations, { url, version: apiVersion }))))
  const tools = once(() => published('json', JSON.stringify(toolList(operations, new Date()))))
  const hasMcp = () => app.hasRoute({ method: 'POST', url: '/mcp' })
  const docs = once(() => published('html', reference(operations, { url, assets, hasMcp: hasMcp() })))
  const front = (lang: Language) => once(() => published('html', landing({ config, assets, lang, hasMcp: hasMcp() })))
  const fronts = { en: front('en'), he: front('he') }

  app.get('/api/openapi.json', open, (request, reply) => send(request, reply, document()))
  app.get('/api/tools', open, (request, reply) => send(request, reply, tools()))
  app.get('/docs', open, (request, reply) => send(request, reply, docs()))
  app.get<{ Querystring: { lang?: unknown } }>('/', open, (request, reply) => {
    const lang = languageOf(request.query.lang, request.headers['accept-language'])
    return send(request, reply.header('content-language', lang).header('vary', 'accept-language'), fronts[lang]())
  })
  return assets
}

/** Files that pages ask for. Their names change with their content, so they are kept for good. */
function mountAssets(app: FastifyInstance): Assets {
  const mount = (name: string, extension: 'css' | 'js' | 'svg', text: string) => {
    const asset = published(extension, text)
    const path = `/assets/${name}-${asset.hash}.${extension}`
    app.get(path, { config: { open: true }, exposeHeadRoute: true }, (request, reply) =>
      send(request, reply, asset, 'public, max-age=31536000, immutable'),
    )
    return path
  }
  return {
    style: mount('kontor', 'css', style),
    icon: mount('kontor', 'svg', icon),
    reference: mount('reference', 'js', referenceScript),
    landing: mount('landing', 'js', landingScript),
    consent: mount('consent', 'js', consentScript),
  }
}

const mediaTypes = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

type Published = { type: string; hash: string; text: string; gzipped: Buffer }

const published = (kind: keyof typeof mediaTypes, text: string): Published => ({
  type: mediaTypes[kind],
  hash: createHash('sha256').update(text).digest('base64url').slice(0, 12),
  text,
  gzipped: gzipSync(text),
})

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, hash, text, gzipped }: Published,
  keep = 'no-cache',
) {
  const { 'if-none-match': known = '', 'accept-encoding': accepted = '' } = request.headers
  const etag = `W/"${hash}"` // weak: the same for the compressed and the plain form
  const vary = [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', ')
  reply.header('etag', etag).header('cache-control', keep).header('vary', vary)
  if (known.split(/,\s*/).some((tag) => tag === '*' || tag.replace(/^W\//, '') === `"${hash}"`))
    return reply.code(304).send()
  reply.header('content-type', type)
  return /\bgzip\b/.test(String(accepted)) ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(text)
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
