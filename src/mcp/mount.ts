import { createMcpHandler, type McpHandlerRequestOptions } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { Failure, unauthenticated } from '../core/define/failure.ts'
import type { Operation } from '../core/define/operation.ts'
import type { Runner } from '../core/define/services.ts'
import { type Caller, subjectOf } from '../core/run/call.ts'
import { type Capabilities, capabilitiesOf } from '../core/run/capabilities.ts'
import { bearerCaller, encodingProblem } from '../core/run/headers.ts'
import type { Limiter } from '../core/run/rate-limit.ts'
import type { Usage } from '../core/run/usage.ts'
import { jsonProblem } from '../core/values/json-limits.ts'
import { rateLimitAddress } from '../core/values/rate-limit-address.ts'
import type { Pool } from '../db/pool.ts'
import { type CallDependencies, callTool } from './call.ts'
import { type FastCall, readFastCall } from './fast-path.ts'
import { requireKnownHost } from './guard.ts'
import { type AuthorizedCaller, createRequestServer, type ToolMode, toolModes } from './server.ts'
import { createToolbox, findTool, type Toolbox } from './tool.ts'

/** What the MCP endpoint needs to run. */
export type McpDependencies = {
  config: Pick<Config, 'url' | 'mode'>
  operations: readonly Operation[]
  runner: Runner
  limiter: Limiter
  usage: Usage
  /** Confined connections, to read what a caller may do. */
  confined: Pool
}

/** Answers every message that is not a plain tool call. This is the library's handler; a test may pass its own. */
export type Serve = (request: Request, options: McpHandlerRequestOptions) => Promise<Response>

type Endpoint = McpDependencies & { callDependencies: CallDependencies; toolbox: () => Toolbox; serve: Serve }

/** Enough for a file of 20 MiB in base64. Bodies above `unauthenticatedMaxBytes` are read only after authentication. */
const bodyMaxBytes = 28 * 1024 * 1024
const unauthenticatedMaxBytes = 1024 * 1024
const batchMax = 20

/**
 * MCP over streamable HTTP at /mcp. The endpoint is stateless: every process can answer every request, and there are no
 * sessions to mix up. Cookies are never read (WEB-2).
 */
export function mountMcp(app: FastifyInstance, dependencies: McpDependencies, { serve }: { serve?: Serve } = {}) {
  let made: Toolbox | undefined
  const toolbox = () => {
    made ??= createToolbox(dependencies.operations) // with the first request, so that the process starts sooner
    return made
  }
  const callDependencies: CallDependencies = { runner: dependencies.runner, usage: dependencies.usage, log: app.log }
  const handler = createMcpHandler(
    ({ authInfo }) => createRequestServer(callDependencies, toolbox(), authInfo?.extra?.authorized as AuthorizedCaller),
    {
      maxSubscriptions: 100,
      onerror: (error) => app.log.debug({ err: error }, 'MCP'),
    },
  )
  const endpoint: Endpoint = { ...dependencies, callDependencies, toolbox, serve: serve ?? handler.fetch }
  app.addHook('preClose', () => handler.close())
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => done(null, text))
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      requireKnownHost(request, dependencies.config)
      requireCredential(endpoint, request, reply)
      if (isLarge(request)) await requireAuthenticated(endpoint, request, reply)
    })
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      config: { open: true }, // host and credential are checked before the body is read, everything else by the runner
      bodyLimit: bodyMaxBytes,
      handler: (request, reply) => answer(endpoint, request, reply),
    })
  })
}

function requireCredential({ limiter, config }: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  if (request.headers.authorization !== undefined) return
  limiter.refuseKnown('unauthenticated', rateLimitAddress(request.ip))
  addBearerChallenge(reply, config)
  throw unauthenticated('Send an API key: Authorization: Bearer <key>.')
}

const isLarge = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > unauthenticatedMaxBytes

/** Checks the credential before a large body is read. */
async function requireAuthenticated(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    await capabilitiesOf(endpoint.confined, bearerCaller(request.headers.authorization ?? '', request.id))
  } catch (error) {
    await countRefusal(endpoint, request, reply, error)
    throw error
  }
}

/** Counts a 401 against the caller's address, and tells the client where to get a token. */
async function countRefusal(
  { limiter, config }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
) {
  if (!(error instanceof Failure) || error.status !== 401) return
  await limiter.take('unauthenticated', rateLimitAddress(request.ip))
  addBearerChallenge(reply, config, 'error="invalid_token", ')
}

