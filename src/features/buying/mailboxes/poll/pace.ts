import { setTimeout as sleep } from 'node:timers/promises'

/** How far apart messages are begun in a process: people who wait for an answer come before mail that nobody waits for. */
const spacingMs = 30

let nextAt = 0

/** Waits until the polls of this process may begin another message. */
export async function turnOfMessage(signal: AbortSignal): Promise<void> {
  const now = performance.now()
  const at = Math.max(now, nextAt)
  nextAt = at + spacingMs
  if (at > now) await sleep(at - now, undefined, { signal }).catch(() => {}) // the caller sees the signal itself
}
