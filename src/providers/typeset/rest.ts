import { type EventLoopUtilization, performance } from 'node:perf_hooks'

/** Requests keep their thread busy for more than this part of the time. */
const busyFrom = 0.6

const restMaxMs = 100

/** Two threads may end at the same moment; a shorter time says nothing. */
const windowMs = 20

/**
 * How long a thread that printed rests before its next document: not at all, or as long as it printed while requests keep the
 * process busy. A low priority is not enough for that, because Linux shares processors between sessions first, and PostgreSQL
 * has sessions of its own.
 */
export function createRest(utilization: (since?: EventLoopUtilization) => EventLoopUtilization = ofThisThread) {
  let before = utilization()
  let isBusy = false
  return (printedMs: number): number => {
    const since = utilization(before)
    if (since.active + since.idle >= windowMs) {
      isBusy = since.utilization > busyFrom
      before = utilization()
    }
    return isBusy ? Math.min(printedMs, restMaxMs) : 0
  }
}

const ofThisThread = (since?: EventLoopUtilization) => performance.eventLoopUtilization(since)
