import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { WrongSetting } from '../config/config.ts'
import { jsonProblem } from '../core/values/json-limits.ts'
import { readMessages } from './event-stream.ts'
import { headersFor, type Message } from './standard-headers.ts'

type BridgeOptions = {
  /** The URL of the running Kontor. */
  url: string
  key: string
  /** Which list of tools the agent sees (`full` or `compact`); the server refuses any other. */
  tools?: string | undefined
  input: Readable
  output: Writable
  /** Writes a message for people, to standard error: standard output belongs to the protocol. */
  report: (line: string) => void
}

/**
 * Connects a desktop agent that uses standard input and output to a running Kontor: each line is a message and becomes a
 * request to /mcp. The bridge knows no tools, so it works with every version of the server. It ends when its input ends.
 */
export async function bridge({ url, key, tools, input, output, report }: BridgeOptions): Promise<void> {
  const endpoint = new URL('/mcp', url)
  if (tools !== undefined) endpoint.searchParams.set('tools', tools)
  const pending = new Map<unknown, AbortController>()
  const forwarded = new Set<Promise<void>>()
  let version: string | undefined // negotiated by `initialize` in the older generation of the protocol
  await requireServer(endpoint, key)

  const writeMessage = (message: Message) => void output.write(`${JSON.stringify(message)}\n`)

  async function forward(message: Message) {
    if (message.method === 'notifications/cancelled') return pending.get(message.params?.requestId)?.abort()
    const cancelled = new AbortController()
    if (message.id !== undefined) pending.set(message.id, cancelled)
    try {
      const answer = await post(endpoint, { key, message, version, signal: cancelled.signal })
      for await (const reply of readMessages(answer)) {
        if (message.method === 'initialize' && reply.id === message.id)
          version = reply.result?.protocolVersion ?? version
        writeMessage(reply)
      }
    } catch (error) {
      if (cancelled.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      report(reason)
      if (message.id !== undefined)
        writeMessage({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: reason } })
    } finally {
      pending.delete(message.id)
    }
  }

  for await (const line of createInterface({ input })) {
    const message = parseLine(line)
    if (line.trim() === '') continue
    if (!message) {
      writeMessage({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'Each line must be one JSON-RPC message.' },
      })
      continue
    }
    const work = forward(message).finally(() => forwarded.delete(work))
    forwarded.add(work)
  }
  await Promise.all(forwarded)
}

function parseLine(line: string): Message | undefined {
  if (jsonProblem(line)) return undefined // a number that is too large would be forwarded as null
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}

type PostOptions = { key: string; message: Message; version?: string | undefined; signal?: AbortSignal }

async function post(endpoint: URL, { key, message, version, signal }: PostOptions): Promise<Response> {
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
  if (answer.ok || !isJsonResponse(answer)) return answer
  const { error, jsonrpc } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as Refusal
  if (jsonrpc) return answer // already an error of the protocol
  throw new Error(`Kontor at ${endpoint.origin} refused the request: ${error?.message ?? answer.statusText}`)
}

/** An error of the HTTP server, such as a rate limit: it must become the answer to the agent's message. */
type Refusal = { jsonrpc?: string; error?: { message?: string } }
const isJsonResponse = ({ headers }: Response) => headers.get('content-type')?.startsWith('application/json') === true

/** Checks URL and key at the start, so that the person who sets it up sees a mistake before the first call. */
async function requireServer(endpoint: URL, key: string) {
  try {
    const answer = await post(endpoint, { key, message: { jsonrpc: '2.0', id: 0, method: 'ping' } })
    await answer.body?.cancel()
    if (!answer.ok)
      throw new Error(`The server at ${endpoint.origin} is not Kontor (it answered ${answer.status}). Set KONTOR_URL.`)
  } catch (error) {
    throw new WrongSetting(error instanceof Error ? error.message : String(error))
  }
}
