import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { enumForm, formWithDefaults } from './forms.ts'
import { about, text } from './tools.ts'

/** Tools that ask the client for input: by a request in the older protocol version, by their result in the newer one. */

export const stateCodec = createRequestStateCodec<string>({ key: 'conformance-fixture-key-of-32-bytes!' })

type Form = Extract<Parameters<typeof inputRequired.elicit>[0], { requestedSchema: unknown }>['requestedSchema']

const form = (properties: Record<string, { type: 'string' | 'boolean' }>) =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as Form

const elicit = (message: string, properties: Record<string, { type: 'string' | 'boolean' }>): InputRequest =>
  inputRequired.elicit({ message, requestedSchema: form(properties) })

const sample = (words: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens })

const askName = elicit('What is your name?', { name: { type: 'string' } })

export function addAsking(server: McpServer) {
  addOlder(server)
  addNewer(server)
  addWithState(server)
}

function addOlder(server: McpServer) {
  const prompt = fromJsonSchema<{ prompt: string }>({
    type: 'object',
    properties: { prompt: { type: 'string' } },
    required: ['prompt'],
  })
  server.registerTool('test_sampling', { ...about, inputSchema: prompt }, async (given, { mcpReq }) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: given.prompt } }]
    const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 }, onItsStream(mcpReq))
    return text(`LLM response: ${JSON.stringify(content)}`)
  })
  const message = fromJsonSchema<{ message: string }>({
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  })
  server.registerTool('test_elicitation', { ...about, inputSchema: message }, (given, context) =>
    elicited(context, given.message, form({ response: { type: 'string' } })),
  )
  server.registerTool('test_elicitation_sep1034_defaults', about, (context: ServerContext) =>
    elicited(context, 'Please review the defaults', formWithDefaults as Form),
  )
  server.registerTool('test_elicitation_sep1330_enums', about, (context: ServerContext) =>
    elicited(context, 'Please choose', enumForm as Form),
  )
}

/** Sends a question on the stream of its call, because no other may be open. */
const onItsStream = ({ id }: ServerContext['mcpReq']) => ({ relatedRequestId: id })

async function elicited({ mcpReq }: ServerContext, message: string, requestedSchema: Form): Promise<CallToolResult> {
  const { action, content } = await mcpReq.elicitInput(
    { mode: 'form', message, requestedSchema } as never,
    onItsStream(mcpReq),
  )
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)
}

type Answered = CallToolResult | InputRequiredResult

function addNewer(server: McpServer) {
  const tool = (name: string, run: (responses: Responses, context: ServerContext) => Answered) =>
    server.registerTool(name, about, (context: ServerContext) => run(context.mcpReq.inputResponses, context))
  const named = (responses: Responses): Answered => {
    const name = acceptedContent(responses, 'user_name')?.name
    if (typeof name !== 'string') return inputRequired({ inputRequests: { user_name: askName } })
    return text(`Hello, ${name}!`)
  }
  tool('test_input_required_result_elicitation', named)
  tool('test_streaming_elicitation', named)
  tool('test_input_required_result_sampling', (responses) => {
    const said = inputResponse(responses, 'capital_question')
    if (said.kind === 'sampling') return text(JSON.stringify(said.result.content))
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } })
  })
  // The library itself refuses this for a client without sampling.
  tool('test_missing_capability', () => inputRequired({ inputRequests: { greeting: sample('Greet me', 50) } }))
  tool('test_input_required_result_list_roots', (responses) => {
    const said = inputResponse(responses, 'client_roots')
    if (said.kind === 'roots') return text(said.roots.map(({ uri }) => uri).join())
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  tool('test_input_required_result_capabilities', (_, { mcpReq }) => {
    const { sampling, elicitation } = declaredBy(mcpReq.envelope)
    const inputRequests = {
      ...(sampling && { greeting: sample('Generate a greeting', 50) }),
      ...(elicitation && { user_name: askName }),
    }
    return inputRequired({ inputRequests })
  })
}

/** The capabilities that the client of a request declares. */
const declaredBy = (envelope: object | undefined): { sampling?: object; elicitation?: object } =>
  (envelope as Record<string, object> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}

type Responses = ServerContext['mcpReq']['inputResponses']

function addWithState(server: McpServer) {
  const tool = (name: string, run: (context: ServerContext) => Promise<Answered>) =>
    server.registerTool(name, about, (context: ServerContext) => run(context))
  const confirm = { confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) }
  const stated = async ({ mcpReq }: ServerContext): Promise<Answered> =>
    mcpReq.requestState<string>() === 'asked'
      ? text('state-ok')
      : inputRequired({ inputRequests: confirm, requestState: await stateCodec.mint('asked') })
  tool('test_input_required_result_request_state', stated)
  tool('test_input_required_result_tampered_state', stated)
  tool('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    if (mcpReq.requestState<string>() === 'asked') return text('all there')
    const inputRequests = {
      user_name: askName,
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    }
    return inputRequired({ inputRequests, requestState: await stateCodec.mint('asked') })
  })
  tool('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const state = mcpReq.requestState<string>()
    if (state === 'second') return text('both steps taken')
    const step =
      state === 'first'
        ? { step2: elicit('Step 2: What is your favorite color?', { color: { type: 'string' } }) }
        : { step1: elicit('Step 1: What is your name?', { name: { type: 'string' } }) }
    const requestState = await stateCodec.mint(state === 'first' ? 'second' : 'first')
    return inputRequired({ inputRequests: step, requestState })
  })
}
