import '../../test/own-world.ts'
import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../program/app.ts'
import { newSessionId, type Speaker, speaker } from '../../test/companion/speech.ts'
import { queryAsSuperuser } from '../../test/database.ts'
import { endsWithin, type OpenStream, openStream } from '../../test/event-stream.ts'
import { member, type Someone, testConfig, theApp, theDatabase, withKey } from '../../test/world.ts'

/** Streams over real sockets, of a server with shorter times. */

const streams = { keepAliveMs: 100, authorizeMs: 300, stalledMs: 500, retryMs: 100 }
/** The latest moment at which something has happened, on a busy machine. */
const latest = { timeout: 5_000, interval: 20 }

let app: App
let url: string
beforeAll(async () => {
  ;({ app, url } = await startApp())
})
afterAll(() => app?.close())

async function startApp(more: Record<string, string> = {}) {
  const limits = { receiveMs: 5_000, checkMs: 100, keepAliveMs: 5_000, streams }
  const started = await createApp(testConfig(more), theDatabase(), { limits })
  return { app: started, url: await started.server.listen({ port: 0, host: '127.0.0.1' }) }
}

const addressOf = (sessionId: string, from = url) => `${from}/api/companion/sessions/${sessionId}/stream`
const open = (someone: Someone, { sessionId }: Pick<Speaker, 'sessionId'>, headers = {}, from = url) =>
  openStream(addressOf(sessionId, from), { ...(someone.credentials as { cookie: string }), ...headers })
const textOf = ({ events }: OpenStream) => events.map(({ data }) => data.delta ?? '').join('')
const lastOf = ({ events }: OpenStream) => events.at(-1)
const openStreams = () => app.server.streams.count

async function newcomer() {
  const amy = await member('OWNER')
  return { amy, turn: await speaker(amy) }
}

test('an open stream sends what is there, and then what is said, as it is said', async () => {
  const { amy, turn } = await newcomer()
  await turn.say('One ')
  const stream = await open(amy, turn)
  await vi.waitFor(() => expect(textOf(stream)).toBe('One '), latest)
  for (const word of ['two ', 'three']) {
    await turn.say(word)
    await vi.waitFor(() => expect(textOf(stream)).toContain(word), latest)
  }
  await turn.end()
  await vi.waitFor(() => expect(lastOf(stream)).toMatchObject({ event: 'turn', data: { status: 'SUCCEEDED' } }), latest)
  expect(stream.events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  await stream.close()
})

test('a silent stream is kept alive by comments', async () => {
  const { amy, turn } = await newcomer()
  const stream = await open(amy, turn)
  await vi.waitFor(() => expect(stream.text().split(': keep-alive\n\n').length).toBeGreaterThan(3), latest)
  expect(stream.events).toHaveLength(1)
  await stream.close()
})

test('it needs neither a connection of the pool nor a slot for calls while nothing happens', async () => {
  const { amy, turn } = await newcomer()
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(amy, turn)))
  await vi.waitFor(() => expect(app.confined.open.total - app.confined.open.idle).toBe(0), latest)
  const page = (await app.meter.page()).split('\n')
  expect(page).toContain('kontor_http_requests_in_flight 0')
  await Promise.all(opened.map((stream) => stream.close()))
})

test('a person has ten open streams; when one is closed there is room again', async () => {
  const { amy, turn } = await newcomer()
  const before = openStreams()
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(amy, turn)))
  const eleventh = await open(amy, turn)
  await eleventh.ended
  expect(eleventh).toMatchObject({ status: 429, headers: { 'retry-after': '5' } })
  expect(JSON.parse(eleventh.text())).toMatchObject({
    error: { code: 'RATE_LIMIT', details: [{ code: 'TOO_MANY_AT_ONCE' }] },
  })
  const ended = await open(amy, turn, { accept: '*/*' })
  expect(ended.status).toBe(200)
  await opened.pop()?.close()
  await vi.waitFor(() => expect(openStreams()).toBe(before + 9), latest)
  opened.push(await open(amy, turn))
  expect(opened.at(-1)?.status).toBe(200)
  await Promise.all(opened.map((stream) => stream.close()))
  await vi.waitFor(() => expect(openStreams()).toBe(before), latest)
})

