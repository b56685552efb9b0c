import '../../../../test/own-world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../../../../program/app.ts'
import { played, type Scripted, script } from '../../../../test/fakes/model-script.ts'
import { modelServer } from '../../../../test/fakes/model-server.ts'
import { member, type Someone, testConfig, theApp, theDatabase } from '../../../../test/world.ts'

const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }

/** Asks a process that has a language model, which answers as the script says. */
async function ask(amy: Someone, reply: Parameters<typeof modelServer>[0], question = 'How many customers are there?') {
  const { url, asked } = await modelServer(reply)
  const config = testConfig({ KONTOR_MODEL: `compatible:${url}#chat`, KONTOR_MODEL_DAILY_TOKENS: '60' })
  const app: App = await createApp(config, theDatabase())
  onTestFinished(() => app.close())
  await app.server.ready()
  const payload = { organizationId: amy.organizationId, question, schema }
  const headers = { ...amy.credentials } as Record<string, string>
  const answer = await app.server.inject({ method: 'POST', url: '/api/companion/ask', headers, payload })
  return { status: answer.statusCode, body: answer.json(), asked }
}

const list: Scripted = { calls: [{ tool: 'customers_list', input: {} }] }

test('a language model reads with the rights of the caller, and what it used is counted for the day', async () => {
  const amy = await member('OWNER')
  await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const answer: Scripted = { say: ['There is one.'], calls: [{ tool: 'answer', input: { count: 1 } }] }
  const { status, body, asked } = await ask(amy, script(list, answer))
  expect({ status, body }).toEqual({
    status: 200,
    body: { answer: { count: 1 }, text: 'There is one.', calls: [{ tool: 'customers_list', input: {} }] },
  })
  expect(asked[1]?.text).toContain('Globex')
  const { rows } = await theApp().system.raw.query(
    'select input_tokens::int, output_tokens::int from companion_usage where organization_id = $1',
    [amy.organizationId],
  )
  expect(rows).toEqual([{ input_tokens: 20, output_tokens: 10 }])
})

test('a model cannot write, and its budget of the day ends a question', async () => {
  const amy = await member('OWNER')
  const create: Scripted = { calls: [{ tool: 'customers_create', input: { name: 'Forged', country: 'SG' } }] }
  const { status, body } = await ask(amy, script(create, create, create))
  expect({ status, code: body.error.details[0].code }).toEqual({ status: 400, code: 'TARGET_UNREACHABLE' }) // it gave up
  const { customers } = await amy.call('customers_list', { organizationId: String(amy.organizationId) })
  expect(customers).toEqual([])
  const spent = await ask(
    amy,
    played(() => list),
  )
  expect(spent).toMatchObject({ status: 409, body: { error: { details: [{ code: 'NO_ANSWER' }] } } })
  expect(spent.body.error.message).toMatch(/60 tokens/)
  expect(spent.asked).toHaveLength(1)
})
