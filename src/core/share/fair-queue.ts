import { type Failure, tooManyAtOnce } from '../define/failure.ts'
import type { GiveWay } from './give-way.ts'

// Shares something limited between organizations: connections to the database, threads that print, and whatever is slow and
// common to all. Each piece of work counts against its subjects, such as its organization and its person, and a subject may
// have only a part of the places. The work of one subject starts in the order in which it came; subjects take turns.

export type FairQueueOptions = {
  /** What the work is called in refusals, in the plural. */
  called: string
  /** How much work runs at the same time, in total and of one subject. */
  runningMax: number
  perSubjectMax: number
  /** How much work waits, in total and of one subject, and for how long. More is refused. */
  waitingMax: number
  waitingPerSubjectMax: number
  waitMs: number
  /** The refusal if the places are taken by others. Work that waits for its own subject is refused with 429. */
  overloaded(): Failure
  /** The refusal after `waitMs`, if it is another one. */
  waitedTooLong?(): Failure
  /** Holds back the work of busy first subjects that gives way. */
  giveWay?: GiveWay
}

export type Entering = {
  /** How long it waits for a place, if not as long as usual. */
  waitMs?: number | undefined
  /** Whether it gives way to quiet subjects, if its own first subject is busy. */
  givesWay?: boolean | undefined
}

/** A place in the queue that is taken. */
export type Turn = {
  /** Counts the work against other subjects from now on. It goes on even if one of them has too much work already. */
  countAs(subjects: readonly string[]): void
  /** Gives the place back; a second call has no effect. */
  leave(): void
}

export type FairQueue = {
  /** Waits for a place. The first subject is the one whose order is kept. */
  enter(subjects: readonly string[], how?: Entering): Turn | Promise<Turn>
  /** Runs work in a place of its own. */
  run<T>(subjects: readonly string[], work: () => Promise<T>): Promise<T>
  /** Refuses what waits and everything later. Running work is left alone. */
  close(reason: () => Failure): void
  readonly running: number
  readonly waiting: number
}

/** Another subject may have a shorter pause than the one that a timer was set for. */
const lookAgainMs = 10

