import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../core/define/failure.ts'
import { type Operation, onSurface } from '../../../core/define/operation.ts'
import { isFile } from '../../../core/files/file.ts'
import type { Language } from '../../../core/values/language.ts'
import { rateLimitAddress } from '../../../core/values/rate-limit-address.ts'
import {
  noteViewName,
  type PublicLink,
  readToken,
  viewName,
} from '../../../features/selling/documents/public-page/public-link.ts'
import type { PublicView } from '../../../features/selling/documents/public-page/view.ts'
import { originOf } from '../../auth/credentials.ts'
import { requireOwnPage } from '../../guard.ts'
import { routeOf } from '../../mount.ts'
import type { ServerDependencies } from '../../server-dependencies.ts'
import { sendFile } from '../../uploads/send-file.ts'
import { languageOf } from '../language.ts'
import type { Assets } from '../page.ts'
import { published, send } from '../publish.ts'
import { documentPage, missingPage } from './page.ts'

type PageRequest = { Params: { token: string }; Querystring: { lang?: unknown } }

/**
 * The public page of a document, and what the holder of its link can do there. No cookie is read and none is set: the
 * token in the address alone says which document it is, and the runner confines the call to that document's organization.
 */
export function mountDocumentPages(app: FastifyInstance, dependencies: ServerDependencies, assets: Assets) {
  const { limiter, config, services, runner } = dependencies
  const operations = onSurface(dependencies.operations, 'public-page')

  /** The document that the token in the address was signed for. Every request counts, so that tokens cannot be guessed. */
  async function linkOf({ params, ip }: FastifyRequest<PageRequest>): Promise<PublicLink> {
    await limiter.take('customerPages', rateLimitAddress(ip))
    const link = readToken(services, params.token)
    if (!link) throw new Failure('NOT_FOUND', 'This link opens nothing.')
    return link
  }

  function run(operation: Operation, request: FastifyRequest<PageRequest>, link: PublicLink) {
    const { organizationId, id, linkVersion } = link
    const { token: _, ...params } = request.params
    const visitor = 'visitor' in operation.input.properties && { visitor: visitorOf(request, dependencies) }
    const origin = originOf(request)
    const caller = {
      source: 'LINK',
      credential: null,
      link: { organizationId },
      origin,
      requestId: request.id,
    } as const
    const input = { ...(request.body as object | undefined), ...params, ...visitor, id, linkVersion }
    return runner.run(operation, { caller, input, trace: request.trace })
  }

  const sendMissing = (request: FastifyRequest<PageRequest>, reply: FastifyReply) => {
    const lang = languageOf(request.query.lang, request.headers['accept-language'])
    return sendPage(request, reply.code(404), missingPage({ assets, lang, path: '/d/-' }), lang)
  }

  /** People follow these links, so a refusal of an unknown one is a page too. */
  function mountRead(operation: Operation, answer: (exchange: Exchange) => Promise<FastifyReply>) {
    app.get<PageRequest>(
      routeOf(operation).url,
      { config: { operation }, exposeHeadRoute: true },
      async (request, reply) => {
        try {
          return await answer({ request, reply, link: await linkOf(request) })
        } catch (error) {
          if (error instanceof Failure && error.status === 404) return sendMissing(request, reply)
          throw error
        }
      },
    )
  }

  function mountView(operation: Operation) {
    const noteView = operations.find(({ name }) => name === noteViewName)
    mountRead(operation, async ({ request, reply, link }) => {
      const view = JSON.parse((await run(operation, request, link)).body) as PublicView
      if (noteView && !view.noted && request.method !== 'HEAD') await run(noteView, request, link)
      const lang = chosen(request.query.lang) ?? view.language
      const path = `/d/${request.params.token}`
      return sendPage(request, reply, documentPage({ assets, lang, path, view }), lang)
    })
  }

  function mountFile(operation: Operation) {
    mountRead(operation, async ({ request, reply, link }) => {
      const { file } = await run(operation, request, link)
      if (!file) throw new Failure('NOT_FOUND', 'There is no such file.')
      return sendFile(reply.header('x-robots-tag', robots), file)
    })
  }

  function mountWrite(operation: Operation) {
    app.post<PageRequest>(routeOf(operation).url, { config: { operation } }, async (request, reply) => {
      requireOwnPage(request, config.url)
      const link = await linkOf(request)
      if (request.bodyProblem) throw request.bodyProblem
      const { status, body } = await run(operation, request, link)
      return reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body)
    })
  }

  for (const operation of operations) {
    if (operation.name === viewName) mountView(operation)
    else if (isFile(operation.output)) mountFile(operation)
    else if (operation.name !== noteViewName) mountWrite(operation) // a view is noted by the page alone
  }
}

type Exchange = { request: FastifyRequest<PageRequest>; reply: FastifyReply; link: PublicLink }

const chosen = (lang: unknown): Language | undefined => (lang === 'en' || lang === 'he' ? lang : undefined)

/** The same for every visit of one address to one document; the address cannot be read from it. */
const visitorOf = ({ ip, params }: FastifyRequest<PageRequest>, { services }: ServerDependencies) =>
  createHmac('sha256', services.secrets.derived('document-link'))
    .update(`visitor ${params.token} ${rateLimitAddress(ip)}`)
    .digest('hex')
    .slice(0, 16)

const robots = 'noindex, nofollow, noarchive'

/** No cache stores the page, no search engine lists it, and its address is not sent as a referrer (THR-14, THR-26). */
function sendPage(request: FastifyRequest, reply: FastifyReply, text: string, lang: Language) {
  reply.headers({
    'content-language': lang,
    'x-robots-tag': robots,
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  })
  return send(request, reply, published('html', text), 'no-store')
}
