import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../core/call.ts'
import { canonicalJson } from '../core/canonical-json.ts'
import type { errorBody } from '../core/errors.ts'
import { type Detail, Failure } from '../core/failure.ts'
import { sha256 } from '../core/id.ts'
import { isIdempotencyKey } from '../core/idempotency.ts'
import type { Operation } from '../core/operation.ts'
import type { Allowance } from '../core/rate-limit.ts'
import { countedAddress } from './address.ts'
import { callerOf } from './credentials.ts'
import type { Ground } from './server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** It is about to stop: whoever gets an answer is asked to come back by another connection. */
    draining: boolean
  }
}

/** A route for every operation: path, query and body folded into one input, the runner's answer sent as it is. */
export function mountOperations(app: FastifyInstance, ground: Ground) {
  app.decorate('draining', false)
  for (const operation of ground.operations) {
    app.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      handler: (request, reply) => answer(ground, operation, request, reply),
    })
  }
}

async function answer(
  { config, runner, limiter }: Ground,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const call: Call = { caller: callerOf(request, config), trace: request.trace, ...inputOf(operation, request) }
  request.span?.note({ 'kontor.source': call.caller.source })
  const from = countedAddress(request.ip)
  if (!call.caller.credential) limiter.refuseKnown('unauthenticated', from)
  try {
    const { status, body, replayed } = await runner.run(operation, call)
    if (call.trace.allowance) rateHeaders(reply, call.trace.allowance)
    if (replayed) reply.header('idempotency-replayed', 'true')
    if (request.server.draining) reply.header('connection', 'close')
    if (status >= 400) request.errorCode = codeOf(body)
    return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
  } catch (error) {
    if (error instanceof Failure && error.status === 401) await limiter.take('unauthenticated', from)
    if (call.trace.allowance) rateHeaders(reply, call.trace.allowance)
    throw error
  }
}

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
  const { params, query, body, bodyProblem } = request
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
    ...(once && once !== 'MALFORMED' && { once }),
  }
}

const malformedKey: Detail = {
  path: 'Idempotency-Key',
  message: 'The Idempotency-Key header takes 1 to 255 visible ASCII characters.',
}

type Query = Record<string, string | string[]>

/** Query text by the field's type; an empty value counts as absent, an unknown name is ignored. */
function fromQuery({ input, reads, method }: Operation, query: Query): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(query)) {
    const known = Object.hasOwn(input.properties, name) // `constructor` is no field, though every object has one
    const schema = (known ? input.properties[name] : undefined) as { type?: string | string[] } | undefined
    const taken = name === 'organizationId' || (schema && (reads || method === 'DELETE'))
    if (taken && text !== '') values[name] = fromText(schema?.type, text)
  }
  return values
}

function fromText(type: string | string[] | undefined, text: string | string[]): unknown {
  if (type === 'array') return [text].flat()
  const last = Array.isArray(text) ? text.at(-1) : text
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(last ?? '')) return Number(last)
  if (type === 'boolean' && (last === 'true' || last === 'false')) return last === 'true'
  return last
}

/** The Idempotency-Key of a write, with a fingerprint of what it was sent with (IDEM-3). */
function onceOf(operation: Operation, { headers, method, params, query, bodyText }: FastifyRequest) {
  const key = headers['idempotency-key']
  if (key === undefined || operation.reads) return undefined
  if (typeof key !== 'string' || !isIdempotencyKey(key)) return 'MALFORMED'
  const body = bodyText.trim() === '' ? '{}' : canonicalJson(bodyText)
  const parts = [method, operation.path, sorted(params), sorted(query), body]
  return { key, fingerprint: sha256(JSON.stringify(parts)) }
}

const sorted = (values: unknown) =>
  Object.entries(values as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1))
