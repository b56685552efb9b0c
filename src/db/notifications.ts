import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseConfig, Pool } from './pool.ts'
import { destroyConnection } from './wire/connection.ts'

/** Tells when PostgreSQL was notified of something new (`pg_notify`), with one connection for the whole process. */
export type Notifications = {
  /**
   * Calls `wake` whenever there may be something new about the topic, until the returned function is called. What is there
   * already when this is called must be read afterwards.
   */
  subscribe(topic: string, wake: () => void): () => void
  close(): Promise<void>
}

type Source = {
  database: DatabaseConfig
  channels: readonly [string, ...string[]]
  /** Sends the probes: the listening connection would hear itself even where it hears nobody else. */
  pool: Pick<Pool, 'use'>
  times?: Times
}

type Times = {
  /** How often everybody is woken while the channel cannot be heard. */
  pollMs: number
  /** How often it is checked that the channel can be heard, and how long the check may take. */
  probeMs: number
  answerMs: number
  /** How long to wait before the connection is opened again: at first, and after many failures. */
  retryMs: number
  retryMaxMs: number
}

const productTimes: Times = { pollMs: 2_000, probeMs: 15_000, answerMs: 2_000, retryMs: 100, retryMaxMs: 30_000 }

/**
 * Opens the connection with the first subscriber. While it is lost, or a pooler in between passes no notifications on,
 * subscribers are woken every two seconds instead.
 */
export function openNotifications({ database, channels, pool, times = productTimes }: Source): Notifications {
  const subscribers = new Map<string, Set<() => void>>()
  const closing = new AbortController()
  const probe = `probe:${randomUUID()}`
  let isHeard = false
  let work: Promise<unknown> | undefined

  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})

  /** About one in a millisecond, so that they do not all read at once. */
  function wakeAll() {
    const all = [...subscribers.values()].flatMap((wakes) => [...wakes])
    for (const wake of all) setTimeout(wake, Math.random() * all.length).unref()
  }

  async function poll() {
    while (!closing.signal.aborted) {
      await pause(times.pollMs)
      if (!isHeard) wakeAll()
    }
  }

  async function keepListening() {
    let waitMs = times.retryMs
    while (!closing.signal.aborted) {
      await listen().catch(() => {}) // subscribers are woken by the clock meanwhile
      waitMs = isHeard ? times.retryMs : Math.min(waitMs * 2, times.retryMaxMs)
      isHeard = false
      await pause(waitMs)
    }
  }

  /** Listens until the connection is lost. */
  async function listen(): Promise<void> {
    const client = new pg.Client({ ...database, keepAlive: true, connectionTimeoutMillis: 3_000, query_timeout: 3_000 })
    closing.signal.onabort = () => destroyConnection(client)
    const lost = new Promise<false>((resolve) => {
      client.on('error', () => resolve(false)).on('end', () => resolve(false))
    })
    let answered = () => {}
    client.on('notification', ({ payload = '' }) => {
      if (payload === probe) answered()
      else for (const wake of subscribers.get(payload) ?? []) wake()
    })
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      while (!closing.signal.aborted) {
        const answer = new Promise<true>((resolve) => {
          answered = () => resolve(true)
        })
        await pool.use((_, connection) => connection.query('select pg_notify($1, $2)', [channels[0], probe]))
        if (!(await Promise.race([answer, lost, pause(times.answerMs)]))) return
        if (!isHeard) wakeAll() // of what came before
        isHeard = true
        if ((await Promise.race([lost, pause(times.probeMs)])) === false) return
      }
    } finally {
      destroyConnection(client)
    }
  }

  return {
    subscribe(topic, wake) {
      work ??= Promise.all([keepListening(), poll()])
      const wakes = subscribers.get(topic) ?? new Set()
      subscribers.set(topic, wakes.add(wake))
      return () => {
        wakes.delete(wake)
        if (wakes.size === 0 && subscribers.get(topic) === wakes) subscribers.delete(topic)
      }
    },
    async close() {
      closing.abort()
      await work
    },
  }
}