/** Tells a client where to find out how to get a token (RFC 9728). */
const addBearerChallenge = (reply: FastifyReply, { url }: Pick<Config, 'url'>, error = '') =>
  reply.header('www-authenticate', `Bearer ${error}resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`)

async function answer(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const { limiter } = endpoint
  const tools = endpoint.toolbox()
  const caller = bearerCaller(request.headers.authorization ?? '', request.id)
  if (request.server.draining) reply.header('connection', 'close')
  try {
    const mode = readToolMode(request.query)
    const message = request.method === 'POST' ? readMessage(request) : undefined
    const fastCall = readFastCall(tools, request.headers, message)
    if (fastCall && mode) return await answerFastCall(endpoint, caller, fastCall, reply)
    const capabilities = await capabilitiesOf(endpoint.confined, caller)
    await limiter.take('reads', subjectOf(caller))
    if (!carriesCalls(tools, message)) request.trace = traceOf(capabilities)
    if (!mode) throw unknownMode()
    if (message instanceof Failure) return refuseMessage(reply, message)
    return await answerWithLibrary(endpoint, request, reply, { caller, capabilities, mode, message })
  } catch (error) {
    await countRefusal(endpoint, request, reply, error)
    throw error
  }
}

async function answerFastCall(
  { callDependencies }: Endpoint,
  caller: Caller,
  { request, toText }: FastCall,
  reply: FastifyReply,
) {
  const text = toText(await callTool(callDependencies, caller, request))
  return reply.header('content-type', 'application/json').send(text)
}

type LibraryRequest = AuthorizedCaller & { message: unknown }

async function answerWithLibrary(
  { serve, config }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  libraryRequest: LibraryRequest,
) {
  const { message, ...authorized } = libraryRequest
  const { userId, scopes } = authorized.capabilities
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort())
  const response = await serve(webRequest(request, config, disconnected.signal), {
    ...(message !== undefined && { parsedBody: message }),
    authInfo: { token: '', clientId: userId, scopes: scopes ?? [], extra: { authorized } },
  })
  return reply.send(response)
}

/** The request for the library, without its body, which is already parsed. */
function webRequest({ method, url, headers }: FastifyRequest, config: Endpoint['config'], signal: AbortSignal) {
  const named = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')] as [string, string])
  return new Request(new URL(url, config.url), { method, headers: named, signal })
}

/** Which list of tools the address asks for: `/mcp?tools=compact`; undefined if there is no such list. */
function readToolMode(query: unknown): ToolMode | undefined {
  const { tools = 'full' } = query as { tools?: unknown }
  return toolModes.find((mode) => mode === tools)
}

const unknownMode = () =>
  new Failure(
    'VALIDATION',
    `The address of /mcp may end with ?tools=compact or ?tools=full, which is the same as nothing.`,
  )

/** The parsed message, or a failure if it is not JSON within the limits. */
function readMessage({ body, headers }: FastifyRequest): unknown {
  const encoded = encodingProblem(headers['content-encoding'])
  if (encoded) return encoded
  const text = typeof body === 'string' ? body : ''
  const problem = jsonProblem(text)
  if (problem) return new Failure('VALIDATION', problem)
  try {
    const message: unknown = JSON.parse(text)
    const tooMany = Array.isArray(message) && message.length > batchMax
    return tooMany ? new Failure('VALIDATION', `A batch may contain at most ${batchMax} messages.`) : message
  } catch {
    return new Failure('VALIDATION', 'The body is not valid JSON.')
  }
}

/** Answers an unreadable message with the error of JSON-RPC. */
const refuseMessage = (reply: FastifyReply, { message }: Failure) =>
  reply.code(400).send({ jsonrpc: '2.0', error: { code: -32700, message }, id: null })

/** Whether the message contains calls of operations: each of these records its own usage. */
const carriesCalls = (tools: Toolbox, message: unknown): boolean =>
  [message].flat().some((each) => {
    const { params } = (each ?? {}) as { params?: { name?: unknown } }
    return typeof params?.name === 'string' && findTool(tools, params.name) !== undefined
  })

const traceOf = ({ userId, keyId, appId, clientId }: Capabilities) => ({
  userId,
  ...(keyId && { keyId }),
  ...(appId && { appId }),
  ...(clientId && { clientId }),
})
