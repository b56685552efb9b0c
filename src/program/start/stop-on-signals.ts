import { setTimeout as sleep } from 'node:timers/promises'
import type { Say } from '../say.ts'
import { goOnWithoutReaders } from './uncaught-errors.ts'

export type Stopping = {
  /** Aborted by the first signal. */
  signal: AbortSignal
  /** Adds what a stop ends before everything that was added earlier. */
  first(step: () => Promise<unknown>): void
  /** Ends everything that was added. */
  stop(): Promise<void>
}

/** How long a stop waits for a start that is under way. What it leaves unfinished, the database rolls back. */
const startMs = 20_000

/**
 * Runs a program that is stopped by Ctrl+C, by a deploy (SIGTERM) or by a closed terminal (SIGHUP). At any time, even while it
 * starts, it finishes or undoes what is under way, and ends with 0. A second Ctrl+C ends it at once.
 */
export async function untilStopped(say: Say, start: (stopping: Stopping) => Promise<void>): Promise<void> {
  goOnWithoutReaders()
  const stopping = new AbortController()
  const { signal } = stopping
  const steps: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      await step().catch((error: unknown) => say(`Not stopped in order: ${String(error)}`)) // the others are still stopped
    }
  }
  const onSignal = async (name: NodeJS.Signals) => {
    if (signal.aborted && name === 'SIGINT') process.exit(1)
    if (signal.aborted) return
    stopping.abort()
    say('Stopping.')
    await stop()
    await Promise.race([starting.catch(() => {}), sleep(startMs)])
    await stop() // what a start has added meanwhile
    process.exit(0)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
  const starting = start({ signal, stop, first: (step) => void steps.push(step) })
  await starting.catch((error: unknown) => {
    if (!signal.aborted) throw error // otherwise it failed because it was stopped
  })
}
