import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { newId } from '../../src/core/values/id.ts'
import { start } from '../ipc.ts'
import type { Fire, Fired } from '../load.ts'
import type { Api } from '../scan/scan.ts'
import { median } from '../statistics.ts'
import type { Figure } from './automations.ts'

// The built-in assistant: how soon its first word arrives, and how much slower the API answers beside it.

export const companionMeasure = 'companion'

const [slowestFirstToken, slowestP95, turnsAtOnce] = [20, 2, 20]
const turns = 60

type Options = { api: Api; database: pg.PoolConfig; env: Record<string, string> }

export async function benchCompanion({ api, database, env }: Options): Promise<Figure[]> {
  const first = await withWorker(database, env, () => firstTokens(api))
  const model = await slowModel()
  const talking = await withWorker(database, { ...env, KONTOR_MODEL: `compatible:${model.url}#slow` }, () =>
    beside(api),
  )
  model.close()
  return [first, talking]
}

async function withWorker<T>(database: pg.PoolConfig, env: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const worker = start('our-worker', env)
  try {
    await worker.ask('work', database)
    return await work()
  } finally {
    await worker.stop()
  }
}

/** A language model that says a word every 50 ms for some seconds, so that turns run while it is measured. */
async function slowModel() {
  const server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let n = 0; n < 100; n++) {
      response.write(`data: ${JSON.stringify(chunk(`word ${n} `, null))}\n\n`)
      await sleep(50)
    }
    response.end(`data: ${JSON.stringify(chunk('', 'stop'))}\n\ndata: [DONE]\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

const chunk = (content: string, finish_reason: string | null) => ({
  id: '1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'slow',
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
})

/** From sending a message until its first token arrives in the open stream of the session, against a GET of one row. */
async function firstTokens(api: Api): Promise<Figure> {
  const [waited, read]: [number[], number[]] = [[], []]
  for (let n = 0; n < turns + 10; n++) {
    const sessionId = newId()
    await finished(api, await say(api, sessionId, 'hello')) // the session exists, and its stream can be opened
    const stream = await listen(api, sessionId)
    const began = performance.now()
    await say(api, sessionId, 'list my customers')
    await stream.nextToken()
    waited.push(performance.now() - began)
    stream.close()
    const asked = performance.now()
    await call(api, 'GET', api.get[0]?.path ?? '')
    read.push(performance.now() - asked)
  }
  const value = median(waited.slice(10)) / median(read.slice(10))
  const does = `First token of the built-in assistant (${median(waited.slice(10)).toFixed(1)} ms), against GET one, one after the other`
  return {
    name: 'companion first token',
    does,
    value,
    bar: `<= ${slowestFirstToken}`,
    fits: value <= slowestFirstToken,
  }
}

/** The p95 of GET while a model answers twenty messages, as many at a time as one organization may have, against idle. */
async function beside(api: Api): Promise<Figure> {
  const fire = () =>
    api.load.ask<Fired>('fire', {
      url: api.url,
      connections: 2,
      seconds: api.setting.seconds,
      requests: api.get,
    } satisfies Partial<Fire>)
  await fire() // warms up
  const [ratios, streamed]: [number[], number[]] = [[], []]
  for (let n = 0; n < Math.min(3, api.setting.repeats); n++) {
    const idle = await fire()
    const said = await Promise.all(Array.from({ length: turnsAtOnce }, () => say(api, newId(), 'Tell me a story.')))
    await sleep(500)
    const busy = await fire()
    streamed.push(await tokensOf(api, said))
    await Promise.all(said.map((id) => call(api, 'POST', `/api/companion/turns/${id}/cancel`, {})))
    ratios.push(busy.p95Ms / idle.p95Ms)
  }
  const value = Math.min(...streamed) > 0 ? median(ratios) : Number.POSITIVE_INFINITY // without tokens it says nothing
  const does = `p95 of GET beside ${turnsAtOnce} turns of a model (${streamed.join(', ')} tokens written), against idle`
  return { name: 'companion api p95', does, value, bar: `<= ${slowestP95}`, fits: value <= slowestP95 }
}

async function tokensOf(api: Api, turnIds: readonly string[]): Promise<number> {
  const all = await Promise.all(turnIds.map((id) => call(api, 'GET', `/api/companion/turns/${id}`)))
  return all.reduce((sum, { tokens }) => sum + (tokens as unknown[]).length, 0)
}

async function say(api: Api, sessionId: string, text: string): Promise<string> {
  const { organizationId } = api
  const { turnRunId } = await call(api, 'POST', '/api/companion/sessions', { organizationId, sessionId, text })
  return String(turnRunId)
}

async function finished(api: Api, turnId: string) {
  while ((await call(api, 'GET', `/api/companion/turns/${turnId}`)).status === 'RUNNING') await sleep(20)
}

async function listen({ url, key }: Api, sessionId: string) {
  const stop = new AbortController()
  const headers = { ...key, accept: 'text/event-stream', 'last-event-id': '0' }
  const answer = await fetch(`${url}/api/companion/sessions/${sessionId}/stream`, { headers, signal: stop.signal })
  const pieces = answer.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  const until = async (isIt: (text: string) => boolean) => {
    for (let text = ''; !isIt(text); ) text += (await pieces?.next())?.value ?? ''
  }
  await until((text) => /event: turn[\s\S]*SUCCEEDED/.test(text)) // what was said before
  return { nextToken: () => until((text) => text.includes('event: token')), close: () => stop.abort() }
}

async function call({ url, key }: Api, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { ...key, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
  return JSON.parse(text)
}
