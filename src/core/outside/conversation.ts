import { Failure } from '../define/failure.ts'

/** A conversation with the language model of the installation. Each call asks for the next answer; the caller keeps the messages. */
export type Conversation = {
  /** `<provider>:<model>` */
  model: string
  budget: ModelBudget
  /**
   * The answer while it arrives: pieces of text, then the calls that are complete, then usage and end. A call is yielded only if
   * the whole answer has arrived, so a connection that breaks off never leaves half of one. Throws ModelFailure, or the reason
   * of `signal`. Usage is also yielded before a failure that may have cost something.
   */
  converse(request: ConversationRequest): AsyncIterable<ConversationPiece>
}

/** What an organization may use of the model in a day, and what it costs. */
export type ModelBudget = {
  dailyTokens: number
  /** For a million tokens, in the currency of the operator; 0 if the operator gives none. */
  pricePerMillion: { input: number; output: number }
  /** In millionths of that currency; undefined if only tokens are limited. */
  dailyCostMicros: number | undefined
}

export type ConversationRequest = {
  organizationId: string
  system: string
  messages: readonly ConversationMessage[]
  tools: readonly OfferedTool[]
  signal: AbortSignal
  limits: {
    /** Until the end of the answer, with waiting and retries. */
    ms: number
    outputTokens: number
  }
}

export type ConversationMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ModelCall[] }
  | { role: 'tool'; results: readonly CallResult[] }

export type OfferedTool = { name: string; description: string; inputSchema: { [keyword: string]: unknown } }

export type ModelCall = {
  id: string
  tool: string
  input: Record<string, unknown>
  /** What the provider wants back with the call, such as the signature of Google; not for others to read. */
  attached?: unknown
}

/** What the model is told about one of its calls. */
export type CallResult = { id: string; tool: string; text: string; failed: boolean }

export type ModelUsage = { inputTokens: number; outputTokens: number }

export type ConversationPiece =
  | { text: string }
  | { call: ModelCall }
  /** A call that cannot be executed: its input is no JSON object, or it was offered no such tool. `call` can be sent back. */
  | { wrongCall: { call: ModelCall; problem: 'INPUT' | 'NO_SUCH_TOOL' } }
  /** As the provider counts it; estimated if it does not. */
  | { usage: ModelUsage }
  /** `length`: it was cut off at the limit of its output, and its calls are left out. */
  | { end: 'stop' | 'tool-calls' | 'length' }

const reasons = {
  late: 'The language model did not answer in time.',
  limited: 'The language model accepts no more requests at the moment. Try again later.',
  key: 'The language model does not accept the key of this installation. Its operator can correct that.',
  overloaded: 'The language model is overloaded at the moment. Try again shortly.',
  failed: 'The language model failed.',
  unreachable: 'The language model could not be reached.',
  broken: 'The language model broke off in the middle of its answer.',
  filtered: 'The language model did not answer, because its content filter forbids it.',
  refused: 'The language model refused the request. The conversation may be too long for it.',
  unreadable: 'The answer of the language model could not be read.',
  confused: 'The language model called tools wrongly several times, so the answer was given up.',
} as const

export type ModelFailureReason = keyof typeof reasons

/** Why there is no answer of the model. The message is for the person; it repeats nothing that the provider wrote. */
export class ModelFailure extends Failure {
  readonly reason: ModelFailureReason

  constructor(reason: ModelFailureReason, { retryAfterS, cause }: { retryAfterS?: number; cause?: unknown } = {}) {
    const sentence = retryAfterS === undefined ? reasons[reason] : withWait(reasons[reason], retryAfterS)
    const code = reason === 'limited' ? 'RATE_LIMIT' : 'VALIDATION'
    const details = [{ path: '', message: sentence, code: 'TARGET_UNREACHABLE' as const }]
    super(code, sentence, { details, cause, ...(retryAfterS !== undefined && { retryAfterS }) })
    this.reason = reason
  }
}

const withWait = (sentence: string, seconds: number) =>
  sentence.replace(/Try again \w+\./, `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`)
