import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  type EventStore,
  isInitializeRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Serve } from '../../mcp/mount.ts'
import { addAsking, stateCodec } from './asking.ts'
import { addPrompts, addResources } from './library.ts'
import { addTools } from './tools.ts'

/**
 * Serves the fixtures of the conformance suite behind our endpoint, in a test-only build. The older protocol version has
 * sessions, because in some scenarios the server asks the client. A session belongs to the client that opened it.
 */
export function fixtureServe(): Serve {
  const handler = createMcpHandler(() => fixtureServer({ toolsChanged, promptsChanged }), { legacy: 'reject' })
  const { toolsChanged, promptsChanged } = handler.notify
  const sessions = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; owner: string }>()

  return async (request, options) => {
    if (!(await isLegacyRequest(request, options.parsedBody ?? null))) return handler.fetch(request, options)
    const id = request.headers.get('mcp-session-id') ?? ''
    const owner = options.authInfo?.clientId ?? ''
    const session = sessions.get(id)
    if (session?.owner === owner) return session.transport.handleRequest(request, options)
    if (!isInitializeRequest(options.parsedBody)) {
      const error = { code: -32001, message: 'There is no such session.' }
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: id ? 404 : 400 })
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: eventStore(),
      retryInterval: 500,
      onsessioninitialized: (opened) => void sessions.set(opened, { transport, owner }),
      onsessionclosed: (closed) => void sessions.delete(closed),
    })
    await fixtureServer({ toolsChanged, promptsChanged }).connect(transport)
    return transport.handleRequest(request, options)
  }
}

type Changes = Parameters<typeof addTools>[1]

function fixtureServer(changes: Changes): McpServer {
  const server = new McpServer(
    { name: 'kontor-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: stateCodec.verify },
    },
  )
  addTools(server, changes)
  addAsking(server)
  addResources(server)
  addPrompts(server)
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
  return server
}

/** Stores sent messages, so that a client can resume a lost stream. */
function eventStore(): EventStore {
  const events: { id: string; stream: string; message: JSONRPCMessage }[] = []
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${events.length}`
      events.push({ id, stream, message })
      return id
    },
    async replayEventsAfter(last, { send }) {
      const at = events.findIndex(({ id }) => id === last)
      const stream = events[at]?.stream ?? ''
      for (const event of events.slice(at + 1)) if (event.stream === stream) await send(event.id, event.message)
      return stream
    },
  }
}
