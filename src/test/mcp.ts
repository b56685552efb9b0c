import './own-world.ts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Operation } from '../core/define/operation.ts'
import { readMessages } from '../mcp/event-stream.ts'
import { type Credentials, type Reply, theApp } from './world.ts'

/** The MCP endpoint of the API under test, over real sockets. A test file that imports this has a listening server. */

let url: string
const open: Client[] = []

/** Runs before the tests of each file that imports this one (runner/file-setup.ts). */
export async function openMcp() {
  url = await theApp().server.listen({ host: '127.0.0.1', port: 0 })
}

export async function closeMcp() {
  for (const client of open.splice(0)) await client.close()
}

export const mcpUrl = () => new URL('/mcp', url)

export const newest = '2026-07-28'
export const previous = '2025-11-25'

/** An MCP client that speaks one version of the protocol. `query` is added to the address: `?tools=compact`. */
export async function connected(
  { credentials }: { credentials: Credentials },
  version = newest,
  query = '',
): Promise<Client> {
  const mode = version === newest ? { pin: newest } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(query, mcpUrl()), { requestInit: { headers: { ...credentials } } }),
  )
  open.push(client)
  return client
}

/** Posts any body to /mcp. */
export const post = (body: unknown, headers: Record<string, string> = {}, query = '') =>
  fetch(new URL(query, mcpUrl()), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export type Told = {
  id?: unknown
  error?: { code: number; message: string }
  result?: {
    content?: { type: string; resource?: { blob: string } }[]
    structuredContent?: Record<string, unknown>
    isError?: boolean
    _meta?: Record<string, unknown>
  }
}

/** The message that answers the request. */
export async function told(answer: Response): Promise<Told> {
  for await (const message of readMessages(answer)) if ('id' in message) return message as Told
  return {}
}

/** How a message is handled: by the short path of a single message, or by the MCP library (a batch). */
export type Lane = 'quick' | 'full'

const statusOf: Record<string, number> = {
  VALIDATION: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMIT: 429,
  INTERNAL: 500,
}

/** Calls an operation's tool and returns the answer that the same HTTP request would have. */
export async function request(
  { credentials }: { credentials: Credentials },
  operation: Operation,
  input: Record<string, unknown>,
  { lane = 'quick', meta }: { lane?: Lane; meta?: Record<string, unknown> } = {},
): Promise<Reply> {
  const params = { name: operation.name, arguments: input, ...(meta && { _meta: meta }) }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await post(lane === 'quick' ? message : [message], { ...credentials })
  if (answer.status === 401) return { status: 401, body: await answer.json(), headers: {} }
  const { result } = await told(answer)
  if (!result?.structuredContent) throw new Error(`${operation.name} did not answer as a tool does.`)
  const { retry: _, ...content } = result.structuredContent
  const file = result.content?.find(({ type }) => type === 'resource')?.resource
  const wrapped = 'result' in content && Object.keys(content).length === 1
  const { error } = content as { error?: { code: string } }
  return {
    status: result.isError && error ? (statusOf[error.code] ?? 0) : operation.status,
    body: file ? Buffer.from(file.blob, 'base64').toString() : wrapped ? content.result : content,
    headers: result._meta ?? {},
  }
}
