import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a model was asked, in the words of the protocol. */
export type Asked = { path: string; headers: IncomingHttpHeaders; body: Question; text: string }
type Question = {
  model?: string
  tools?: { name: string }[]
  tool_choice?: { type: string }
  response_format?: { type: string }
  output_config?: unknown
  output_format?: unknown
}

type Answer = object | string | ((response: ServerResponse, asked: Asked) => void)

/**
 * A server that speaks the chat protocol of OpenAI, the messages protocol of Anthropic and generateContent of Google. It answers
 * with an object or a text without streaming, or as the function does: a `script` (model-script.ts) is streamed. It is closed after
 * the test.
 */
export async function modelServer(first: Answer) {
  const asked: Asked[] = []
  const answers = { next: first }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as Question, text }
    asked.push(one)
    if (typeof answers.next === 'function') return answers.next(response, one)
    sendJson(response, 200, spoken(one, answers.next))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, answers, url: `http://127.0.0.1:${port}/v1` }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** The answer in the protocol of the address that was called. */
function spoken({ path, body }: Asked, answer: object | string) {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  if (path.endsWith('/chat/completions')) return chat({ role: 'assistant', content: text })
  if (path.endsWith(':generateContent')) {
    const content = { role: 'model', parts: [{ text }] }
    return {
      candidates: [{ content, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    }
  }
  const [tool] = body.tools ?? []
  const isTool = tool !== undefined && typeof answer === 'object'
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [isTool ? { type: 'tool_use', id: 'toolu_1', name: tool.name, input: answer } : { type: 'text', text }],
    stop_reason: isTool ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}

/** A completion of the chat protocol with this message. */
export const chat = (message: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'vision',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})
