import { expect, test } from 'vitest'
import { newSessionId, speaker } from '../../../../test/companion/speech.ts'
import { connected } from '../../../../test/mcp.ts'
import { member, operationNamed, withKey } from '../../../../test/world.ts'

const stream = operationNamed('companion_read_stream')

test('a stream has everything that happened in the session, in order', async () => {
  const amy = await member('OWNER')
  const { sessionId: id, turnRunId, say, end } = await speaker(amy)
  await say('Let ', 'me ')
  await say('look.')
  await end()
  const { events, lastEventId } = await amy.call('companion_read_stream', { id })
  expect(events).toEqual([
    { id: 1, event: 'turn', data: { turnRunId, status: 'RUNNING', error: null } },
    { id: 2, event: 'token', data: { turnRunId, seq: 2, stepId: null, delta: 'Let ' } },
    { id: 3, event: 'token', data: { turnRunId, seq: 3, stepId: null, delta: 'me ' } },
    { id: 4, event: 'token', data: { turnRunId, seq: 4, stepId: null, delta: 'look.' } },
    { id: 5, event: 'turn', data: { turnRunId, status: 'SUCCEEDED', error: null } },
  ])
  expect(lastEventId).toBe(5)
  expect((await amy.call('companion_read_stream', { id, lastEventId: 3 })).events.map((event) => event.id)).toEqual([
    4, 5,
  ])
})

test('without Accept: text/event-stream the answer is the same text, and ends', async () => {
  const amy = await member('OWNER')
  const { sessionId: id, turnRunId } = await speaker(amy)
  const { status, headers, body } = await amy.request(stream, { id })
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': expect.stringContaining('no-store'),
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'ratelimit-limit': expect.anything(),
  })
  const data = JSON.stringify({ turnRunId, status: 'RUNNING', error: null })
  expect(body).toBe(`retry: 1000\n\nid: 1\nevent: turn\ndata: ${data}\n\n`)
})

test('it resumes after Last-Event-ID, also if the address has an older one', async () => {
  const amy = await member('OWNER')
  const { sessionId: id, say } = await speaker(amy)
  await say('a', 'b', 'c')
  const resumed = await amy.request(stream, { id, lastEventId: 1 }, { 'last-event-id': '3' })
  expect(resumed.body).toMatch(/^retry: 1000\n\nid: 4\n/)
})

test('there is nothing yet after an id that is beyond the end', async () => {
  const amy = await member('OWNER')
  const { sessionId: id } = await speaker(amy)
  expect(await amy.call('companion_read_stream', { id, lastEventId: 1_000 })).toMatchObject({
    events: [],
    lastEventId: 1_000,
  })
})

test.for(['-1', 'latest', '1.5', '1e99', '99999999999999999999'])(
  'the lastEventId %s is refused with a sentence',
  async (wrong) => {
    const amy = await member('OWNER')
    const { sessionId: id } = await speaker(amy)
    for (const refused of [
      await amy.request(stream, { id, lastEventId: wrong }),
      await amy.request(stream, { id }, { 'last-event-id': wrong }),
    ]) {
      expect(refused).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'VALIDATION',
            details: [{ path: 'lastEventId', message: expect.stringMatching(/^lastEventId .*\.$/) }],
          },
        },
      })
    }
  },
)

test('a session of somebody else has no stream', async () => {
  const amy = await member('OWNER')
  const bob = await member('MANAGER', { of: amy })
  const { sessionId: id } = await speaker(amy)
  await expect(bob.call('companion_read_stream', { id })).rejects.toMatchObject({ status: 404 })
  await expect(amy.call('companion_read_stream', { id: newSessionId() })).rejects.toMatchObject({ status: 404 })
  const key = await withKey(amy, ['customers:read'])
  await expect(key.call('companion_read_stream', { id })).rejects.toMatchObject({ status: 403 })
})

test('more events than fit into one answer are read in pages over MCP, and come at once over HTTP', async () => {
  const amy = await member('OWNER')
  const key = await withKey(amy)
  const { sessionId: id, say } = await speaker(amy)
  await say(...Array.from({ length: 1_100 }, (_, i) => `${i} `))
  expect((await amy.call('companion_read_stream', { id })).events).toHaveLength(1_101)
  const client = await connected(key)
  const pages: number[] = []
  for (let lastEventId = 0, hasMore = true; hasMore; ) {
    const { structuredContent } = await client.callTool({ name: stream.name, arguments: { id, lastEventId } })
    const page = structuredContent as { events: unknown[]; lastEventId: number; hasMore: boolean }
    pages.push(page.events.length)
    ;({ lastEventId, hasMore } = page)
  }
  expect(pages).toEqual([500, 500, 101])
})