type Waiting = {
  subjects: readonly string[]
  givesWay: boolean
  until: number
  start(): void
  refuse(failure: Failure): void
}

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { called, runningMax, perSubjectMax, overloaded, giveWay } = options
  const counts = new Map<string, number>()
  /** By first subject. The order of the entries is the order of turns: who had a turn goes to the end. */
  const queues = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0
  let closed: (() => Failure) | undefined

  const isFull = (subject: string) => (counts.get(subject) ?? 0) >= perSubjectMax
  const hasPlace = (subjects: readonly string[]) => !subjects.some(isFull)
  const change = (subjects: readonly string[], by: 1 | -1) => {
    for (const subject of subjects) {
      const count = (counts.get(subject) ?? 0) + by
      if (count > 0) counts.set(subject, count)
      else counts.delete(subject)
    }
  }
  const tooMany = () => tooManyAtOnce(called, Math.max(1, Math.ceil(options.waitMs / 2_000)))
  const refusalFor = (subjects: readonly string[]) => (hasPlace(subjects) ? overloaded() : tooMany())

  /** How long work has to wait because it gives way. */
  const heldBackMs = (subjects: readonly string[], givesWay: boolean) =>
    givesWay && giveWay ? giveWay.waitMs(subjects) : 0

  function begin(given: readonly string[], givesWay: boolean): Turn {
    let subjects = given
    let left = false
    const noteBegin = () => (givesWay ? giveWay?.begin(subjects) : undefined) // other work holds nobody back
    let end = noteBegin()
    running += 1
    change(subjects, 1)
    return {
      countAs(others) {
        if (left || isSame(subjects, others)) return
        change(others, 1)
        change(subjects, -1)
        subjects = others
        end?.()
        end = noteBegin()
        admit()
      },
      leave() {
        if (left) return
        left = true
        running -= 1
        change(subjects, -1)
        end?.()
        admit()
      },
    }
  }

  function admit() {
    for (let next = nextInTurn(); next; next = nextInTurn()) next.start()
  }

  /** Takes the next work out of the queues, if there is a place for it. */
  function nextInTurn(): Waiting | undefined {
    if (waiting === 0 || running >= runningMax) return undefined
    for (const [first, queue] of queues) {
      if (isFull(first)) continue
      const isHeld = isHeldBack(queue)
      const next = queue.find(({ subjects, givesWay }) => hasPlace(subjects) && !(isHeld && givesWay))
      if (!next) continue
      remove(next)
      const rest = queues.get(first)
      if (rest) {
        queues.delete(first)
        queues.set(first, rest)
      }
      return next
    }
    return undefined
  }

  /** Whether the work of a subject that gives way is held back. It is looked at again after a while. */
  function isHeldBack(queue: readonly Waiting[]): boolean {
    const next = queue.find(({ givesWay }) => givesWay)
    const waitMs = next ? heldBackMs(next.subjects, true) : 0
    if (waitMs > 0) admitLater(waitMs)
    return waitMs > 0
  }

  let isPlanned = false
  function admitLater(ms: number) {
    if (isPlanned) return
    isPlanned = true
    setTimeout(
      () => {
        isPlanned = false
        admit()
      },
      Math.min(ms, lookAgainMs),
    )
  }

  function remove(entry: Waiting) {
    const first = entry.subjects[0] ?? ''
    const queue = queues.get(first) ?? []
    queue.splice(queue.indexOf(entry), 1)
    if (queue.length === 0) queues.delete(first)
    waiting -= 1
  }

  function wait(subjects: readonly string[], waitMs: number, givesWay: boolean): Promise<Turn> {
    const first = subjects[0] ?? ''
    const queue = queues.get(first) ?? []
    if (queue.length >= options.waitingPerSubjectMax || waiting >= options.waitingMax)
      throw heldBackMs(subjects, givesWay) > 0 ? tooMany() : refusalFor(subjects)
    return new Promise((resolve, reject) => {
      const until = performance.now() + waitMs
      const entry = { subjects, givesWay, until, start: () => resolve(begin(subjects, givesWay)), refuse: reject }
      queue.push(entry)
      queues.set(first, queue)
      waiting += 1
      if (givesWay) admitLater(heldBackMs(subjects, givesWay)) // even if its pause is over by now: nothing else may admit it
      if (until < refusing.at) refuseLater(until)
    })
  }

  /** One timer for all that waits, set for the one whose time ends first: usually it has its turn long before. */
  const refusing: { at: number; timer?: NodeJS.Timeout } = { at: Number.POSITIVE_INFINITY }
  function refuseLater(at: number) {
    clearTimeout(refusing.timer)
    refusing.at = at
    if (at < Number.POSITIVE_INFINITY) refusing.timer = setTimeout(refuseLate, Math.max(0, at - performance.now()))
  }

  function refuseLate() {
    const now = performance.now()
    const all = [...queues.values()].flat()
    for (const entry of all.filter(({ until }) => until <= now)) {
      remove(entry)
      const { subjects, givesWay } = entry
      const isHeld = heldBackMs(subjects, givesWay) > 0
      entry.refuse(isHeld ? tooMany() : (options.waitedTooLong?.() ?? refusalFor(subjects)))
    }
    refuseLater(Math.min(...all.map(({ until }) => (until <= now ? Number.POSITIVE_INFINITY : until))))
  }

  /** Not async: in the usual case there is a place, and the caller goes on at once. */
  function enter(subjects: readonly string[], { waitMs = options.waitMs, givesWay = false }: Entering = {}) {
    if (closed) throw closed()
    const isHeld = givesWay && (queues.has(subjects[0] ?? '') || heldBackMs(subjects, givesWay) > 0) // in its order
    const hasTurn = running < runningMax && hasPlace(subjects) && !isHeld
    return hasTurn ? begin(subjects, givesWay) : wait(subjects, waitMs, givesWay)
  }

  return {
    enter,
    async run(subjects, work) {
      const turn = await enter(subjects)
      try {
        return await work()
      } finally {
        turn.leave()
      }
    },
    close(reason) {
      closed = reason
      const all = [...queues.values()].flat()
      queues.clear()
      waiting = 0
      refuseLater(Number.POSITIVE_INFINITY)
      for (const entry of all) entry.refuse(reason())
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some === others || (some.length === others.length && some.every((each, n) => each === others[n]))
