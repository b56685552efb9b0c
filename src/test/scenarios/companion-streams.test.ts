import '../own-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Speaker, speaker } from '../companion/speech.ts'
import { queryAsSuperuser } from '../database.ts'
import { endsWithin, openStream, type ReceivedEvent } from '../event-stream.ts'
import { startApiHere } from '../processes/api-here.ts'
import { type ApiProcess, startApi } from '../processes/api-process.ts'
import { inProof } from '../prove.ts'
import { member, type Someone, theDatabase, withKey } from '../world.ts'

/** Two processes on one database: everything that is said reaches every stream once and in order, wherever it is read. */

const [people, streamsOfPerson, tokensOfPerson] = inProof([2, 3, 500], [5, 10, 20_000])
/** How long a reader stays at most, so that every one comes back several times. */
const stayMaxMs = inProof(500, 1_600)
const burstMax = inProof(12, 50)

/** The second one is this process. */
let processes: [ApiProcess, Awaited<ReturnType<typeof startApiHere>>]
beforeAll(async () => {
  processes = await Promise.all([startApi(theDatabase()), startApiHere({ RATE_LIMIT_SCALE: '1' })])
})
afterAll(() => Promise.all([processes?.[0].kill('SIGTERM'), processes?.[1].close()]))

const anyProcess = () => processes[Math.floor(Math.random() * processes.length)] as { url: string }
const open = (
  { credentials }: Someone,
  { sessionId }: Pick<Speaker, 'sessionId'>,
  lastEventId = 0,
  api = anyProcess(),
) =>
  openStream(`${api.url}/api/companion/sessions/${sessionId}/stream`, {
    ...(credentials as { authorization: string }),
    ...(lastEventId > 0 && { 'last-event-id': String(lastEventId) }),
  })

/** Says numbered tokens in bursts of random size. */
async function speak(turn: Speaker) {
  for (let said = 0; said < tokensOfPerson; ) {
    const count = Math.min(1 + Math.floor(Math.random() * burstMax), tokensOfPerson - said)
    await turn.say(...Array.from({ length: count }, (_, i) => String(said + i)))
    said += count
    await sleep(Math.random() * 30)
  }
  await turn.end()
}

/** Reads to the end of the turn, from either process, and goes away and comes back at random moments. */
async function readToEnd(someone: Someone, turn: Speaker) {
  const received: { id: number; delta: unknown }[] = []
  let reconnects = 0
  for (let isOver = false, lastEventId = 0; !isOver; reconnects++) {
    const stream = await open(someone, turn, lastEventId)
    if (stream.status === 429) await sleep(100) // a stream that was closed is still counted
    const until = performance.now() + 100 + Math.random() * (stayMaxMs - 100)
    while (performance.now() < until && !isEnd(stream.events.at(-1))) await sleep(25)
    await stream.close()
    for (const { id = 0, event, data } of stream.events) {
      lastEventId = Number(id)
      if (event === 'token') received.push({ id: lastEventId, delta: data.delta })
    }
    isOver = isEnd(stream.events.at(-1))
  }
  return { received, reconnects }
}

const isEnd = (last: ReceivedEvent | undefined) => last?.data.status === 'SUCCEEDED'

async function killListeners() {
  const text = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen "companion"'`
  return (await queryAsSuperuser(theDatabase(), text)).length
}

test(
  'streams that reconnect at random to two processes have every token once and in order, also if no notification comes',
  async () => {
    const owners = await Promise.all(Array.from({ length: people }, async () => withKey(await member('OWNER'))))
    const turns = await Promise.all(owners.map((owner) => speaker(owner)))
    const speaking = Promise.all(turns.map(speak))
    const reading = owners.flatMap((owner, i) =>
      Array.from({ length: streamsOfPerson }, () => readToEnd(owner, turns[i] as Speaker)),
    )
    for (let times = 0; times < 2; times++) {
      await vi.waitFor(async () => expect(await killListeners()).toBeGreaterThan(0), { timeout: 10_000, interval: 200 })
      await sleep(500)
    }
    await speaking
    const expected = Array.from({ length: tokensOfPerson }, (_, i) => ({ id: i + 2, delta: String(i) }))
    let reconnects = 0
    for (const read of await Promise.all(reading)) {
      expect(read.received).toEqual(expected)
      reconnects += read.reconnects
    }
    expect(reconnects).toBeGreaterThan(people * streamsOfPerson)
  },
  inProof(120_000, 300_000),
)

test('a revoked key ends the stream with the next event, and a deleted session at once, at either process', async () => {
  const amy = await member('OWNER')
  for (const api of processes) {
    const key = await withKey(amy)
    const turn = await speaker(key)
    const mine = await open(key, turn, 0, api)
    const other = await open(amy, turn, 0, api)
    await queryAsSuperuser(theDatabase(), 'update api_keys set revoked_at = now() where user_id = $1', [amy.userId])
    await turn.say('after')
    expect(await endsWithin(mine, 3_000)).toBe(true)
    expect(mine.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'UNAUTHENTICATED' } })
    expect(mine.events.map(({ event }) => event)).not.toContain('token')
    await vi.waitFor(() => expect(other.events.at(-1)).toMatchObject({ event: 'token' }), 3_000)
    await amy.call('companion_delete_session', { id: turn.sessionId })
    expect(await endsWithin(other, 3_000)).toBe(true)
    expect(other.events.at(-1)).toMatchObject({ event: 'error', data: { code: 'NOT_FOUND' } })
  }
})

test('a process that stops ends its streams, and they go on at the other one', async () => {
  const [first, second] = processes
  const amy = await withKey(await member('OWNER'))
  const turn = await speaker(amy)
  await turn.say('one')
  const stream = await open(amy, turn, 0, first)
  await vi.waitFor(() => expect(stream.events).toHaveLength(2), 3_000)
  const exited = first.kill('SIGTERM')
  expect(await endsWithin(stream, 5_000)).toBe(true)
  await turn.say('two')
  const resumed = await open(amy, turn, 2, second)
  await vi.waitFor(() => expect(resumed.events).toMatchObject([{ id: 3, data: { delta: 'two' } }]), 3_000)
  await resumed.close()
  expect(await exited).toBe(0)
})
