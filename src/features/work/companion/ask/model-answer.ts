import type { Conversation, OfferedTool } from '../../../../core/outside/conversation.ts'
import type { Steps } from '../assistant/talk.ts'
import { type Ending, modelAssistant } from '../model/assistant.ts'
import type { TurnLimits } from '../model/limits.ts'
import type { TurnInput } from '../turns/assistant.ts'
import { type AnswerSchema, typeOf } from './answer-schema.ts'
import { misfitsOf } from './misfits.ts'
import { noAnswer } from './no-answer.ts'

/** How often the model may give an answer that does not fit the schema. */
const triesMax = 2

/** Answers a question with a language model, which ends by calling the tool `answer` with a value that fits the schema. */
export async function* modelAnswer(
  conversation: Conversation,
  turn: TurnInput,
  schema: AnswerSchema,
  limits?: TurnLimits,
): Steps<unknown> {
  const isObject = typeOf(schema) === 'object' && typeof schema.type === 'string'
  let answer: { value: unknown } | undefined
  let tries = 0
  const ending: Ending = {
    tool: answerTool(schema, isObject),
    rule,
    take(input) {
      const value = isObject ? input : input.value
      const misfits = misfitsOf(schema, value)
      if (misfits.length === 0) {
        answer = { value }
        return undefined
      }
      tries += 1
      const told = misfits
        .slice(0, misfitsShown)
        .map(({ message }) => message)
        .join(' ')
      if (tries >= triesMax) throw noAnswer(`What the language model answered does not fit the schema: ${told}`)
      return `This does not fit: ${told} Call answer again with a value that fits.`
    },
  }
  yield* modelAssistant(conversation, limits, ending)(turn)
  if (!answer) throw noAnswer('The language model did not find what the schema asks for.')
  return answer.value
}

const misfitsShown = 5

const rule =
  'This is a question of a program, and nobody reads along. Look up what it asks for, and then call the tool answer once, with values that you found and not with estimates. With that call, say the same in one sentence. If something that it needs cannot be found out, do not call it; say what is missing.'

/** The parameters of a tool are an object: a schema of another type is one field of it. */
const answerTool = (schema: AnswerSchema, isObject: boolean): OfferedTool => ({
  name: 'answer',
  description: 'Gives the answer to the question. Nothing is done after it.',
  inputSchema: isObject ? { ...schema } : { type: 'object', properties: { value: schema }, required: ['value'] },
})
