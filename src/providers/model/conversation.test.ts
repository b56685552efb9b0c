import { expect, test, vi } from 'vitest'
import type { ConversationPiece, ConversationRequest } from '../../core/outside/conversation.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { cut, dripping, hanging, raw, refusing, type Scripted, script, silent } from '../../test/fakes/model-script.ts'
import { modelServer } from '../../test/fakes/model-server.ts'
import { createEgress } from '../egress/egress.ts'
import { openConversation } from './conversation.ts'
import { type ModelSetting, openModel } from './model.ts'

const egress = createEgress({ mode: 'local', allow: [], allowHttp: false })
const budget = { dailyTokens: 1_000_000, pricePerMillion: { input: 0, output: 0 }, dailyCostMicros: undefined }
const lookUp = {
  name: 'customers_list',
  description: 'Lists customers.',
  inputSchema: { type: 'object', properties: { search: { type: 'string' } } },
}
const request: ConversationRequest = {
  organizationId: 'acme',
  system: 'You help.',
  messages: [{ role: 'user', text: 'Who is Dana?' }],
  tools: [lookUp],
  signal: new AbortController().signal,
  limits: { ms: 10_000, outputTokens: 500 },
}

async function talking(replies: readonly Scripted[], provider: ModelSetting['provider'] = 'compatible') {
  const { url, asked } = await modelServer(script(...replies))
  const model = openModel({ provider, model: 'chat', url, key: new Secret('key-of-the-model') }, egress)
  return { asked, ...openConversation(model, budget) }
}

/** All pieces until the end or the failure, which is the last. */
async function heard(pieces: AsyncIterable<ConversationPiece>) {
  const all: ConversationPiece[] = []
  try {
    for await (const piece of pieces) all.push(piece)
    return { pieces: all, failure: undefined }
  } catch (failure) {
    return { pieces: all, failure: failure as { reason?: string; message: string } }
  }
}

const dana = { tool: 'customers_list', input: { search: 'Dana' } }
const providers = ['compatible', 'openai', 'anthropic', 'google'] as const

test.for(providers)('%s says something and calls a tool, and answers after its result', async (provider) => {
  const { converse, asked } = await talking(
    [
      { say: ['Let me ', 'look.'], calls: [dana], usage: [120, 30] },
      { say: ['She is ', 'a customer.'], usage: [200, 9] },
    ],
    provider,
  )
  const first = await heard(converse(request))
  expect(first.failure).toBeUndefined()
  const call = first.pieces.flatMap((piece) => ('call' in piece ? [piece.call] : []))[0]
  expect(call).toMatchObject({ tool: 'customers_list', input: { search: 'Dana' } })
  expect(first.pieces).toEqual([
    { text: 'Let me ' },
    { text: 'look.' },
    { call },
    { usage: { inputTokens: 120, outputTokens: 30 } },
    { end: 'tool-calls' },
  ])
  const messages = [
    ...request.messages,
    { role: 'assistant' as const, text: 'Let me look.', calls: call ? [call] : [] },
    {
      role: 'tool' as const,
      results: [{ id: call?.id ?? '', tool: 'customers_list', text: 'found-4711', failed: false }],
    },
  ]
  expect(await heard(converse({ ...request, messages }))).toEqual({
    pieces: [
      { text: 'She is ' },
      { text: 'a customer.' },
      { usage: { inputTokens: 200, outputTokens: 9 } },
      { end: 'stop' },
    ],
    failure: undefined,
  })
  expect(asked[1]?.text).toContain('found-4711')
  expect(asked[0]?.text).not.toContain('key-of-the-model')
  if (provider === 'google') expect(asked[1]?.text).toContain('signed-by-google')
})

test.for(providers)('%s calls several tools at once, with arguments in pieces', async (provider) => {
  const calls = ['דנה', 'Noa "the" {best}', ''].map((search, n) => ({ ...dana, input: { search }, id: `call_${n}` }))
  const { converse } = await talking([{ calls }], provider)
  const { pieces } = await heard(converse(request))
  expect(pieces.flatMap((piece) => ('call' in piece ? [piece.call.input] : []))).toEqual(
    calls.map(({ input }) => input),
  )
  expect(pieces.at(-1)).toEqual({ end: 'tool-calls' })
})

