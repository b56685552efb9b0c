import { expect, test, vi } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { plentiful, scriptedConversation } from '../../../../test/companion/turn.ts'
import { cut, played, refusing, type Scripted, script, silent } from '../../../../test/fakes/model-script.ts'
import { doJob } from '../../../../test/job.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { runTurn } from '../run-turn.ts'

type Talking = Awaited<ReturnType<typeof scriptedConversation>>

async function start(amy: Someone, text: string) {
  const given = { organizationId: String(amy.organizationId), sessionId: `s-${newId()}`, text }
  return (await amy.call('companion_write_sessions', given)).turnRunId
}

/** Works on a turn as a worker of an installation with this model does. */
const work = (amy: Someone, turnId: string, conversation: Talking) =>
  doJob(
    runTurn,
    { turnId },
    {
      flags: { [`organization:${amy.organizationId}`]: true },
      providers: { ...theApp().providers, conversation },
    },
  )

async function answered(amy: Someone, text: string, conversation: Talking) {
  const turnId = await start(amy, text)
  await work(amy, turnId, conversation)
  const turn = await amy.call('companion_read_turn', { id: turnId })
  return { ...turn, said: turn.tokens.map(({ delta }) => delta).join('') }
}

test('a model answers a message with the tools of the person, and drafts at once', async () => {
  const amy = await member('OWNER')
  const create = { tool: 'customers_create', input: { name: 'Globex', country: 'SG' } }
  const replies = [{ say: ['One ', 'moment.'], calls: [create] }, { say: ['Globex is there.'] }]
  const conversation = await scriptedConversation(script(...replies))
  const turn = await answered(amy, 'Add the customer Globex of Singapore', conversation)
  expect(turn).toMatchObject({
    status: 'SUCCEEDED',
    said: 'One moment.\n\nGlobex is there.',
    steps: [{ ref: 'customers_create', status: 'SUCCEEDED', input: { name: 'Globex', country: 'SG' } }],
  })
  expect((await amy.call('customers_list')).customers).toMatchObject([{ name: 'Globex' }])
})

test('the next turn knows what was said before', async () => {
  const amy = await member('OWNER')
  const conversation = await scriptedConversation(script({ say: ['It is Dana.'] }, { say: ['Dana, as I said.'] }))
  const given = { organizationId: String(amy.organizationId), sessionId: `s-${newId()}`, text: 'Who is it?' }
  const { sessionId, turnRunId } = await amy.call('companion_write_sessions', given)
  await work(amy, turnRunId, conversation)
  const next = await amy.call('companion_write_messages', { id: sessionId, text: 'Who?' })
  await work(amy, next.turnRunId, conversation)
  const { messages } = JSON.parse(conversation.asked[1]?.text ?? '') as {
    messages: { role: string; content: string }[]
  }
  expect(messages.slice(1)).toMatchObject([
    { role: 'user', content: 'Who is it?' },
    { role: 'assistant', content: 'It is Dana.' },
    { role: 'user', content: 'Who?' },
  ])
})

test('a model is offered only what the role of the person allows', async () => {
  const amy = await member('OWNER')
  const bob = await member('CONTRIBUTOR', { of: amy })
  const named = { calls: [{ tool: 'settings_update', input: { id: amy.organizationId, senderName: 'Bob' } }] }
  const conversation = await scriptedConversation(script(named, { say: ['You may not.'] }))
  expect(await answered(bob, 'Change the settings', conversation)).toMatchObject({ said: 'You may not.', steps: [] })
  expect(conversation.asked[0]?.text).not.toContain('settings_update')
})

test('the use of the organization is counted, and ends at its limit with a sentence until the next day', async () => {
  const amy = await member('OWNER')
  const eve = await member('OWNER')
  const conversation = await scriptedConversation(
    played(() => ({ say: ['Hello.'], usage: [600, 50] })),
    { ...plentiful, dailyTokens: 1_000 },
  )
  for (const expected of ['SUCCEEDED', 'SUCCEEDED', 'FAILED'])
    expect((await answered(amy, 'Hello', conversation)).status).toBe(expected)
  expect(await answered(amy, 'Hello', conversation)).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(/1,000 tokens .* in a day.*tomorrow/),
  })
  expect(await answered(eve, 'Hello', conversation)).toMatchObject({ status: 'SUCCEEDED', said: 'Hello.' })
  const { rows } = await theApp().system.raw.query(
    'select input_tokens::int, output_tokens::int, cost_micros::int from companion_usage where organization_id = $1',
    [amy.organizationId],
  )
  expect(rows).toEqual([{ input_tokens: 1_200, output_tokens: 100, cost_micros: 2 * (600 * 2 + 50 * 10) }])
})

const failing: [string, Scripted, RegExp][] = [
  ['a wrong key', refusing(401), /does not accept the key/],
  ['a rate limit', refusing(429, { 'retry-after': '3600' }), /Try again in 3600 seconds/],
  ['a broken connection', cut({ say: ['One ', 'two '] }, 0.7), /broke off/],
]

test.for(failing)('after %s the turn is FAILED with the reason', async ([, reply, error]) => {
  const amy = await member('OWNER')
  const conversation = await scriptedConversation(script(reply))
  expect(await answered(amy, 'Hello', conversation)).toMatchObject({
    status: 'FAILED',
    error: expect.stringMatching(error),
  })
})

test('a turn whose model hangs is cancelled at once, and its connection is closed soon after', async () => {
  const amy = await member('OWNER')
  let isClosed = false
  const conversation = await scriptedConversation((response, asked) => {
    response.on('close', () => {
      isClosed = true
    })
    silent(response, asked)
  })
  const turnId = await start(amy, 'Hello')
  const working = work(amy, turnId, conversation)
  await vi.waitFor(() => expect(conversation.asked).toHaveLength(1), { timeout: 5_000 })
  await amy.call('companion_write_cancel_turn', { id: turnId })
  expect((await amy.call('companion_read_turn', { id: turnId })).status).toBe('CANCELLED')
  await working
  await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 1_500 })
})
