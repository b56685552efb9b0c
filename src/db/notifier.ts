import type { Pool } from './pool.ts'

/** Notifies the processes that listen (notifications.ts) of topics, in a statement of its own. */
export type Notifier = {
  /** Does not wait. A topic that could not be sent is dropped: listeners also look by themselves now and then. */
  notify(topic: string): void
  close(): void
}

type Options = { pool: Pick<Pool, 'use'>; channel: string; pauseMs?: number }

/**
 * Sends the first topic at once and then what was collected, ten times a second at most. It is no part of the transaction that
 * changed something: PostgreSQL lets only one transaction with a notification commit at a time.
 */
export function createNotifier({ pool, channel, pauseMs = 100 }: Options): Notifier {
  let topics = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let pausedUntil = 0

  function send() {
    timer = undefined
    pausedUntil = performance.now() + pauseMs
    const sent = [...topics]
    topics = new Set()
    pool.use((_, connection) => connection.query(notifyText, [channel, sent]), timeoutMs).catch(() => {})
  }

  return {
    notify(topic) {
      topics.add(topic)
      timer ??= setTimeout(send, Math.max(0, pausedUntil - performance.now())).unref()
    },
    close: () => clearTimeout(timer),
  }
}

const timeoutMs = 3_000
const notifyText = 'select pg_notify($1, topic) from unnest($2::text[]) topic'
