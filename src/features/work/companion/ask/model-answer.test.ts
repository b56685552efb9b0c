import { expect, test } from 'vitest'
import { apiOperations } from '../../../../catalog/operations.ts'
import { plentiful, scriptedConversation, turnOf } from '../../../../test/companion/turn.ts'
import { played, script } from '../../../../test/fakes/model-script.ts'
import { turnLimits } from '../model/limits.ts'
import type { ToolResult } from '../turns/assistant.ts'
import type { AnswerSchema } from './answer-schema.ts'
import { modelAnswer } from './model-answer.ts'

const tools = apiOperations.filter(({ within, reads }) => reads && within !== 'caller')
const total: AnswerSchema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
const look = { calls: [{ tool: 'reports_receivables_aging', input: {} }] }
const answer = (input: object) => ({ calls: [{ tool: 'answer', input }] })

type Script = Parameters<typeof scriptedConversation>
type Options = { schema?: AnswerSchema; budget?: Script[1]; limits?: Partial<typeof turnLimits> }

async function ask(reply: Script[0], { schema = total, budget = plentiful, limits = {} }: Options = {}) {
  const conversation = await scriptedConversation(reply, budget)
  const { turn, used } = turnOf('What is owed to us?', { tools })
  const calls: string[] = []
  const steps = modelAnswer(conversation, turn, schema, { ...turnLimits, ...limits })
  const drive = async () => {
    let given: ToolResult | undefined
    for (;;) {
      const { done, value } = await steps.next(given)
      given = undefined
      if (done) return value
      if (!('call' in value)) continue
      calls.push(value.call)
      given = { ok: true, output: { total: 12.5 } }
    }
  }
  const outcome = await drive().then(
    (value) => ({ value, failure: undefined }),
    (failure) => ({ value: undefined, failure }),
  )
  return { ...outcome, calls, used, asked: conversation.asked }
}

const offeredIn = (text = '{}') =>
  (JSON.parse(text) as { tools: { function: { name: string; parameters: object } }[] }).tools.map(
    (tool) => tool.function,
  )

test('the model looks it up and gives the answer by the schema', async () => {
  const { value, calls, used, asked } = await ask(script(look, answer({ total: 12.5 })))
  expect({ value, calls, asked: asked.length }).toEqual({
    value: { total: 12.5 },
    calls: ['reports_receivables_aging'],
    asked: 2,
  })
  expect(used.tokens).toBe(30)
})

test('only tools that read are offered, and the one that takes the answer', async () => {
  const { asked } = await ask(script(answer({ total: 1 })))
  const offered = offeredIn(asked[0]?.text)
  expect(offered.find(({ name }) => name === 'answer')?.parameters).toMatchObject({ properties: total.properties })
  const writes = apiOperations.filter(({ reads }) => !reads).map(({ name }) => name)
  expect(offered.filter(({ name }) => writes.includes(name))).toEqual([])
})

test.each([
  [{ type: 'number' } as const, 12.5],
  [{ type: 'array', items: { type: 'string' } } as const, ['Dana']],
  [{ ...total, type: ['object', 'null'] } as const, null],
])('a schema of another type than an object is one field: %j', async (schema, value) => {
  expect((await ask(script(answer({ value })), { schema })).value).toEqual(value)
})

test('an answer that does not fit is given back once', async () => {
  const corrected = await ask(script(answer({ total: 'much' }), answer({ total: 2 })))
  expect(corrected.value).toEqual({ total: 2 })
  expect(corrected.asked[1]?.text).toContain('answer.total must be of the type number')
  const stubborn = await ask(script(answer({ total: 'much' }), answer({}), answer({ total: 2 })))
  expect(stubborn.failure).toMatchObject({ status: 409, details: [{ code: 'NO_ANSWER' }] })
  expect(stubborn.asked).toHaveLength(2)
})

test('a model that only talks has no answer', async () => {
  const { failure } = await ask(script({ say: ['It is about 12.'] }))
  expect(failure).toMatchObject({ status: 409, details: [{ code: 'NO_ANSWER' }] })
})

test('the limits of a turn and the budget of the day hold', async () => {
  const steps = await ask(
    played(() => look),
    { limits: { steps: 2 } },
  )
  expect(steps.failure?.message).toMatch(/at most 2 steps/)
  const budget = await ask(script(look, look, answer({ total: 1 })), { budget: { ...plentiful, dailyTokens: 30 } })
  expect(budget.failure?.message).toMatch(/30 tokens/)
  expect(budget.asked).toHaveLength(2)
})
