import type { FastifyInstance } from 'fastify'
import { Failure } from '../core/failure.ts'
import { jsonProblem } from '../core/json-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, for fingerprints. */
    bodyText: string
    /** Why the body cannot be read. An operation says so once the door has opened: 401 and 403 come before 400. */
    unreadable: Failure | null
  }
}

/** Bodies are JSON objects within bounds; an empty one is `{}`. Anything else is 400 with a sentence. */
export function readJsonBodies(app: FastifyInstance) {
  app.decorateRequest('bodyText', '')
  app.decorateRequest('unreadable', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/(json|[\w.+-]+\+json)\s*(;.*)?$/i,
    { parseAs: 'string' },
    (request, text, done) => {
      request.bodyText = text.toString()
      const body = parse(request.bodyText)
      if (body instanceof Failure) request.unreadable = body
      done(null, body instanceof Failure ? {} : body)
    },
  )
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume()
    const type = request.headers['content-type'] ?? 'no type'
    request.unreadable = new Failure(
      'VALIDATION',
      `Send JSON with Content-Type: application/json; "${type}" is not read here.`,
    )
    done(null, {})
  })
  app.addHook('preHandler', ({ routeOptions, unreadable }, _, done) =>
    done(routeOptions.config.operation ? undefined : (unreadable ?? undefined)),
  )
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  const problem = jsonProblem(text)
  if (problem) return new Failure('VALIDATION', problem)
  const body = parsed(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return new Failure('VALIDATION', 'The body must be a JSON object.')
  return body
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return new Failure(
      'VALIDATION',
      `The body is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    )
  }
}
