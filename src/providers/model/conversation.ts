import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Conversation,
  ConversationPiece,
  ConversationRequest,
  ModelBudget,
} from '../../core/outside/conversation.ts'
import { answerOf } from './answer.ts'
import { type CallFailure, failureOf } from './failure-of.ts'
import type { Model } from './model.ts'

/** Conversations with a model through the AI SDK, whose own retries are off: they would not know the time that is left. */
export const openConversation = (model: Model, budget: ModelBudget): Conversation => ({
  model: model.id,
  budget,
  converse: (request) => converse(model, request),
})

const retriesMax = 2
/** How long to wait if the provider does not say, and the least time that is worth another attempt. */
const [usualWaitMs, leastMs] = [1_000, 1_000]

async function* converse(model: Model, request: ConversationRequest): AsyncGenerator<ConversationPiece> {
  const until = performance.now() + request.limits.ms
  for (let attempt = 0; ; attempt++) {
    let hasBegun = false
    try {
      for await (const piece of answerOf(model, request, until - performance.now())) {
        hasBegun = true
        yield piece
      }
      return
    } catch (error) {
      request.signal.throwIfAborted()
      const { failure, retryAfterMs } = await failureOf(error)
      const waitMs = retryAfterMs ?? usualWaitMs * 2 ** attempt
      const isInTime = performance.now() + waitMs + leastMs < until
      if (hasBegun || attempt === retriesMax || !mayHelp(failure) || !isInTime) throw failure
      await sleep(waitMs, undefined, { signal: request.signal })
    }
  }
}

/** Other failures would be the same again, or may have cost something already. */
const mayHelp = ({ reason }: CallFailure['failure']) => reason === 'limited' || reason === 'overloaded'