test.for([
  [400, 'refused'],
  [401, 'key'],
  [403, 'key'],
  [404, 'refused'],
  [413, 'refused'],
  [500, 'failed'],
  [502, 'failed'],
] as const)('the status %i fails at once with a sentence', async ([status, reason]) => {
  for (const provider of providers) {
    const { converse, asked } = await talking([refusing(status)], provider)
    const { pieces, failure } = await heard(converse(request))
    expect(failure).toMatchObject({ reason, message: expect.stringMatching(/^The language model .*\.$/) })
    expect(failure?.message).not.toContain('secret-of-the-provider')
    expect(pieces.filter((piece) => !('usage' in piece))).toEqual([])
    expect(asked).toHaveLength(1)
  }
})

test.for([
  [429, 'limited'],
  [503, 'overloaded'],
  [529, 'overloaded'],
] as const)('after the status %i it is asked again as Retry-After says, at most twice', async ([status, reason]) => {
  const soon = refusing(status, { 'retry-after': '0' })
  const patient = await talking([soon, soon, { say: ['Hello'] }])
  expect((await heard(patient.converse(request))).pieces[0]).toEqual({ text: 'Hello' })
  expect(patient.asked).toHaveLength(3)
  const refused = await talking([soon, soon, soon, { say: ['Hello'] }])
  expect((await heard(refused.converse(request))).failure).toMatchObject({ reason })
  expect(refused.asked).toHaveLength(3)
})

test('it is not asked again if Retry-After is longer than the time that is left; the person is told how long', async () => {
  const { converse, asked } = await talking([refusing(429, { 'retry-after': '60' }), { say: ['Hello'] }])
  const began = performance.now()
  const { failure, pieces } = await heard(converse(request))
  expect(failure).toMatchObject({
    reason: 'limited',
    code: 'RATE_LIMIT',
    retryAfterS: 60,
    message: expect.stringContaining('in 60 seconds'),
  })
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(pieces).toEqual([])
  expect(asked).toHaveLength(1)
})

test('Retry-After may be a date', async () => {
  const date = new Date(Date.now() + 2_000).toUTCString()
  const { converse, asked } = await talking([refusing(429, { 'retry-after': date }), { say: ['Hello'] }])
  expect((await heard(converse(request))).pieces[0]).toEqual({ text: 'Hello' })
  expect(asked).toHaveLength(2)
})

const long = { say: ['One ', 'two ', 'three '], calls: [dana, { ...dana, input: { search: 'Noa Levi of Haifa' } }] }

test.for(providers)(
  'an answer of %s that breaks off anywhere gives no call, and counts what it cost',
  async (provider) => {
    for (const how of ['breaks', 'ends'] as const)
      for (const share of [0, 0.2, 0.5, 0.7, 0.85]) {
        const { converse, asked } = await talking([cut(long, share, how), long], provider)
        const { pieces, failure } = await heard(converse(request))
        expect(['broken', 'unreadable'], `${how} at ${share}: ${failure?.message}`).toContain(failure?.reason)
        expect(pieces.some((piece) => 'call' in piece || 'end' in piece)).toBe(false)
        const usage = pieces.at(-1)
        expect(usage && 'usage' in usage && usage.usage.inputTokens).toBeGreaterThan(0)
        expect(asked).toHaveLength(1)
      }
  },
)

test.for([
  ['before its headers', silent],
  ['in the middle of a text', hanging({ say: ['One ', 'two ', 'three '] }, 0.5)],
  ['in the middle of arguments', hanging({ calls: [dana] }, 0.6)],
  ['while it drips', dripping({ say: Array.from({ length: 200 }, (_, n) => `${n} `) }, 100)],
] as const)('a model that hangs %s fails at the time limit', async ([, reply]) => {
  const { converse } = await talking([reply])
  const began = performance.now()
  const { failure, pieces } = await heard(converse({ ...request, limits: { ms: 1_500, outputTokens: 500 } }))
  expect(failure).toMatchObject({ reason: 'late', message: 'The language model did not answer in time.' })
  expect(performance.now() - began).toBeLessThan(6_000)
  expect(pieces.some((piece) => 'call' in piece)).toBe(false)
})

