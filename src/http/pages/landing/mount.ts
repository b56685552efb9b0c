import type { FastifyInstance } from 'fastify'
import type { Language } from '../../../core/values/language.ts'
import type { ServerDependencies } from '../../server-dependencies.ts'
import { languageOf } from '../language.ts'
import { lazy } from '../lazy.ts'
import type { Assets } from '../page.ts'
import { published, send } from '../publish.ts'
import { landingPage } from './page.ts'

/** The landing page at `/`. It is the same for everybody, so each language is rendered once. */
export function mountLandingPage(
  app: FastifyInstance,
  { config }: Pick<ServerDependencies, 'config'>,
  { assets, hasMcp }: { assets: Assets; hasMcp: () => boolean },
) {
  const rendered = (lang: Language) =>
    lazy(() => published('html', landingPage({ config, assets, lang, hasMcp: hasMcp() })))
  const pages = { en: rendered('en'), he: rendered('he') }
  app.get<{ Querystring: { lang?: unknown } }>(
    '/',
    { config: { open: true }, exposeHeadRoute: true },
    (request, reply) => {
      const lang = languageOf(request.query.lang, request.headers['accept-language'])
      return send(request, reply.header('content-language', lang).header('vary', 'accept-language'), pages[lang]())
    },
  )
}
