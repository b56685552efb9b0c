import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../../core/define/failure.ts'
import type { Operation } from '../../../core/define/operation.ts'
import type { Static, TSchema } from '../../../core/define/schema.ts'
import type { Language } from '../../../core/values/language.ts'
import { rateLimitAddress } from '../../../core/values/rate-limit-address.ts'
import { comment, dispute, file, noteView, print, view } from '../../../features/documents/public-page/operations.ts'
import { type PublicLink, readToken } from '../../../features/documents/public-page/public-link.ts'
import { requireOwnPage } from '../../guard.ts'
import type { ServerDependencies } from '../../server.ts'
import { sendFile } from '../../uploads/send-file.ts'
import { languageOf } from '../language.ts'
import type { Assets } from '../page.ts'
import { published, send } from '../publish.ts'
import { documentPage, missingPage } from './page.ts'

type Asked = { Params: { token: string; attachmentId: string }; Querystring: { lang?: unknown } }

const open = { config: { open: true }, exposeHeadRoute: true } as const

/**
 * The page of a document for whoever holds its link. No cookie is looked at and none is set: the address alone says what
 * is shown, and the runner confines it to that document's organization.
 */
export function mountDocumentPages(app: FastifyInstance, ground: ServerDependencies, assets: Assets) {
  const { limiter, config, services } = ground

  /** What the address opens; counts whoever comes, so that nobody tries many. */
  async function opened({ params, ip }: FastifyRequest<Asked>): Promise<PublicLink> {
    await limiter.take('customerPages', rateLimitAddress(ip))
    const linked = readToken(services, params.token)
    if (!linked) throw new Failure('NOT_FOUND', 'This link opens nothing.')
    return linked
  }

  async function carryOut<I extends Operation['input'], O extends TSchema>(
    request: FastifyRequest,
    operation: Operation<string, I, O>,
    { linked, more }: { linked: PublicLink; more?: object },
  ) {
    const { organizationId, ...link } = linked
    const caller = { source: 'LINK', credential: null, link: { organizationId }, requestId: request.id } as const
    const call = { caller, input: { ...more, ...link }, trace: request.trace }
    // The list of operations has forgotten the types of each, which is all that this undoes.
    const answer = await ground.runner.run(operation as unknown as Operation, call)
    return { answer, body: JSON.parse(answer.body) as Static<O> }
  }

  app.get<Asked>('/d/:token', open, async (request, reply) => {
    try {
      const linked = await opened(request)
      const more = { visitor: visitorOf(request, ground) }
      const { body } = await carryOut(request, view, { linked, more })
      if (!body.noted && request.method !== 'HEAD') await carryOut(request, noteView, { linked, more })
      const lang = chosen(request.query.lang) ?? body.language
      const path = `/d/${request.params.token}`
      return sendPage(request, reply, documentPage({ assets, lang, path, view: body }), lang)
    } catch (error) {
      if (error instanceof Failure && error.status === 404) return sendMissing(request, reply)
      throw error
    }
  })

  const sendMissing = (request: FastifyRequest<Asked>, reply: FastifyReply) => {
    const lang = languageOf(request.query.lang, request.headers['accept-language'])
    return sendPage(request, reply.code(404), missingPage({ assets, lang, path: '/d/-' }), lang)
  }

  const says = { comments: comment, disputes: dispute }
  for (const [name, operation] of Object.entries(says)) {
    app.post<Asked>(`/d/:token/${name}`, { config: { open: true } }, async (request, reply) => {
      requireOwnPage(request, config.url)
      const linked = await opened(request)
      await limiter.take('customerWords', rateLimitAddress(request.ip))
      if (request.bodyProblem) throw request.bodyProblem
      const { body } = await carryOut(request, operation, { linked, more: (request.body ?? {}) as object })
      return reply.code(201).header('cache-control', 'no-store').send(body)
    })
  }

  const sends = { pdf: print, 'files/:attachmentId': file }
  for (const [name, operation] of Object.entries(sends)) {
    app.get<Asked>(`/d/:token/${name}`, open, async (request, reply) => {
      try {
        const linked = await opened(request)
        const { answer } = await carryOut(request, operation, { linked, more: attachmentOf(request) })
        if (!answer.file) throw new Failure('NOT_FOUND', 'There is no such file.')
        return await sendFile(reply.header('x-robots-tag', robots), answer.file)
      } catch (error) {
        if (error instanceof Failure && error.status === 404) return sendMissing(request, reply)
        throw error
      }
    })
  }
}

const attachmentOf = ({ params: { attachmentId } }: FastifyRequest<Asked>) => (attachmentId ? { attachmentId } : {})

const chosen = (lang: unknown): Language | undefined => (lang === 'en' || lang === 'he' ? lang : undefined)

/** The same visitor of the same document has the same name, and nobody learns an address from it. */
const visitorOf = ({ ip, params }: FastifyRequest<Asked>, { services }: ServerDependencies) =>
  createHmac('sha256', services.secrets.derived('document-link'))
    .update(`visitor ${params.token} ${rateLimitAddress(ip)}`)
    .digest('hex')
    .slice(0, 16)

const robots = 'noindex, nofollow, noarchive'

/** Nothing of the page stays anywhere, is found by a search, or tells its address to anybody (THR-14, THR-26). */
function sendPage(request: FastifyRequest, reply: FastifyReply, text: string, lang: Language) {
  reply.headers({
    'content-language': lang,
    'x-robots-tag': robots,
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  })
  return send(request, reply, published('html', text), 'no-store')
}
