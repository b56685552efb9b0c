import { setTimeout as sleep } from 'node:timers/promises'
import { type CallToolResult, fromJsonSchema, type McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { audio, image, plainSchema } from './samples.ts'

/** The tools that the conformance suite calls by name; none of them is in the product. */
export const about = { description: 'A fixture of the conformance suite.' }

export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })

const resource = (uri: string, mimeType: string, words: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: words } }) as const

const answers: Record<string, CallToolResult> = {
  test_simple_text: text('This is a simple text response for testing.'),
  test_image_content: { content: [{ type: 'image', data: image, mimeType: 'image/png' }] },
  test_audio_content: { content: [{ type: 'audio', data: audio, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: image, mimeType: 'image/png' },
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
}

type Changes = { toolsChanged(): void; promptsChanged(): void }

export function addTools(server: McpServer, changes: Changes) {
  const tool = (name: string, run: (context: ServerContext) => Promise<CallToolResult> | CallToolResult) =>
    server.registerTool(name, about, (context: ServerContext) => run(context))
  for (const [name, answer] of Object.entries(answers)) tool(name, () => answer)
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  tool('test_tool_with_logging', (context) => logged(context, 50))
  tool('test_logging_tool', (context) => logged(context, 0))
  tool('test_tool_with_progress', progressed)
  tool('test_reconnection', async ({ http }) => {
    http?.closeSSE?.()
    await sleep(100)
    return text('The stream was closed on the way and taken up again.')
  })
  tool('test_trigger_tool_change', () => {
    changes.toolsChanged()
    return text('told')
  })
  tool('test_trigger_prompt_change', () => {
    changes.promptsChanged()
    return text('told')
  })
  addToolsWithInput(server)
}

function addToolsWithInput(server: McpServer) {
  const schema = fromJsonSchema<Record<string, unknown>>(plainSchema)
  server.registerTool('json_schema_2020_12_tool', { ...about, inputSchema: schema }, (given) =>
    text(JSON.stringify(given)),
  )
  const properties = { region: { type: 'string' as const, 'x-mcp-header': 'Region' } }
  const region = fromJsonSchema<{ region: string }>({ type: 'object', properties, required: ['region'] })
  server.registerTool('test_custom_headers', { ...about, inputSchema: region }, (given) => text(given.region))
}

async function logged({ mcpReq }: ServerContext, pauseMs: number): Promise<CallToolResult> {
  for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', step)
    await sleep(pauseMs)
  }
  return text('Tool with logging executed successfully')
}

async function progressed({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    }
    await sleep(50)
  }
  return text(String(progressToken))
}
