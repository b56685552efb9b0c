import type { ServerResponse } from 'node:http'
import { streamText } from 'ai'
import { expect, test, vi } from 'vitest'
import { modelServer, sendJson } from '../../test/fakes/model-server.ts'
import { createEgress } from '../egress/egress.ts'
import { openModel } from './model.ts'

const egress = createEgress({ mode: 'local', allow: [], allowHttp: false })
const open = (url: string, limits: { ms?: number; maxBytes?: number } = {}) =>
  openModel({ provider: 'compatible', model: 'chat', url, key: undefined }, egress).open({
    organizationId: 'acme',
    ms: 10_000,
    ...limits,
  })

function sendToken(response: ServerResponse, content: string, finish_reason: string | null = null) {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
  const choices = [{ index: 0, delta: { role: 'assistant', content }, finish_reason }]
  const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'chat', choices }
  response.write(`data: ${JSON.stringify(chunk)}\n\n`)
}

test('an answer is passed on while it arrives', async () => {
  let goOn = () => {}
  const { url, asked } = await modelServer((response) => {
    sendToken(response, 'Hello')
    goOn = () => {
      sendToken(response, ', Amy', 'stop')
      response.end('data: [DONE]\n\n')
    }
  })
  const tokens: string[] = []
  for await (const token of streamText({ model: await open(url), prompt: 'Hi', maxRetries: 0 }).textStream) {
    tokens.push(token)
    goOn() // the rest is sent only after the first token has arrived
  }
  expect(tokens).toEqual(['Hello', ', Amy'])
  expect(asked[0]?.headers.authorization).toBeUndefined()
})

test('a call that is given up closes the connection, and gives its slot back', async () => {
  const closed: boolean[] = []
  const { url } = await modelServer((response) => {
    response.on('close', () => closed.push(true))
    sendToken(response, 'Hello')
  })
  for (let call = 1; call <= 6; call++) {
    const stop = new AbortController()
    const model = await open(url)
    const { textStream } = streamText({
      model,
      prompt: 'Hi',
      maxRetries: 0,
      abortSignal: stop.signal,
      onError: () => {},
    })
    for await (const token of textStream) if (token) stop.abort()
    await vi.waitFor(() => expect(closed).toHaveLength(call))
  }
})

test.for([
  ['takes too long', { ms: 700 }, () => {}, 'silent'],
  ['is too large', { maxBytes: 1_000 }, (response: ServerResponse) => response.end('x'.repeat(2_000)), 'unreadable'],
  ['breaks off', {}, (response: ServerResponse) => setTimeout(() => response.destroy(), 50), 'broken'],
] as const)('an answer that %s fails with the reason', async ([, limits, go, reason]) => {
  const { url, answers } = await modelServer((response) => {
    sendToken(response, 'Hello', 'stop')
    response.end('data: [DONE]\n\n')
  })
  const said = async () => {
    const { textStream } = streamText({
      model: await open(url, limits),
      prompt: 'Hi',
      maxRetries: 0,
      onError: () => {},
    })
    for await (const _ of textStream);
  }
  await said()
  answers.next = (response) => {
    sendToken(response, 'Hello')
    go(response)
  }
  const began = performance.now()
  await expect(said()).rejects.toMatchObject({ cause: { reason } })
  expect(performance.now() - began).toBeLessThan(8_000)
})

test('every status is an answer, and no redirect is followed', async () => {
  const { url, asked } = await modelServer((response) => sendJson(response, 307, {}, { location: '/elsewhere' }))
  const errors: unknown[] = []
  const { textStream } = streamText({
    model: await open(url),
    prompt: 'Hi',
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
  })
  for await (const _ of textStream);
  expect(errors).toMatchObject([{ statusCode: 307 }])
  expect(asked).toHaveLength(1)
})
