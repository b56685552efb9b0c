import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { WrongSetting } from '../config/config.ts'
import { readMessages } from './event-stream.ts'
import { headersFor, type Message } from './standard-headers.ts'

type Bridge = {
  /** Where Kontor runs. */
  url: string
  key: string
  input: Readable
  output: Writable
  /** For people: the output belongs to the protocol. */
  say: (line: string) => void
}

/**
 * Carries MCP between a desktop agent's pipes and a running Kontor: a message is a line here and a request to /mcp there.
 * It knows nothing of tools, so it works beside `npm start` and with any version of it. Ends with its input.
 */
export async function bridge({ url, key, input, output, say }: Bridge): Promise<void> {
  const endpoint = new URL('/mcp', url)
  const underWay = new Map<unknown, AbortController>()
  const carried = new Set<Promise<void>>()
  let version: string | undefined // as negotiated, in the older generation of the protocol
  await requireServer(endpoint, key)

  const put = (message: Message) => void output.write(`${JSON.stringify(message)}\n`)

  async function carry(message: Message) {
    if (message.method === 'notifications/cancelled') return underWay.get(message.params?.requestId)?.abort()
    const gone = new AbortController()
    if (message.id !== undefined) underWay.set(message.id, gone)
    try {
      const answer = await post(endpoint, { key, message, version, signal: gone.signal })
      for await (const told of readMessages(answer)) {
        if (message.method === 'initialize' && told.id === message.id) version = told.result?.protocolVersion ?? version
        put(told)
      }
    } catch (error) {
      if (gone.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      say(reason)
      if (message.id !== undefined) put({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: reason } })
    } finally {
      underWay.delete(message.id)
    }
  }

  for await (const line of createInterface({ input })) {
    const message = read(line)
    if (line.trim() === '') continue
    if (!message) {
      put({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'A line is one JSON-RPC message.' } })
      continue
    }
    const work = carry(message).finally(() => carried.delete(work))
    carried.add(work)
  }
  await Promise.all(carried)
}

function read(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}

type Sent = { key: string; message: Message; version?: string | undefined; signal?: AbortSignal }

async function post(endpoint: URL, { key, message, version, signal }: Sent): Promise<Response> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersFor(message, version),
    },
    body: JSON.stringify(message),
    ...(signal && { signal }),
  }).catch((error: Error) => {
    if (error.name === 'AbortError') throw error
    throw new Error(`Kontor does not answer at ${endpoint.origin}. Start it with npm start, or set KONTOR_URL.`)
  })
  if (answer.status === 401) throw new Error(`Kontor at ${endpoint.origin} does not know the key in KONTOR_API_KEY.`)
  if (answer.ok || !isOurs(answer)) return answer
  const { error, jsonrpc } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as Refusal
  if (jsonrpc) return answer // the protocol's own
  throw new Error(`Kontor at ${endpoint.origin} refuses: ${error?.message ?? answer.statusText}`)
}

/** Too many requests, a database out of reach: told as over HTTP, and the agent waits for an answer to its message. */
type Refusal = { jsonrpc?: string; error?: { message?: string } }
const isOurs = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json') === true

/** What is wrong is said at the start, to the person who sets it up, and not at the first call of an agent. */
async function requireServer(endpoint: URL, key: string) {
  try {
    const answer = await post(endpoint, { key, message: { jsonrpc: '2.0', id: 0, method: 'ping' } })
    await answer.body?.cancel()
    if (!answer.ok)
      throw new Error(`What answers at ${endpoint.origin} is no Kontor (${answer.status}). Set KONTOR_URL.`)
  } catch (error) {
    throw new WrongSetting(error instanceof Error ? error.message : String(error))
  }
}
