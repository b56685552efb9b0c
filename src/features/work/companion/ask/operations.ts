import { type Member, type Outside, operation } from '../../../../core/define/operation.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { today } from '../../../../core/values/day.ts'
import { timeLimit } from '../../../../core/values/time-limit.ts'
import { TurnFailure, type TurnInput } from '../turns/assistant.ts'
import { usageOf } from '../turns/usage.ts'
import { readSchema, schemaRules } from './answer-schema.ts'
import { builtInAnswer } from './built-in-answer.ts'
import { misfitsOf } from './misfits.ts'
import { modelAnswer } from './model-answer.ts'
import { noAnswer } from './no-answer.ts'
import { answered, readingTools } from './reading.ts'

/** A little less than an operation that uses the network may take, so that there is time to say so. */
const askMaxMs = 55_000

export const ask = operation({
  name: 'companion_write_ask',
  http: 'POST /api/companion/ask',
  does: 'Answers a question about the books by a JSON Schema, with the rights of the caller and without any effect. An answer that cannot be given exactly is refused (NO_ANSWER).',
  scope: 'companion:write',
  role: 'CONTRIBUTOR',
  sources: ['SESSION', 'API_KEY', 'OAUTH', 'AUTOMATION'],
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    question: Type.String({ minLength: 1, maxLength: 4_000, pattern: '^(?=\\s*\\S)[^\\u0000]*$' }),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: schemaRules }),
  }),
  output: Type.Object({
    answer: Type.Unknown({ description: 'A value that fits the schema.' }),
    text: Type.String({ description: 'The same in words.' }),
    calls: Type.Array(Type.Object({ tool: Type.String(), input: Type.Record(Type.String(), Type.Unknown()) }), {
      description: 'What was read for it.',
    }),
  }),
  alsoRates: [{ bucket: 'companionTurns', per: 'person' }],
  outside: true,
  async run(context, { question, schema: given }) {
    const schema = readSchema(given)
    const who = await context.who
    const turn = await turnFor(context, who, question)
    const { conversation } = context
    const steps = conversation ? modelAnswer(conversation, turn, schema) : builtInAnswer(turn, schema)
    const { answer, text, calls } = await answered(context, who, turn, steps).catch((error) => {
      if (turn.signal.aborted) throw noAnswer('It took longer than a minute. Ask for less at once.')
      throw error instanceof TurnFailure ? noAnswer(error.message) : error
    })
    const misfits = misfitsOf(schema, answer)
    if (misfits.length > 0)
      throw noAnswer(
        `Not everything could be filled in: ${misfits
          .slice(0, 10)
          .map(({ message }) => message)
          .join(' ')}`,
      )
    return storable({ answer, text: text || JSON.stringify(answer), calls })
  },
})

/** PostgreSQL stores every character except U+0000, which a model may write. */
const storable = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? part.replaceAll('\u0000', '\ufffd') : part,
  )

/** The question as a turn of its own: nothing was said before, and nothing is remembered. */
async function turnFor(context: Outside, who: Member, question: string): Promise<TurnInput> {
  const { organization, person } = await context.tx(async ({ db }) => ({
    organization: await db
      .selectFrom('organizations')
      .select(['id', 'name', 'country', 'currency', 'timezone'])
      .executeTakeFirstOrThrow(),
    person: await db.selectFrom('users').select('name').where('id', '=', who.userId).executeTakeFirst(),
  }))
  return {
    text: question,
    attachments: [],
    today: today(context.now, organization.timezone),
    organization: organization as TurnInput['organization'],
    person: { name: person?.name ?? '' },
    role: who.role,
    history: [],
    memory: undefined,
    remember: () => {},
    signal: timeLimit(askMaxMs),
    tools: readingTools(context, who),
    usage: usageOf({ job: context }, organization.timezone),
  }
}
