import { createMcpHandler, type McpHandlerRequestOptions } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { Failure, unauthenticated } from '../core/define/failure.ts'
import type { Operation } from '../core/define/operation.ts'
import { bearerCaller } from '../core/run/bearer.ts'
import { type Caller, subjectOf } from '../core/run/call.ts'
import { type Capabilities, capabilitiesOf } from '../core/run/capabilities.ts'
import type { Limiter } from '../core/run/rate-limit.ts'
import type { Runner } from '../core/run/run.ts'
import type { Usage } from '../core/run/usage.ts'
import { jsonProblem } from '../core/values/json-limits.ts'
import { rateLimitAddress } from '../core/values/rate-limit-address.ts'
import type { Pool } from '../db/pool.ts'
import { type CallDependencies, callTool } from './call.ts'
import { type FastCall, readFastCall } from './fast-path.ts'
import { requireKnownPlace } from './guard.ts'
import { freshServer, type Visitor } from './server.ts'
import { type Toolbox, toolboxOf, toolNamed } from './tool.ts'

/** What the surface stands on. */
export type McpDependencies = {
  config: Pick<Config, 'url' | 'mode'>
  operations: readonly Operation[]
  runner: Runner
  limiter: Limiter
  usage: Usage
  /** Connections that are confined, to ask what a caller may do. */
  confined: Pool
}

/** Answers a message that is no plain tool call; the library's handler unless a test brings its own. */
export type Serve = (request: Request, options: McpHandlerRequestOptions) => Promise<Response>

type Endpoint = McpDependencies & { desk: CallDependencies; tools: Toolbox; serve: Serve }

/** A file of 20 MiB in base64 fits; whoever sends that much is known first. */
const bodyMaxBytes = 28 * 1024 * 1024
const unknownMaxBytes = 1024 * 1024
const batchMax = 20

/**
 * MCP over streamable HTTP at /mcp. Nothing is kept between requests, so any process can answer any of them and no session
 * can be another's. Cookies are never read here (WEB-2).
 */
export function mountMcp(app: FastifyInstance, ground: McpDependencies, { serve }: { serve?: Serve } = {}) {
  const tools = toolboxOf(ground.operations)
  const desk: CallDependencies = { runner: ground.runner, usage: ground.usage, log: app.log }
  const handler = createMcpHandler(({ authInfo }) => freshServer(desk, tools, authInfo?.extra?.visitor as Visitor), {
    maxSubscriptions: 100,
    onerror: (error) => app.log.debug({ err: error }, 'MCP'),
  })
  const endpoint: Endpoint = { ...ground, desk, tools, serve: serve ?? handler.fetch }
  app.addHook('preClose', () => handler.close())
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => done(null, text))
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireKnownPlace(request, ground.config)
      requireCredential(endpoint, request, reply)
      if (isLarge(request)) await proven(endpoint, request, reply)
    })
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      config: { open: true }, // it does its own checking: place and credential before the body, the rest at the door
      bodyLimit: bodyMaxBytes,
      handler: (request, reply) => answer(endpoint, request, reply),
    })
  })
}

function requireCredential({ limiter, config }: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  if (request.headers.authorization !== undefined) return
  limiter.refuseKnown('unauthenticated', rateLimitAddress(request.ip))
  challenge(reply, config)
  throw unauthenticated('Send an API key: Authorization: Bearer <key>.')
}

const isLarge = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unknownMaxBytes

/** Whoever the credential names; nobody's large message is read. */
async function proven(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    await capabilitiesOf(endpoint.confined, bearerCaller(request.headers.authorization ?? '', request.id))
  } catch (error) {
    await refused(endpoint, request, reply, error)
    throw error
  }
}

/** Strangers are counted by their address and told where to get a token. */
async function refused({ limiter, config }: Endpoint, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  if (!(error instanceof Failure) || error.status !== 401) return
  await limiter.take('unauthenticated', rateLimitAddress(request.ip))
  challenge(reply, config, 'error="invalid_token", ')
}

/** Tells a client where it learns to get a token (RFC 9728). */
const challenge = (reply: FastifyReply, { url }: Pick<Config, 'url'>, error = '') =>
  reply.header('www-authenticate', `Bearer ${error}resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`)

async function answer(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const { limiter, tools } = endpoint
  const caller = bearerCaller(request.headers.authorization ?? '', request.id)
  if (request.server.draining) reply.header('connection', 'close')
  try {
    const message = request.method === 'POST' ? read(request.body) : undefined
    const quick = readFastCall(tools, request.headers, message)
    if (quick) return await answerQuickly(endpoint, caller, quick, reply)
    const standing = await capabilitiesOf(endpoint.confined, caller)
    await limiter.take('reads', subjectOf(caller))
    if (!carriesCalls(tools, message)) request.trace = traceOf(standing)
    if (message instanceof Failure) return refuseMessage(reply, message)
    return await answerFully(endpoint, request, reply, { caller, standing, message })
  } catch (error) {
    await refused(endpoint, request, reply, error)
    throw error
  }
}

async function answerQuickly({ desk }: Endpoint, caller: Caller, { order, toText }: FastCall, reply: FastifyReply) {
  const text = toText(await callTool(desk, caller, order))
  return reply.header('content-type', 'application/json').send(text)
}

type Asked = Visitor & { message: unknown }

async function answerFully({ serve, config }: Endpoint, request: FastifyRequest, reply: FastifyReply, asked: Asked) {
  const { message, ...visitor } = asked
  const { userId, scopes } = visitor.standing
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const response = await serve(webRequest(request, config, gone.signal), {
    ...(message !== undefined && { parsedBody: message }),
    authInfo: { token: '', clientId: userId, scopes: scopes ?? [], extra: { visitor } },
  })
  return reply.send(response)
}

/** The request without its body, which has been read. */
function webRequest({ method, url, headers }: FastifyRequest, config: Endpoint['config'], signal: AbortSignal) {
  const named = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')] as [string, string])
  return new Request(new URL(url, config.url), { method, headers: named, signal })
}

/** The message, within the bounds of all JSON that arrives here, or why there is none. */
function read(body: unknown): unknown {
  const text = typeof body === 'string' ? body : ''
  const problem = jsonProblem(text)
  if (problem) return new Failure('VALIDATION', problem)
  try {
    const message: unknown = JSON.parse(text)
    const tooMany = Array.isArray(message) && message.length > batchMax
    return tooMany ? new Failure('VALIDATION', `A batch has ${batchMax} messages at most.`) : message
  } catch {
    return new Failure('VALIDATION', 'The body is not valid JSON.')
  }
}

/** A message that cannot be read is a fault of the protocol, told in its words. */
const refuseMessage = (reply: FastifyReply, { message }: Failure) =>
  reply.code(400).send({ jsonrpc: '2.0', error: { code: -32700, message }, id: null })

/** Whether calls of operations are in it: each of those leaves its own record of use. */
const carriesCalls = (tools: Toolbox, message: unknown): boolean =>
  [message].flat().some((each) => {
    const { params } = (each ?? {}) as { params?: { name?: unknown } }
    return typeof params?.name === 'string' && toolNamed(tools, params.name) !== undefined
  })

const traceOf = ({ userId, keyId, appId, clientId }: Capabilities) => ({
  userId,
  ...(keyId && { keyId }),
  ...(appId && { appId }),
  ...(clientId && { clientId }),
})
