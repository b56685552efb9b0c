import {
  acceptedContent,
  fromJsonSchema,
  inputRequired,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { image } from './samples.ts'
import { about } from './tools.ts'

/** The resources and prompts that the conformance suite asks for by name. */

export function addResources(server: McpServer) {
  const textOf = (uri: string, text: string) => ({ contents: [{ uri, mimeType: 'text/plain', text }] })
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, async ({ href }) =>
    textOf(href, 'This is the content of the static text resource.'),
  )
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: image }],
  }))
  server.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, async ({ href }) =>
    textOf(href, 'Watched resource content'),
  )
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, async ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }))
}

const said = (words: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: words } })

const strings = <K extends string>(...names: K[]) =>
  fromJsonSchema<Record<K, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  })

export function addPrompts(server: McpServer) {
  server.registerPrompt('test_simple_prompt', about, () => ({
    messages: [said('This is a simple prompt for testing.')],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...about, argsSchema: strings('arg1', 'arg2') },
    ({ arg1, arg2 }) => ({
      messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...about, argsSchema: strings('resourceUri') },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded content.' } },
        },
        said('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', about, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: image, mimeType: 'image/png' } },
      said('Please analyze the image above.'),
    ],
  }))
  server.registerPrompt('test_input_required_result_prompt', about, ({ mcpReq }: ServerContext) => {
    const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.context
    if (typeof context === 'string') return { messages: [said(`With ${context}.`)] }
    const asked = inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
    })
    return inputRequired({ inputRequests: { user_context: asked } })
  })
}
