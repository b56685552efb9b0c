import { answerUnderstood } from '../assistant/answers/answer-understood.ts'
import { talkBack } from '../assistant/answers/talk-back.ts'
import { resolveNames } from '../assistant/resolve.ts'
import { type Steps, talkIn } from '../assistant/talk.ts'
import { understand } from '../assistant/understand.ts'
import type { TurnInput } from '../turns/assistant.ts'
import type { AnswerSchema } from './answer-schema.ts'
import type { Facts } from './facts.ts'
import { fillSchema } from './fill-schema.ts'
import { factsOf } from './look-up-facts.ts'
import { noAnswer } from './no-answer.ts'

/** Answers a question without a language model: reads the sentence, looks it up, and fills the schema with what was found. */
export async function* builtInAnswer(turn: TurnInput, schema: AnswerSchema): Steps<unknown> {
  const { facts, tool } = yield* lookedUp(turn)
  const answer = fillSchema(schema, facts)
  if (answer === undefined) throw noAnswer(`The result of ${tool} has nothing that the schema asks for by its names.`)
  return answer
}

async function* lookedUp(turn: TurnInput): Steps<{ facts: Facts; tool: string }> {
  const { today, organization } = turn
  const { country, currency } = organization
  const read = understand(turn.text, { today, country, currency, before: [], shown: [] })
  const talk = talkIn(read.language, turn)
  if (!('tool' in read)) {
    yield* talkBack(talk, read)
    throw noAnswer('The question was not understood. Ask for one thing, for example: which invoices are overdue?')
  }
  if (!turn.tools.some(({ name }) => name === read.tool))
    throw noAnswer(`This would need ${read.tool}, which does not only read, or which this caller may not use.`)
  const resolved = yield* resolveNames(talk, read)
  if (!('understood' in resolved))
    throw noAnswer('The question names a record that does not exist, or that several fit. Give its full name.')
  const { understood } = resolved
  const facts = yield* factsOf(talk, understood)
  if ('ok' in facts) throw noAnswer(`${understood.tool} could not be read (${facts.code}).`)
  yield* answerUnderstood(talk, understood)
  return { facts, tool: understood.tool }
}
