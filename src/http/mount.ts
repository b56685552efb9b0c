import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { type Detail, Failure, reasonOf } from '../core/define/failure.ts'
import { type Operation, onSurface } from '../core/define/operation.ts'
import type { Call, Caller, Version } from '../core/run/call.ts'
import type { errorBody } from '../core/run/errors.ts'
import { etagOf, malformedIfMatch, readIfMatch } from '../core/run/headers.ts'
import { isIdempotencyKey } from '../core/run/idempotency.ts'
import type { Allowance } from '../core/run/rate-limit.ts'
import { fingerprintOf, fromText } from '../core/run/request.ts'
import { checkLinkToken } from '../core/secrets/link-token.ts'
import { rateLimitAddress } from '../core/values/rate-limit-address.ts'
import { applySession, callerOf } from './auth/credentials.ts'
import { closeConnection } from './close-connection.ts'
import { type Headers, sendJson } from './send-json.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { createOpenStreams, type OpenStreams } from './streams/open-streams.ts'
import { sendStream } from './streams/send-stream.ts'
import { sendFile } from './uploads/send-file.ts'
import { deferBodyParsing, discardUpload, readUpload } from './uploads/upload-body.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The server is about to stop: answers carry `Connection: close`, so callers reconnect to another process. */
    draining: boolean
    streams: OpenStreams
  }
}

/** Adds a route for every operation of the API: path, query and body become one input, the runner's answer is sent unchanged. */
export function mountOperations(app: FastifyInstance, dependencies: ServerDependencies) {
  app.decorate('draining', false)
  app.decorate('streams', createOpenStreams())
  app.addHook('preClose', async () => app.streams.endAll())
  const operations = onSurface(dependencies.operations, 'api')
  for (const operation of operations.filter(({ upload }) => !upload)) {
    app.route({
      ...routeOf(operation),
      handler: (request, reply) => {
        const caller = callerOf(request, dependencies.config)
        return answerOperation(dependencies, operation, {
          request,
          reply,
          caller: linkCaller(dependencies, operation, request) ?? caller,
        })
      },
    })
  }
  app.register(async (scope) => {
    await deferBodyParsing(scope)
    for (const operation of operations.filter(({ upload }) => upload)) {
      scope.route({
        ...routeOf(operation),
        handler: (request, reply) => answerUpload(dependencies, operation, request, reply),
      })
    }
  })
}

export const routeOf = (operation: Operation) => ({
  method: operation.method,
  url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
  config: { operation },
})

/** The caller as the holder of a signed link, if the operation accepts links and the token is valid. An invalid token is ignored. */
function linkCaller(
  { services }: ServerDependencies,
  { link, reads }: Operation,
  { params, query, id }: FastifyRequest,
): Caller | undefined {
  const { token } = query as { token?: unknown }
  const { id: objectId } = params as { id?: string }
  if (!link || !reads || typeof token !== 'string' || !objectId) return undefined
  const key = services.secrets.derived('signed-url')
  const found = checkLinkToken(key, { purpose: link, objectId }, { token, now: new Date() })
  return found && { source: 'LINK', credential: null, link: found, requestId: id }
}

/** Reads the body of an upload only after the caller was authorized to send one. */
async function answerUpload(
  dependencies: ServerDependencies,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const caller = callerOf(request, dependencies.config)
  try {
    const release = await preauthorize(dependencies, operation, { request, caller })
    try {
      await readUpload(request, reply, operation, dependencies.storage)
    } finally {
      release()
    }
    return await answerOperation(dependencies, operation, { request, reply, caller })
  } catch (error) {
    closeConnection(reply)
    throw error
  } finally {
    await discardUpload(request)
  }
}

type Exchange = { request: FastifyRequest; reply: FastifyReply; caller: Caller }

async function preauthorize(
  dependencies: ServerDependencies,
  operation: Operation,
  { request, caller }: Omit<Exchange, 'reply'>,
) {
  refuseUnauthenticated(dependencies, request, caller)
  try {
    return await dependencies.runner.preauthorize(operation, caller)
  } catch (error) {
    if (isUnauthenticated(error)) await countUnauthenticated(dependencies, request, caller)
    throw error
  }
}

/** Refuses a call without a credential from an address that has made too many of them. */
function refuseUnauthenticated({ limiter }: ServerDependencies, { ip }: FastifyRequest, caller: Caller) {
  if (!caller.credential && caller.source !== 'PUBLIC') limiter.refuseKnown('unauthenticated', rateLimitAddress(ip))
}

/** Counts a call that was refused with 401 against the caller's address. A PUBLIC operation counts failures itself. */
async function countUnauthenticated({ limiter }: ServerDependencies, { ip }: FastifyRequest, caller: Caller) {
  if (caller.source !== 'PUBLIC') await limiter.take('unauthenticated', rateLimitAddress(ip))
}

const isUnauthenticated = (error: unknown) => error instanceof Failure && error.status === 401

