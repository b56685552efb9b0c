import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/**
 * Lets the other threads of the process, and PostgreSQL, go first when processors are short. Linux has priorities of threads
 * and tells a thread its id in /proc; elsewhere nothing changes. Threads that this one starts have the same priority. Large
 * documents come after small ones.
 */
export function lowerPriorityOfThread({ isForLarge }: { isForLarge: boolean }): void {
  const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority
  try {
    const threadId = readlinkSync('/proc/thread-self').split('/').at(-1)
    setPriority(Number(threadId), isForLarge ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
  } catch {
    // not Linux, or not allowed
  }
}