test.for([
  ['before its headers', silent],
  ['in the middle', hanging({ say: ['One ', 'two ', 'three '] }, 0.5)],
] as const)('a request that hangs %s ends with the reason of the signal within a second', async ([, reply]) => {
  const stop = new AbortController()
  const { converse, asked } = await talking([reply])
  const ending = heard(converse({ ...request, signal: stop.signal }))
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  const reason = new Error('cancelled by Amy')
  const began = performance.now()
  stop.abort(reason)
  expect((await ending).failure).toBe(reason)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test.for([
  ['no JSON', raw('data: {"choices": [ nonsense\n\n')],
  ['JSON of another kind', raw('data: {"hello": "world"}\n\n')],
  ['a web page', raw('<html><body>Please sign in</body></html>', 'text/html')],
  ['nothing', raw('')],
  ['bytes', raw('\u0000\u0001\u0002data: ÿþ\n\n')],
] as const)('an answer that is %s fails with a sentence', async ([, reply]) => {
  for (const provider of providers) {
    const { converse } = await talking([reply], provider)
    const { failure, pieces } = await heard(converse(request))
    expect(['broken', 'unreadable', 'failed'], `${provider} ${failure?.message}`).toContain(failure?.reason)
    expect(pieces.some((piece) => 'call' in piece || 'text' in piece)).toBe(false)
  }
})

test('an error in the middle of the stream is told; it is not asked again', async () => {
  const overloaded = 'data: {"error": {"message": "secret-of-the-provider", "type": "overloaded_error"}}\n\n'
  const begun = 'data: {"id":"1","choices":[{"index":0,"delta":{"content":"One "},"finish_reason":null}]}\n\n'
  const { converse, asked } = await talking([raw(begun + overloaded), { say: ['Hello'] }])
  const { failure, pieces } = await heard(converse(request))
  expect(failure).toMatchObject({ reason: 'overloaded', message: expect.not.stringContaining('secret') })
  expect(pieces[0]).toEqual({ text: 'One ' })
  expect(asked).toHaveLength(1)
})

test.for(providers)('a content filter of %s is told', async (provider) => {
  const { converse } = await talking([{ say: ['I '], finish: 'content_filter' }], provider)
  expect((await heard(converse(request))).failure).toMatchObject({ reason: 'filtered' })
})

test('an answer that is cut off at its length has no calls, also if they look complete', async () => {
  for (const input of [{ search: 'Dana' }, '{"search": "Da']) {
    const { converse } = await talking([{ say: ['One '], calls: [{ ...dana, input }], finish: 'length' }])
    const { pieces, failure } = await heard(converse(request))
    expect(failure).toBeUndefined()
    expect(pieces).toEqual([{ text: 'One ' }, { usage: expect.anything() }, { end: 'length' }])
  }
})

test.for(['{"search": ', 'Dana', '["Dana"]', '"Dana"', 'null', '{"search": "Dana"} and more'])(
  'arguments %j are a wrong call',
  async (input) => {
    const { converse } = await talking([{ calls: [{ ...dana, input }, dana] }])
    const { pieces } = await heard(converse(request))
    expect(pieces.slice(0, 2)).toMatchObject([
      { wrongCall: { call: { tool: 'customers_list', input: {} }, problem: 'INPUT' } },
      { call: { input: { search: 'Dana' } } },
    ])
  },
)

test.for(['pay_everything', 'constructor', '__proto__', 'toString', 'a b;c'])(
  'a tool %j that was not offered is a wrong call',
  async (tool) => {
    const { converse } = await talking([{ calls: [{ tool, input: {} }] }])
    const { pieces } = await heard(converse(request))
    expect(pieces[0]).toMatchObject({
      wrongCall: { problem: 'NO_SUCH_TOOL', call: { tool: expect.stringMatching(/^[\w-]+$/) } },
    })
  },
)

test('a server that does not count is counted by characters', async () => {
  const { converse } = await talking([{ say: ['x'.repeat(300)], usage: null }])
  const { pieces } = await heard(converse(request))
  const counted = pieces.flatMap((piece) => ('usage' in piece ? [piece.usage] : []))
  expect(counted).toEqual([{ inputTokens: expect.any(Number), outputTokens: 100 }])
  expect(counted[0]?.inputTokens).toBeGreaterThan(30)
})

test('calls count as such also if the server ends the answer with stop', async () => {
  const { converse } = await talking([{ calls: [dana], finish: 'stop' }])
  expect((await heard(converse(request))).pieces.at(-1)).toEqual({ end: 'tool-calls' })
})
