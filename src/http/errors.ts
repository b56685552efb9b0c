import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseFull, Failure, reasonOf } from '../core/define/failure.ts'
import type { FullDisks } from '../core/observe/full-disks.ts'
import type { Metrics } from '../core/observe/metrics.ts'
import { errorBody, isOfDatabase, isStorageFull, toFailure } from '../core/run/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code of the answer, for the log and the usage record. */
    errorCode: string | null
  }
}

/** Answers every error of a handler or hook, and every unknown path, in the one error shape. */
export function handleErrors(app: FastifyInstance, meter: Metrics, disks?: FullDisks) {
  app.decorateRequest('errorCode', null)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = explained(toHttpFailure(error, request), disks)
    if (failure.limited) meter.limited(failure.limited)
    sendFailure(failure, request, reply)
  })
  app.setNotFoundHandler((request, reply) => sendFailure(unknownPath(request), request, reply))
}

/** Notes full disks. While the disk of the database is full, that is also the reason if it cannot be reached. */
function explained(failure: Failure, disks: FullDisks | undefined): Failure {
  if (isStorageFull(failure)) disks?.found(isOfDatabase(failure) ? 'database' : 'files')
  if (failure.details[0]?.code !== 'UNAVAILABLE' || !isOfDatabase(failure)) return failure
  void disks?.suspect()
  return disks?.isFull('database') ? databaseFull(failure.cause) : failure
}

/** Answers errors that Fastify raises before any handler runs, such as a malformed URL. */
export const answerFrameworkError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
  sendFailure(toHttpFailure(error, request), request, reply)

function sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply) {
  request.errorCode = reasonOf(failure)
  // A full disk is logged once, when it is noticed.
  if (failure.status === 500 && !isStorageFull(failure) && !isPreparing(failure)) logFailure(failure, request)
  const { retryAfterS, limit } = failure
  if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS))
  if (retryAfterS !== undefined && limit !== undefined) {
    reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': 0, 'ratelimit-reset': retryAfterS })
  }
  reply.code(failure.status).type('application/json; charset=utf-8')
  reply.header('x-request-id', request.id).header('cache-control', 'no-store')
  reply.send(JSON.stringify(errorBody(failure, request.id)))
}

/** A report whose figures are still being computed is no failure of the product. */
const isPreparing = ({ details }: Failure) => details[0]?.code === 'PREPARING'

/** Logs a failure of the product, with its stack trace. Those of an outage of the database are logged together. */
export function logFailure(failure: Failure, request: FastifyRequest) {
  const error = failure.cause ?? failure
  if (request.server.outages?.cover(error)) return
  request.log.error({ err: error, requestId: request.id }, failure.message)
}

const unknownPath = ({ method, url }: FastifyRequest) =>
  new Failure(
    'NOT_FOUND',
    `There is nothing at ${method} ${url.split('?')[0]?.slice(0, 200)}. The reference is at /docs.`,
  )

function bodyTooLarge({ routeOptions }: FastifyRequest): Failure {
  const message = `The body is larger than ${(routeOptions.bodyLimit ?? 0) / 1024 / 1024} MiB.`
  return new Failure('VALIDATION', message, { details: [{ path: '', message, code: 'BODY_TOO_LARGE' }] })
}

const frameworkMessages: Record<string, string> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The length of the body differs from its Content-Length.',
  FST_ERR_CTP_EMPTY_TYPE: 'Send a Content-Type with the body: application/json.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send JSON with Content-Type: application/json.',
  FST_ERR_BAD_URL: 'The path is not a valid URL.',
}

function toHttpFailure(error: FastifyError, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(request)
  const message = frameworkMessages[error.code]
  if (message) return new Failure('VALIDATION', message)
  if (error.statusCode === 404)
    return new Failure('NOT_FOUND', 'There is nothing at this path. The reference is at /docs.')
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500)
    return new Failure('VALIDATION', 'The request cannot be read.', { cause: error })
  return toFailure(error)
}
