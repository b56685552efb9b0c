import type { FastifyInstance, FastifyRequest } from 'fastify'
import { onSurface } from '../../core/define/operation.ts'
import { answerOperation, routeOf } from '../mount.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import { accountCallerOf } from './credentials.ts'

/** A route for every operation of the account surface: the protocol that gives a browser its session. */
export function mountAccount(app: FastifyInstance, dependencies: ServerDependencies) {
  for (const operation of onSurface(dependencies.operations, 'account')) {
    app.route({
      ...routeOf(operation),
      handler: (request, reply) => {
        const caller = accountCallerOf(request, operation, dependencies.config)
        request.body = withTrimmedEmail(request)
        return answerOperation(dependencies, operation, { request, reply, caller })
      },
    })
  }
}

/** People type spaces around an address, and browsers fill them in. */
function withTrimmedEmail({ body }: FastifyRequest): unknown {
  const { email } = (body ?? {}) as { email?: unknown }
  return typeof email === 'string' ? { ...(body as object), email: email.trim() } : body
}
