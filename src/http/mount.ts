import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { type Detail, Failure } from '../core/define/failure.ts'
import { type Operation, onSurface } from '../core/define/operation.ts'
import type { Call, Caller } from '../core/run/call.ts'
import type { errorBody } from '../core/run/errors.ts'
import { isIdempotencyKey } from '../core/run/idempotency.ts'
import type { Allowance } from '../core/run/rate-limit.ts'
import { fingerprintOf } from '../core/run/request.ts'
import { checkLinkToken } from '../core/secrets/link-token.ts'
import { rateLimitAddress } from '../core/values/rate-limit-address.ts'
import { applySession, callerOf } from './auth/credentials.ts'
import { closeConnection } from './close-connection.ts'
import { fromText } from './from-text.ts'
import type { ServerDependencies } from './server.ts'
import { sendFile } from './uploads/send-file.ts'
import { discardUpload, leaveBodiesUnread, readUpload } from './uploads/upload-body.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** It is about to stop: whoever gets an answer is asked to come back by another connection. */
    draining: boolean
  }
}

/** A route for every operation of the API: path, query and body folded into one input, the runner's answer sent as it is. */
export function mountOperations(app: FastifyInstance, ground: ServerDependencies) {
  app.decorate('draining', false)
  const operations = onSurface(ground.operations, 'api')
  for (const operation of operations.filter(({ upload }) => !upload)) {
    app.route({
      ...routeOf(operation),
      handler: (request, reply) => {
        const caller = callerOf(request, ground.config)
        return answerCall(ground, operation, { request, reply, caller: linked(ground, operation, request) ?? caller })
      },
    })
  }
  app.register(async (scope) => {
    await leaveBodiesUnread(scope)
    for (const operation of operations.filter(({ upload }) => upload)) {
      scope.route({
        ...routeOf(operation),
        handler: (request, reply) => answerUpload(ground, operation, request, reply),
      })
    }
  })
}

export const routeOf = (operation: Operation) => ({
  method: operation.method,
  url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
  config: { operation },
})

/** The caller as the holder of a link, if the operation opens to links and this one is good; a bad one counts as none. */
function linked(
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

/** An upload is read only when its caller is known and may send one. */
async function answerUpload(
  ground: ServerDependencies,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const caller = callerOf(request, ground.config)
  try {
    const leave = await counted(ground, request, caller, () => ground.runner.preauthorize(operation, caller))
    try {
      await readUpload(request, reply, operation, ground.storage)
    } finally {
      leave()
    }
    return await answerCall(ground, operation, { request, reply, caller })
  } catch (error) {
    closeConnection(reply)
    throw error
  } finally {
    await discardUpload(request)
  }
}

/** Counts callers who are not let in against their address, and keeps those out who are known for it. */
async function counted<T>(
  { limiter }: ServerDependencies,
  { ip }: FastifyRequest,
  caller: Caller,
  work: () => Promise<T>,
) {
  if (caller.source === 'PUBLIC') return work() // it needs no credential, and its operation counts failures itself
  const from = rateLimitAddress(ip)
  if (!caller.credential) limiter.refuseKnown('unauthenticated', from)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && error.status === 401) await limiter.take('unauthenticated', from)
    throw error
  }
}

type Exchange = { request: FastifyRequest; reply: FastifyReply; caller: Caller }

/** Runs an operation for a request and sends the answer. */
export async function answerCall(
  ground: ServerDependencies,
  operation: Operation,
  { request, reply, caller }: Exchange,
) {
  const call: Call = { caller, trace: request.trace, ...inputOf(operation, request) }
  request.span?.note({ 'kontor.source': caller.source })
  try {
    const { status, body, replayed, file, session } = await counted(ground, request, caller, () =>
      ground.runner.run(operation, call),
    )
    if (call.trace.allowance) rateHeaders(reply, call.trace.allowance)
    if (session) applySession(reply, ground.config, session)
    if (replayed) reply.header('idempotency-replayed', 'true')
    if (request.server.draining) reply.header('connection', 'close')
    if (status >= 400) request.errorCode = codeOf(body)
    if (file) return await sendFile(reply.code(status), file)
    return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
  } catch (error) {
    if (error instanceof Failure && error.status === 401 && caller.source === 'OAUTH') challenge(reply, ground.config)
    if (call.trace.allowance) rateHeaders(reply, call.trace.allowance)
    throw error
  }
}

/** Tells an app where it learns to get a token (RFC 9728). */
const challenge = (reply: FastifyReply, { url }: Config) =>
  reply.header(
    'www-authenticate',
    `Bearer error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource"`,
  )

/** The code of a refusal that is told again, for the log and the usage record. */
function codeOf(body: string): string {
  const { error } = JSON.parse(body) as ReturnType<typeof errorBody>
  return error.details?.[0]?.code ?? error.code
}

function rateHeaders(reply: FastifyReply, { limit, remaining, resetS }: Allowance) {
  reply
    .header('ratelimit-limit', limit)
    .header('ratelimit-remaining', Math.max(0, remaining))
    .header('ratelimit-reset', resetS)
}

/** One input from path, query and body. A value that stands in the path and again elsewhere must agree. */
function inputOf(operation: Operation, request: FastifyRequest): Omit<Call, 'caller' | 'trace'> {
  const { params, query, body, bodyProblem, received } = request
  const path = params as Record<string, string>
  const input: Record<string, unknown> = { ...fromQuery(operation, query as Query), ...(body as object | undefined) }
  const problems: Detail[] = []
  for (const [name, value] of Object.entries(path)) {
    if (input[name] !== undefined && input[name] !== value) {
      problems.push({ path: name, message: `${name} in the body is not the one in the path.` })
    }
    input[name] = value
  }
  const once = onceOf(operation, request)
  if (once === 'MALFORMED') problems.push(malformedKey)
  return {
    input,
    problems,
    ...(bodyProblem && { unreadable: bodyProblem }),
    ...(received && { received }),
    ...(once && once !== 'MALFORMED' && { once }),
  }
}

const malformedKey: Detail = {
  path: 'Idempotency-Key',
  message: 'The Idempotency-Key header takes 1 to 255 visible ASCII characters.',
}

type Query = Record<string, string | string[]>

/** Query text by the field's type; an empty value counts as absent, an unknown name is ignored. */
function fromQuery({ input, method }: Operation, query: Query): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(query)) {
    const known = Object.hasOwn(input.properties, name) // `constructor` is no field, though every object has one
    const schema = (known ? input.properties[name] : undefined) as { type?: string | string[] } | undefined
    const taken = name === 'organizationId' || (schema && (method === 'GET' || method === 'DELETE'))
    if (taken && text !== '') values[name] = fromText(schema?.type, text)
  }
  return values
}

/** The Idempotency-Key of a write, with a fingerprint of what it was sent with (IDEM-3). */
function onceOf(operation: Operation, { headers, params, query, bodyText, received }: FastifyRequest) {
  const key = headers['idempotency-key']
  if (key === undefined || operation.reads || operation.surface !== 'api') return undefined
  if (typeof key !== 'string' || !isIdempotencyKey(key)) return 'MALFORMED'
  const sent = { params: params as object, query: query as object, bodyText, fileHash: received?.sha256 }
  return { key, fingerprint: fingerprintOf(operation, sent) }
}
