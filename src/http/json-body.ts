import type { FastifyInstance } from 'fastify'
import { Failure } from '../core/define/failure.ts'
import { jsonProblem } from '../core/values/json-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, for fingerprints. */
    bodyText: string
    /** Why the body cannot be read, if so. It is told when the caller has been let in: 401 and 403 come first. */
    bodyProblem: Failure | null
  }
}

const jsonType = /^application\/(json|[\w.+-]+\+json)\s*(;.*)?$/i

export const isJson = (mediaType: string | undefined) => jsonType.test(mediaType ?? '')

/** Bodies are JSON objects within bounds; an empty one is `{}`. Anything else is 400 with a sentence. */
export function readJsonBodies(app: FastifyInstance) {
  app.decorateRequest('bodyText', '')
  app.decorateRequest('bodyProblem', null)
  app.decorateRequest('received', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(jsonType, { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = text.toString()
    const body = parseBody(request.bodyText)
    if (body instanceof Failure) {
      request.bodyProblem = body
      request.bodyText = ''
    }
    done(null, body instanceof Failure ? {} : body)
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume()
    const type = request.headers['content-type'] ?? 'no type'
    request.bodyProblem = unfit(`Send JSON with Content-Type: application/json; "${type}" is not read here.`)
    done(null, {})
  })
}

export function parseBody(text: string): object | Failure {
  if (text.trim() === '') return {}
  const problem = jsonProblem(text)
  if (problem) return unfit(problem)
  try {
    const body: unknown = JSON.parse(text)
    return typeof body !== 'object' || body === null || Array.isArray(body)
      ? unfit('The body must be a JSON object.')
      : body
  } catch (error) {
    // The parser quotes the text around the mistake, which may be a password; where it is will do.
    const position = /at position \d+( \(line \d+ column \d+\))?/.exec(error instanceof Error ? error.message : '')?.[0]
    return unfit(`The body is not valid JSON${position ? `: look ${position}` : ''}.`)
  }
}

const unfit = (message: string) => new Failure('VALIDATION', message)
