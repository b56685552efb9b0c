import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, reasonOf } from '../../../core/define/failure.ts'
import { type Operation, onSurface } from '../../../core/define/operation.ts'
import { toFailure } from '../../../core/run/errors.ts'
import { organizationIn } from '../../../features/buying/mailboxes/oauth/state.ts'
import { callerOf } from '../../auth/credentials.ts'
import { requireSession } from '../../auth/session.ts'
import { routeOf } from '../../mount.ts'
import type { ServerDependencies } from '../../server-dependencies.ts'
import { languageOf } from '../language.ts'
import type { Assets } from '../page.ts'
import { connectedPage, notConnectedPage } from './page.ts'
import type { Trouble } from './words.ts'

type Callback = { Params: { provider: string }; Querystring: Record<string, unknown> }

/**
 * Where mail providers send a person's browser back to. The answer is a page in any case. It is a GET that writes, because
 * the protocol wants it so; the state in the address, which is bound to the session, takes the place of the usual checks.
 */
export function mountMailConnectPages(app: FastifyInstance, dependencies: ServerDependencies, assets: Assets) {
  for (const operation of onSurface(dependencies.operations, 'redirect')) {
    const { url } = routeOf(operation)
    app.get<Callback>(url, { config: { operation } }, async (request, reply) => {
      const context = { assets, lang: languageOf(undefined, request.headers['accept-language']) }
      try {
        const connected = await connect(dependencies, operation, request)
        return sendPage(reply, context.lang, connectedPage(context, connected))
      } catch (error) {
        const failure = toFailure(error)
        request.errorCode = reasonOf(failure)
        if (failure.status === 500)
          request.log.error({ err: failure.cause ?? failure, requestId: request.id }, failure.message)
        const trouble = troubleOf(failure, request.query.error)
        return sendPage(reply.code(failure.status), context.lang, notConnectedPage(context, trouble, failure.message))
      }
    })
  }
}

async function connect(dependencies: ServerDependencies, operation: Operation, request: FastifyRequest<Callback>) {
  const { config, runner } = dependencies
  await requireSession(dependencies, request)
  const { state, code, iss, error } = request.query
  const given = Object.entries({ state, code, iss, error }).filter(([, value]) => value !== undefined)
  const organizationId = organizationIn(String(state))
  const input = { ...Object.fromEntries(given), provider: request.params.provider, organizationId }
  const { body } = await runner.run(operation, { caller: callerOf(request, config), input, trace: request.trace })
  return JSON.parse(body) as { name: string; username: string }
}

function troubleOf({ status, details }: Failure, error: unknown): Trouble {
  if (status === 401) return 'SIGNED_OUT'
  // An organization that the person does not belong to, or an unknown one, is that of somebody else's request.
  const code = details[0]?.code
  if (status === 403) return code === 'ROLE' || code === 'SCOPE' ? 'FORBIDDEN' : 'STATE'
  if (status === 404 || details.some(({ path }) => path === 'state')) return 'STATE'
  if (code === 'MAIL_PROVIDER_REFUSED') return error === 'access_denied' ? 'DENIED' : 'REFUSED'
  return code === 'TARGET_UNREACHABLE' ? 'UNREACHABLE' : 'OTHER'
}

/** The address of the page carries a code, so neither a cache nor a referrer gets it. */
const sendPage = (reply: FastifyReply, lang: string, text: string) =>
  reply
    .headers({ 'content-language': lang, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(text)
