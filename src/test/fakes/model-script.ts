import type { ServerResponse } from 'node:http'
import type { Asked } from './model-server.ts'
import { sendJson } from './model-server.ts'

/** What a model answers: text in pieces, calls, how it ends and what it counts. `input` may be a text that is no JSON. */
export type ScriptedAnswer = {
  say?: readonly string[]
  calls?: readonly { tool: string; input: object | string; id?: string }[]
  /** In the words of the chat protocol; from the calls if not given. */
  finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter'
  /** Input and output tokens; null if the server does not count. */
  usage?: readonly [number, number] | null
}

type Reply = (response: ServerResponse, asked: Asked) => void
export type Scripted = ScriptedAnswer | Reply

/** Answers each request with the next of the replies, streamed in the protocol that it is asked in. */
export function script(...replies: readonly Scripted[]): Reply {
  const rest = [...replies]
  return (response, asked) => {
    const reply = rest.shift()
    if (!reply) return sendJson(response, 500, { error: { message: 'The script has ended.' } })
    return typeof reply === 'function' ? reply(response, asked) : sent(reply)(response, asked)
  }
}

/** Answers every request as the function says, which is given what the model was asked. */
export const played =
  (answer: (asked: Asked) => Scripted): Reply =>
  (response, asked) => {
    const reply = answer(asked)
    return typeof reply === 'function' ? reply(response, asked) : sent(reply)(response, asked)
  }

const sent =
  (answer: ScriptedAnswer): Reply =>
  (response, asked) => {
    begin(response)
    response.end(streamOf(answer, asked).join(''))
  }

/** An error status, as providers send it. */
export const refusing =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    sendJson(response, status, { type: 'error', error: { type: 'error', message: 'secret-of-the-provider' } }, headers)

/** No answer at all, not even headers. */
export const silent: Reply = () => {}

/** Sends this much of the stream, and then nothing more. */
export const hanging =
  (answer: ScriptedAnswer, share: number): Reply =>
  (response, asked) => {
    begin(response)
    response.write(beginning(answer, asked, share))
  }

/** Sends this much of the stream, then breaks the connection or, like some gateways, ends the answer as if it were complete. */
export const cut =
  (answer: ScriptedAnswer, share: number, how: 'breaks' | 'ends' = 'breaks'): Reply =>
  (response, asked) => {
    begin(response)
    const text = beginning(answer, asked, share)
    if (how === 'ends') response.end(text)
    else response.write(text, () => setTimeout(() => response.destroy(), 20))
  }

/** Sends an event every few milliseconds. */
export const dripping =
  (answer: ScriptedAnswer, everyMs: number): Reply =>
  (response, asked) => {
    begin(response)
    const events = streamOf(answer, asked)
    const timer = setInterval(() => {
      const event = events.shift()
      if (event) response.write(event)
      else response.end()
    }, everyMs)
    response.on('close', () => clearInterval(timer))
  }

/** A stream with these events, whatever they are. */
export const raw =
  (text: string, contentType = 'text/event-stream'): Reply =>
  (response) =>
    response.writeHead(200, { 'content-type': contentType }).end(text)

const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })

function beginning(answer: ScriptedAnswer, asked: Asked, share: number): string {
  const text = streamOf(answer, asked).join('')
  return text.slice(0, Math.floor(text.length * share))
}

/** The events of an answer in the protocol of the address that was called. */
function streamOf(answer: ScriptedAnswer, { path }: Asked): string[] {
  if (path.endsWith('/chat/completions')) return chatEvents(answer)
  return path.includes(':streamGenerateContent') ? googleEvents(answer) : anthropicEvents(answer)
}

const event = (data: object, name?: string) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`
const finishOf = ({ finish, calls = [] }: ScriptedAnswer) => finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
const textOf = (input: object | string) => (typeof input === 'string' ? input : JSON.stringify(input))
const idOf = ({ id }: { id?: string }, n: number) => id ?? `call_${n}`
const usageOf = ({ usage }: ScriptedAnswer) => (usage === undefined ? ([10, 5] as const) : usage)

/** Seven characters at a time, so that arguments arrive in pieces. */
const inPieces = (text: string) => text.match(/.{1,7}/gsu) ?? ['']

function chatEvents(answer: ScriptedAnswer): string[] {
  const { say = [], calls = [] } = answer
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'chat', choices: [{ index: 0, delta, finish_reason }] })
  const called = calls.flatMap((call, index) => {
    const [first, ...rest] = inPieces(textOf(call.input))
    const begun = { index, id: idOf(call, index), type: 'function', function: { name: call.tool, arguments: first } }
    return [{ tool_calls: [begun] }, ...rest.map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] }))]
  })
  const usage = usageOf(answer)
  const counted = usage && { prompt_tokens: usage[0], completion_tokens: usage[1], total_tokens: usage[0] + usage[1] }
  return [
    chunk({ role: 'assistant', content: '' }),
    ...say.map((content) => chunk({ content })),
    ...called.map((delta) => chunk(delta)),
    chunk({}, finishOf(answer)),
    ...(counted ? [event({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'chat', choices: [], usage: counted })] : []),
    'data: [DONE]\n\n',
  ]
} // biome-ignore format: an event a line

const stopReasons = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', content_filter: 'refusal' }

function anthropicEvents(answer: ScriptedAnswer): string[] {
  const { say = [], calls = [] } = answer
  const [input, output] = usageOf(answer) ?? [0, 0]
  const named = (data: { type: string; [field: string]: unknown }) => event(data, data.type)
  const block = (index: number, content_block: object, deltas: readonly object[]) => [
    named({ type: 'content_block_start', index, content_block }),
    ...deltas.map((delta) => named({ type: 'content_block_delta', index, delta })),
    named({ type: 'content_block_stop', index }),
  ]
  const text = say.length === 0 ? [] : block(0, { type: 'text', text: '' }, say.map((text) => ({ type: 'text_delta', text })))
  const used = calls.flatMap((call, n) =>
    block(
      n + 1,
      { type: 'tool_use', id: idOf(call, n), name: call.tool, input: {} },
      inPieces(textOf(call.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    ),
  )
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'chat', content: [], stop_reason: null, stop_sequence: null }
  return [
    named({ type: 'message_start', message: { ...message, usage: { input_tokens: input, output_tokens: 1 } } }),
    ...text,
    ...used,
    named({ type: 'message_delta', delta: { stop_reason: stopReasons[finishOf(answer)], stop_sequence: null }, usage: { output_tokens: output } }),
    named({ type: 'message_stop' }),
  ]
} // biome-ignore format: an event a line

const googleReasons = { stop: 'STOP', tool_calls: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' }

function googleEvents(answer: ScriptedAnswer): string[] {
  const { say = [], calls = [] } = answer
  const usage = usageOf(answer)
  const parts = [
    ...say.map((text) => ({ text })),
    ...calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input }, thoughtSignature: 'signed-by-google' })),
  ]
  const counted = usage && { promptTokenCount: usage[0], candidatesTokenCount: usage[1], totalTokenCount: usage[0] + usage[1] }
  return [
    ...parts.map((part) => event({ candidates: [{ content: { role: 'model', parts: [part] } }] })),
    event({
      candidates: [{ content: { role: 'model', parts: [] }, finishReason: googleReasons[finishOf(answer)] }],
      ...(counted && { usageMetadata: counted }),
    }),
  ]
} // biome-ignore format: an event a line
