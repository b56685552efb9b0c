import type { JSONSchema7, ModelMessage, TextStreamPart, ToolSet } from 'ai'
import {
  type ConversationMessage,
  type ConversationPiece,
  type ConversationRequest,
  type ModelCall,
  ModelFailure,
  type ModelUsage,
} from '../../core/outside/conversation.ts'
import { failureOf, isFree } from './failure-of.ts'
import type { Model } from './model.ts'

/** One request to the model and its answer, piece by piece. The connection is closed when the answer is read or given up. */
export async function* answerOf(
  model: Model,
  request: ConversationRequest,
  ms: number,
): AsyncGenerator<ConversationPiece> {
  const stop = new AbortController()
  const heard: Heard = { characters: 0, calls: [] }
  try {
    for await (const part of await partsOf(model, request, { ms, stop })) {
      const text = hear(heard, part)
      if (text) yield { text }
    }
    yield* piecesAtEnd(heard, request)
  } catch (error) {
    // An answer that is cancelled has cost something too: otherwise cancelling would be a way around the limits.
    const isOver = request.signal.aborted || heard.characters > 0 || !isFree((await failureOf(error)).failure)
    if (isOver) yield { usage: heard.usage ?? estimated(heard, request) }
    throw error
  } finally {
    stop.abort()
  }
}

/** What an answer was until now. Calls wait for its end. */
type Heard = {
  characters: number
  calls: ConversationPiece[]
  usage?: ModelUsage
  finish?: { reason: string; isSaid: boolean }
}

type Part = TextStreamPart<ToolSet>

async function partsOf(
  model: Model,
  request: ConversationRequest,
  { ms, stop }: { ms: number; stop: AbortController },
) {
  const { jsonSchema, streamText } = await import('ai')
  const { organizationId, system, messages, tools, limits } = request
  const offered = tools.map(({ name, description, inputSchema }) => {
    return [name, { description, inputSchema: jsonSchema(inputSchema as JSONSchema7) }]
  })
  const maxBytes = bytesBeside + limits.outputTokens * bytesPerToken
  const { fullStream } = streamText({
    model: await model.open({ organizationId, ms, maxBytes }),
    system,
    messages: messages.map(toSdk),
    ...(tools.length > 0 && { tools: Object.fromEntries(offered) as ToolSet }),
    maxOutputTokens: limits.outputTokens,
    maxRetries: 0,
    abortSignal: AbortSignal.any([request.signal, stop.signal]),
    onError: () => {}, // it would print to the console; the stream has the error too
  })
  return fullStream
}

/** A token comes in an event of its own, with a few hundred bytes around it. */
const [bytesBeside, bytesPerToken] = [256 * 1024, 1024]

/** Takes a part of the stream in; returns text to pass on. */
function hear(heard: Heard, part: Part): string | undefined {
  switch (part.type) {
    case 'text-delta':
      heard.characters += part.text.length
      return part.text
    case 'reasoning-delta':
      heard.characters += part.text.length
      return undefined
    case 'tool-input-delta':
      heard.characters += part.delta.length
      return undefined
    case 'tool-call':
      heard.calls.push(callPiece(part))
      return undefined
    case 'finish-step': {
      const { inputTokens, outputTokens } = part.usage
      if (inputTokens !== undefined && outputTokens !== undefined) heard.usage = { inputTokens, outputTokens }
      heard.finish = { reason: part.finishReason, isSaid: part.rawFinishReason !== undefined }
      return undefined
    }
    case 'error':
      throw part.error
    case 'abort':
      throw new ModelFailure('late')
    default:
      return undefined
  }
}

function callPiece({
  toolCallId,
  toolName,
  input,
  invalid,
  error,
  providerMetadata,
}: Part & { type: 'tool-call' }): ConversationPiece {
  const call: ModelCall = {
    id: toolCallId,
    tool: toolName.replace(/[^\w-]/g, '_').slice(0, 64) || 'unnamed',
    input: isObject(input) ? input : {},
    ...(providerMetadata && { attached: providerMetadata }),
  }
  const isUnknown = error instanceof Error && error.name === 'AI_NoSuchToolError'
  if (isUnknown) return { wrongCall: { call, problem: 'NO_SUCH_TOOL' } }
  return invalid || !isObject(input) ? { wrongCall: { call: { ...call, input: {} }, problem: 'INPUT' } } : { call }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function* piecesAtEnd(heard: Heard, request: ConversationRequest): Generator<ConversationPiece> {
  const { calls, finish } = heard
  if (!finish || finish.reason === 'error') throw new ModelFailure(finish ? 'unreadable' : 'broken')
  if (finish.reason === 'other' && !finish.isSaid) throw new ModelFailure('broken')
  if (finish.reason === 'content-filter') throw new ModelFailure('filtered')
  const isCut = finish.reason === 'length'
  if (!isCut) yield* calls.map((piece) => known(piece, request))
  yield { usage: heard.usage ?? estimated(heard, request) }
  // Some servers end an answer with calls as if it had none.
  yield { end: isCut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop' }
}

/** The SDK looks a tool up in an object, which has names such as `constructor` of its own. */
function known(piece: ConversationPiece, { tools }: ConversationRequest): ConversationPiece {
  const call = 'call' in piece ? piece.call : 'wrongCall' in piece ? piece.wrongCall.call : undefined
  if (!call || tools.some(({ name }) => name === call.tool)) return piece
  return { wrongCall: { call, problem: 'NO_SUCH_TOOL' } }
}

/** Three characters to a token: rather too many tokens than too few, also in Hebrew. */
function estimated({ characters }: Heard, { system, messages, tools }: ConversationRequest): ModelUsage {
  const sent = JSON.stringify([system, messages, tools]).length
  return { inputTokens: Math.ceil(sent / 3), outputTokens: Math.ceil(characters / 3) }
}

function toSdk(message: ConversationMessage): ModelMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text ? [{ type: 'text' as const, text: message.text }] : []),
          ...message.calls.map(callPart),
        ],
      }
    case 'tool':
      return { role: 'tool', content: message.results.map(resultPart) }
  }
}

const callPart = ({ id, tool, input, attached }: ModelCall) => ({
  type: 'tool-call' as const,
  toolCallId: id,
  toolName: tool,
  input,
  // Only what the provider itself attached comes here, so it has the form that the SDK expects.
  ...(attached !== undefined && {
    providerOptions: attached as NonNullable<(ModelMessage & object)['providerOptions']>,
  }),
})

const resultPart = ({ id, tool, text, failed }: { id: string; tool: string; text: string; failed: boolean }) => ({
  type: 'tool-result' as const,
  toolCallId: id,
  toolName: tool,
  output: { type: failed ? ('error-text' as const) : ('text' as const), value: text },
})
