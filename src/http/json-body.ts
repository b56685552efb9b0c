import type { FastifyInstance } from 'fastify'
import { Failure } from '../core/failure.ts'
import { jsonProblem } from '../core/json-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, for fingerprints. */
    bodyText: string
  }
}

/** Bodies are JSON objects within bounds; an empty one is `{}`. Anything else is 400 with a sentence. */
export function readJsonBodies(app: FastifyInstance) {
  app.decorateRequest('bodyText', '')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    /^application\/(json|[\w.+-]+\+json)\s*(;.*)?$/i,
    { parseAs: 'string' },
    (request, text, done) => {
      try {
        request.bodyText = text.toString()
        done(null, parse(request.bodyText))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume()
    const type = request.headers['content-type']
    done(
      new Failure(
        'VALIDATION',
        `Send JSON with Content-Type: application/json; "${type ?? 'no type'}" is not read here.`,
      ),
    )
  })
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  const problem = jsonProblem(text)
  if (problem) throw new Failure('VALIDATION', problem)
  const body = parsed(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Failure('VALIDATION', 'The body must be a JSON object.')
  return body
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(
      'VALIDATION',
      `The body is not valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    )
  }
}
