import type { FastifyInstance } from 'fastify'
import { Failure } from '../core/define/failure.ts'
import { encodingProblem } from '../core/run/headers.ts'
import { jsonProblem } from '../core/values/json-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, for the fingerprint of an idempotency key. */
    bodyText: string
    /** Why the body cannot be read, or null. It is reported after authorization, so 401 and 403 take precedence. */
    bodyProblem: Failure | null
  }
}

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;.*)?$/i

export const isJson = (mediaType: string | undefined) => jsonType.test(mediaType ?? '')

/** Parses bodies as JSON objects within the limits of `jsonProblem`; an empty body is `{}`. Anything else becomes `bodyProblem`. */
export function readJsonBodies(app: FastifyInstance) {
  app.decorateRequest('bodyText', '')
  app.decorateRequest('bodyProblem', null)
  app.decorateRequest('received', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(jsonType, { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = text.toString()
    const body = encodingProblem(request.headers['content-encoding']) ?? parseBody(request.bodyText)
    if (body instanceof Failure) {
      request.bodyProblem = body
      request.bodyText = ''
    }
    done(null, body instanceof Failure ? {} : body)
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume()
    const type = request.headers['content-type'] ?? 'no type'
    request.bodyProblem = invalidBody(`Send JSON with Content-Type: application/json; "${type}" is not accepted here.`)
    done(null, {})
  })
}

export function parseBody(text: string): object | Failure {
  if (text.trim() === '') return {}
  const problem = jsonProblem(text)
  if (problem) return invalidBody(problem)
  try {
    const body: unknown = JSON.parse(text)
    return typeof body !== 'object' || body === null || Array.isArray(body)
      ? invalidBody('The body must be a JSON object.')
      : body
  } catch (error) {
    // The parser's message quotes the text around the mistake, which may be a password. Only the position is reported.
    const position = /at position \d+( \(line \d+ column \d+\))?/.exec(error instanceof Error ? error.message : '')?.[0]
    return invalidBody(`The body is not valid JSON${position ? `: look ${position}` : ''}.`)
  }
}

const invalidBody = (message: string) => new Failure('VALIDATION', message)
