import '../test/own-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { queryAsSuperuser } from '../test/database.ts'
import { theApp, theDatabase } from '../test/world.ts'
import { type Notifications, openNotifications } from './notifications.ts'

const latest = { timeout: 5_000, interval: 10 }
/** The clock wakes nobody here unless a test says so. */
const times = { pollMs: 60_000, probeMs: 200, answerMs: 1_000, retryMs: 50, retryMaxMs: 200 }

const opened: Notifications[] = []
afterEach(async () => {
  for (const notifications of opened.splice(0)) await notifications.close()
})

function listening(more: Partial<typeof times> = {}, channel = 'test', pool = theApp().system) {
  const notifications = openNotifications({
    database: theDatabase(),
    channels: [channel],
    pool,
    times: { ...times, ...more },
  })
  opened.push(notifications)
  return notifications
}

const notify = (topic: string, channel = 'test') =>
  theApp().system.raw.query('select pg_notify($1, $2)', [channel, topic])

const listeners = async (channel = 'test') => {
  const text = 'select pid from pg_stat_activity where datname = current_database() and query = $1'
  return (await queryAsSuperuser(theDatabase(), text, [`listen "${channel}"`])) as { pid: number }[]
}

test('a subscriber is woken by notifications of its topic only, until it unsubscribes', async () => {
  const notifications = listening()
  const [mine, other] = [vi.fn(), vi.fn()]
  const unsubscribe = notifications.subscribe('mine', mine)
  notifications.subscribe('other', other)
  await vi.waitFor(() => expect([mine, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1]), latest) // it can be heard now
  await notify('mine')
  await vi.waitFor(() => expect(mine).toHaveBeenCalledTimes(2), latest)
  unsubscribe()
  await notify('mine')
  await notify('other')
  await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(2), latest)
  expect(mine).toHaveBeenCalledTimes(2)
})

test('all subscribers share one connection, which is opened with the first and closed at the end', async () => {
  const notifications = listening({}, 'shared')
  expect(await listeners('shared')).toEqual([])
  const wake = vi.fn()
  for (let i = 0; i < 100; i++) notifications.subscribe(`topic ${i}`, wake)
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(100), latest)
  expect(await listeners('shared')).toHaveLength(1)
  await notifications.close()
  await vi.waitFor(async () => expect(await listeners('shared')).toEqual([]), latest)
})

test('a lost connection is opened again, and everybody is woken for what was missed', async () => {
  const notifications = listening({}, 'lost')
  const wake = vi.fn()
  notifications.subscribe('topic', wake)
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(1), latest)
  const [{ pid } = { pid: 0 }] = await listeners('lost')
  await queryAsSuperuser(theDatabase(), `select pg_terminate_backend(${pid})`)
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(2), latest)
  await notify('topic', 'lost')
  await vi.waitFor(() => expect(wake).toHaveBeenCalledTimes(3), latest)
})

test('where no notification comes through, as behind a pooler, everybody is woken by the clock', async () => {
  const silent = { ...theApp().system, use: async () => undefined as never } // its probes reach nobody
  const notifications = listening({ pollMs: 100, answerMs: 50 }, 'silent', silent)
  const wake = vi.fn()
  notifications.subscribe('topic', wake)
  await vi.waitFor(() => expect(wake.mock.calls.length).toBeGreaterThan(3), latest)
})

test('it can be closed at any moment, also without a subscriber', async () => {
  await listening().close()
  const notifications = listening()
  notifications.subscribe('topic', () => {})
  await sleep(1)
  await notifications.close()
})