/** Runs an operation for a request and sends the answer. */
export async function answerOperation(
  dependencies: ServerDependencies,
  operation: Operation,
  { request, reply, caller }: Exchange,
) {
  const { input, problems, unreadable, received, once, expectedVersion } = readInput(operation, request)
  const call: Call = { caller, trace: request.trace, input, problems, unreadable, received, once, expectedVersion }
  request.span?.note({ 'kontor.source': caller.source })
  try {
    refuseUnauthenticated(dependencies, request, caller)
    const answer = await dependencies.runner.run(operation, call)
    const { status, body, replayed, file, session, topic } = answer
    if (status >= 400) request.errorCode = errorCodeIn(body)
    const etag = status < 400 ? etagOf(operation, body) : undefined
    const headers = answerHeaders(call, { replayed, etag, draining: request.server.draining })
    if (topic !== undefined)
      return sendStream(dependencies, { operation, call, request, reply, first: answer, headers })
    const compressible = !operation.secret
    if (!file && !session) return sendJson(dependencies.config, reply, { status, body, headers, compressible })
    addHeaders(reply, headers)
    if (session) applySession(reply, dependencies.config, session)
    if (file) return await sendFile(reply.code(status), file)
    return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
  } catch (error) {
    if (isUnauthenticated(error)) await countUnauthenticated(dependencies, request, caller)
    if (isUnauthenticated(error) && caller.source === 'OAUTH') addBearerChallenge(reply, dependencies.config)
    if (call.trace.allowance) addHeaders(reply, rateLimitHeaders(call.trace.allowance))
    throw error
  }
}

/** Tells an app where to find out how to get a token (RFC 9728). */
const addBearerChallenge = (reply: FastifyReply, { url }: Config) =>
  reply.header(
    'www-authenticate',
    `Bearer error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource"`,
  )

/** The error code in a replayed refusal, for the log and the usage record. */
function errorCodeIn(body: string): string {
  const { error } = JSON.parse(body) as ReturnType<typeof errorBody>
  return reasonOf(error)
}

function answerHeaders(
  { trace: { allowance } }: Call,
  { replayed, etag, draining }: { replayed?: true | undefined; etag: string | undefined; draining: boolean },
): Headers {
  const headers: Headers = []
  if (allowance) headers.push(...rateLimitHeaders(allowance))
  if (replayed) headers.push('idempotency-replayed', 'true')
  if (etag) headers.push('etag', etag)
  if (draining) headers.push('connection', 'close')
  return headers
}

const rateLimitHeaders = ({ limit, remaining, resetS }: Allowance): Headers => [
  'ratelimit-limit', String(limit), 'ratelimit-remaining', String(Math.max(0, remaining)), 'ratelimit-reset', String(resetS),
] // biome-ignore format: a list of words

function addHeaders(reply: FastifyReply, headers: Headers) {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
}

/** Builds one input from path, query and body. A field given in the path and again elsewhere must have the same value. */
function readInput(operation: Operation, request: FastifyRequest): Omit<Call, 'caller' | 'trace'> {
  const { params, query, body, bodyProblem, received } = request
  const path = params as Record<string, string>
  const asked = readQuery(operation, query as Query)
  const input: Record<string, unknown> = body ? { ...asked, ...body } : asked
  const problems: Detail[] = []
  for (const name of Object.keys(path)) {
    if (input[name] !== undefined && input[name] !== path[name]) {
      problems.push({ path: name, message: `${name} in the body differs from the one in the path.` })
    }
    input[name] = path[name]
  }
  if (operation.streams && request.headers['last-event-id'])
    input.lastEventId = lastEventIdOf(operation, request.headers['last-event-id'])
  const ifMatch = readIfMatch(operation, request.headers['if-match'])
  if (ifMatch === 'MALFORMED') problems.push({ path: 'If-Match', message: malformedIfMatch(operation) })
  const expectedVersion = ifMatch === 'MALFORMED' ? undefined : ifMatch.version
  const idempotency = idempotencyOf(operation, request, expectedVersion)
  if (idempotency === 'MALFORMED') problems.push(malformedKey)
  return {
    input,
    problems,
    unreadable: bodyProblem ?? undefined,
    received: received ?? undefined,
    once: idempotency === 'MALFORMED' ? undefined : idempotency,
    expectedVersion,
  }
}

/** A browser that reconnects repeats the query, so the header counts. */
const lastEventIdOf = ({ input }: Operation, header: string | string[]) =>
  fromText((input.properties.lastEventId as { type?: string } | undefined)?.type, String(header))

const malformedKey: Detail = {
  path: 'Idempotency-Key',
  message: 'The Idempotency-Key header must have 1 to 255 visible ASCII characters.',
}

type Query = Record<string, string | string[]>

/** Converts query text to the types of the fields. Empty values count as absent, unknown names are ignored. */
function readQuery({ input, method }: Operation, query: Query): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(query)) {
    const text = query[name] ?? ''
    const known = Object.hasOwn(input.properties, name) // own properties only: every object inherits `constructor`
    const schema = (known ? input.properties[name] : undefined) as { type?: string | string[] } | undefined
    const isAccepted = name === 'organizationId' || (schema && (method === 'GET' || method === 'DELETE'))
    if (isAccepted && text !== '') values[name] = fromText(schema?.type, text)
  }
  return values
}

/** The Idempotency-Key of a write, with the fingerprint of its request (IDEM-3). */
function idempotencyOf(
  operation: Operation,
  { headers, params, query, bodyText, received }: FastifyRequest,
  expectedVersion: Version | undefined,
) {
  const key = headers['idempotency-key']
  if (key === undefined || operation.reads || operation.surface !== 'api') return undefined
  if (typeof key !== 'string' || !isIdempotencyKey(key)) return 'MALFORMED'
  const sent = {
    params: params as object,
    query: query as object,
    bodyText,
    fileHash: received?.sha256,
    expectedVersion,
  }
  return { key, fingerprint: fingerprintOf(operation, sent) }
}