describe('a stream ends, and says why,', () => {
  const refused = async (stream: OpenStream, code: string) => {
    expect(await endsWithin(stream, 5_000)).toBe(true)
    expect(lastOf(stream)).toEqual({
      id: undefined,
      event: 'error',
      data: { code, message: expect.stringMatching(/\.$/) },
    })
  }

  test('when the key is revoked', async () => {
    const { amy, turn } = await newcomer()
    const stream = await open(await withKey(amy), turn)
    await theApp().system.raw.query('update api_keys set revoked_at = now() where user_id = $1', [amy.userId])
    await turn.say('secret')
    await refused(stream, 'UNAUTHENTICATED')
    expect(textOf(stream)).toBe('')
  })

  test('when the session of the person ends, also if nothing happens', async () => {
    const { amy, turn } = await newcomer()
    const stream = await open(amy, turn)
    await theApp().system.raw.query('delete from sessions where user_id = $1', [amy.userId])
    await refused(stream, 'UNAUTHENTICATED')
  })

  test('when the person leaves the organization', async () => {
    const bob = await member('MANAGER', { of: await member('OWNER') })
    const stream = await open(bob, await speaker(bob))
    await theApp().system.raw.query('delete from memberships where user_id = $1', [bob.userId])
    await refused(stream, 'NOT_FOUND')
  })

  test('when the session is deleted, also if another one gets its id at once', async () => {
    const { amy, turn } = await newcomer()
    const stream = await open(amy, turn)
    await amy.call('companion_delete_session', { id: turn.sessionId })
    await speaker(amy, turn.sessionId)
    await refused(stream, 'NOT_FOUND')
    expect(stream.events).toHaveLength(2)
  })
})

test('reads of an open stream do not count against the rate limit', async () => {
  const slow = await startApp({ RATE_LIMIT_SCALE: '0.002' }) // a burst of 6 reads, 0.6 a second
  const { amy, turn } = await newcomer()
  const stream = await open(amy, turn, {}, slow.url)
  for (let said = 0; said < 20; said++) {
    await turn.say(`${said} `)
    await vi.waitFor(() => expect(textOf(stream)).toMatch(new RegExp(`(^| )${said} $`)), latest)
  }
  expect((await fetch(`${slow.url}/api/customers`, { headers: amy.credentials as { cookie: string } })).status).toBe(
    200,
  )
  await stream.close()
  await slow.app.close()
})

test('a client that disconnects before its first answer leaves nothing behind', async () => {
  const { amy, turn } = await newcomer()
  const before = openStreams()
  const headers = { ...(amy.credentials as { cookie: string }), accept: 'text/event-stream' }
  const gone = Array.from({ length: 30 }, (_, i) => {
    const request = get(addressOf(turn.sessionId), { agent: false, headers }).on('error', () => {})
    setTimeout(() => request.destroy(), i)
    return new Promise((resolve) => request.on('close', resolve))
  })
  await Promise.all(gone)
  await sleep(300)
  await vi.waitFor(() => expect(openStreams()).toBe(before), latest)
})

test('a client that does not read is disconnected, and nothing more is read for it', async () => {
  const { amy, turn } = await newcomer()
  const before = openStreams()
  const socket = connect((app.server.server.address() as AddressInfo).port, '127.0.0.1')
  const { cookie } = amy.credentials as { cookie: string }
  socket.write(
    `GET /api/companion/sessions/${turn.sessionId}/stream HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nCookie: ${cookie}\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.pause()
  const closed = once(socket, 'close')
  const long = 'x'.repeat(100_000)
  for (let said = 0; said < 40; said++) await turn.say(...Array.from({ length: 10 }, () => long))
  await vi.waitFor(() => expect(openStreams()).toBe(before), { timeout: 15_000, interval: 50 })
  socket.resume()
  await closed
})

test('when the process stops, its streams end without an error, and resume at another one', async () => {
  const stopping = await startApp()
  const { amy, turn } = await newcomer()
  await turn.say('before ')
  const stream = await open(amy, turn, {}, stopping.url)
  await vi.waitFor(() => expect(textOf(stream)).toBe('before '), latest)
  await stopping.app.close()
  expect(await endsWithin(stream, 1_000)).toBe(true)
  expect(lastOf(stream)).toMatchObject({ id: 2, event: 'token' })
  await turn.say('after')
  const resumed = await open(amy, turn, { 'last-event-id': '2' })
  await vi.waitFor(() => expect(textOf(resumed)).toBe('after'), latest)
  await resumed.close()
})

test('a stream of a session that does not exist is refused as any other call', async () => {
  const { amy } = await newcomer()
  const unknown = await open(amy, { sessionId: newSessionId() })
  await unknown.ended
  expect(unknown).toMatchObject({ status: 404 })
  expect(JSON.parse(unknown.text())).toMatchObject({ error: { code: 'NOT_FOUND' } })
  expect(await openStream(addressOf('any'), {})).toMatchObject({ status: 401 })
})

test('a stream outlives a failure of the database', async () => {
  const { amy, turn } = await newcomer()
  const stream = await open(amy, turn)
  await sleep(200)
  await queryAsSuperuser(
    theDatabase(),
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await vi.waitFor(() => turn.say('still here'), latest)
  await vi.waitFor(() => expect(textOf(stream)).toContain('still here'), latest)
  await stream.close()
})
