import type { FastifyInstance } from 'fastify'
import { apiVersion, toolList } from '../../core/contract/tool-list.ts'
import type { Language } from '../../core/values/language.ts'
import { consentScript } from '../oauth/consent-script.ts'
import { accountScript } from '../pages/account/account-script.ts'
import { passkeyScript } from '../pages/account/passkey-script.ts'
import { documentScript } from '../pages/document/script.ts'
import { documentStyle } from '../pages/document/style.ts'
import { formScript } from '../pages/form-script.ts'
import { formStyle } from '../pages/form-style.ts'
import { landing } from '../pages/landing/landing.ts'
import { landingScript } from '../pages/landing/script.ts'
import { languageOf } from '../pages/landing/words.ts'
import { type Assets, icon } from '../pages/page.ts'
import { published, send } from '../pages/publish.ts'
import { style } from '../pages/style.ts'
import type { ServerDependencies } from '../server.ts'
import { openApi } from './openapi.ts'
import { reference } from './page.ts'
import { referenceScript } from './script.ts'

/** The system describing itself: OpenAPI, the list of tools, the reference and the front page. Each is made when first asked for. */
export function mountReference(
  app: FastifyInstance,
  { config, operations }: Pick<ServerDependencies, 'config' | 'operations'>,
): Assets {
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
    style: mount('kontor', 'css', style + formStyle + documentStyle),
    icon: mount('kontor', 'svg', icon),
    reference: mount('reference', 'js', referenceScript),
    landing: mount('landing', 'js', landingScript),
    consent: mount('consent', 'js', consentScript),
    customer: mount('customer', 'js', `(() => {${formScript}${documentScript}})()\n`),
    forms: mount('forms', 'js', `(() => {${formScript}${passkeyScript}${accountScript}})()\n`),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
