import { isOrganization } from './organization-holder.ts'

// An organization that keeps connections busy gives way to those that do not (LOAD-14). Half of the pool is too much for that:
// on two processors, six statements at the same time make everybody's answers take several times as long. While quiet
// organizations call, the work of a busy one is therefore done with pauses. Among themselves busy ones do not give way, and
// neither does one that is alone: then only their part of the pool limits them. An unknown caller, or a person outside of any
// organization, is nobody to give way to: anybody could hold others back with invented credentials. A person who
// calls in many organizations, each of them seldom, does not wait for their own calls.

/** Tells a queue how long work has to wait, and is told what runs. The work is counted for the first of its subjects. */
export type GiveWay = {
  /** After how many milliseconds these subjects may ask again for their next work; 0 if it may start. */
  waitMs(subjects: readonly string[]): number
  /** Work of these subjects starts. The returned function is called when it ends. */
  begin(subjects: readonly string[]): () => void
}

/** How much of the time a busy subject works beside quiet ones: work of 10 ms is followed by a pause of 10 ms. */
const shareOfTime = 0.5

/** A subject is busy when it has worked so much more than its share. */
const busyMs = 200

/** Of long work, and of many pieces at the same time, no more is counted: the next call of a person must not wait long. */
const countedMaxMs = 450

/** How long after its last work a quiet subject is given way to. */
const quietMs = 50

/** A subject whose work still runs asks again after this time. */
const askAgainMs = 5

const subjectsMax = 10_000

/** `workedMs` is how much more than its share it had worked at the moment `at`; its last work began or ended at `turnedAt`. */
type Subject = { workedMs: number; at: number; running: number; turnedAt: number }

/** When quiet organizations worked last, by organization and by person. */
export type QuietWork = { organizations: LastWork; persons: LastWork }

/** Whose work was the last one, and when somebody else worked before. */
type LastWork = { last: string; lastAt: number; otherAt: number }

const noWork = (): LastWork => ({
  last: '',
  lastAt: Number.NEGATIVE_INFINITY,
  otherAt: Number.NEGATIVE_INFINITY,
})

export const noQuietWork = (): QuietWork => ({ organizations: noWork(), persons: noWork() })

function note(work: LastWork, name: string, at: number) {
  if (work.last !== name) work.otherAt = work.lastAt
  work.last = name
  work.lastAt = at
}

/** When somebody else than this one worked last. */
const othersAt = ({ last, lastAt, otherAt }: LastWork, name: string) => (last === name ? otherAt : lastAt)

type GiveWayOptions = {
  now?: () => number
  quiet?: QuietWork
  /** A busy subject starts something at least so often, even if one piece of its work does not end, such as a wait for a lock. */
  startsEveryMs?: number
}

/**
 * Each queue counts for itself what a subject has worked: the report of one person does not hold back the requests of their
 * colleagues. Queues that share `quiet` give way to the quiet organizations of all of them.
 */
export function createGiveWay({
  now = () => performance.now(),
  quiet = noQuietWork(),
  startsEveryMs = Number.POSITIVE_INFINITY,
}: GiveWayOptions = {}): GiveWay {
  const subjects = new Map<string, Subject>()

  function upToDate(name: string): Subject {
    const at = now()
    const known = subjects.get(name)
    if (known) {
      const worked = known.workedMs + (at - known.at) * (known.running - shareOfTime)
      known.workedMs = Math.min(countedMaxMs, Math.max(0, worked))
      known.at = at
      return known
    }
    if (subjects.size >= subjectsMax) forgetIdle(subjects, at)
    const added = { workedMs: 0, at, running: 0, turnedAt: at }
    subjects.set(name, added)
    return added
  }

  function noteIfQuiet(names: readonly string[], { workedMs, at }: Subject) {
    if (workedMs >= busyMs || !isOrganization(first(names))) return
    note(quiet.organizations, first(names), at)
    note(quiet.persons, last(names), at)
  }

  /** Whether another organization and another person have just called. */
  const isBesideQuiet = (names: readonly string[]) => {
    const calledAt = Math.min(othersAt(quiet.organizations, first(names)), othersAt(quiet.persons, last(names)))
    return now() - calledAt < quietMs
  }

  return {
    waitMs(names) {
      const { workedMs, running, at, turnedAt } = upToDate(first(names))
      const startsInMs = turnedAt + startsEveryMs - at
      if (workedMs < busyMs || startsInMs <= 0 || !isBesideQuiet(names)) return 0
      return Math.max(running > 0 ? askAgainMs : 1, Math.min(startsInMs, (workedMs - busyMs) / shareOfTime))
    },

    begin(names) {
      const subject = upToDate(first(names))
      noteIfQuiet(names, subject)
      subject.running += 1
      subject.turnedAt = subject.at
      return () => {
        noteIfQuiet(names, upToDate(first(names)))
        subject.running -= 1
        subject.turnedAt = subject.at
      }
    },
  }
}

const first = (subjects: readonly string[]) => subjects[0] ?? ''

/** The person, if known. */
const last = (subjects: readonly string[]) => subjects[subjects.length - 1] ?? ''

/** Those that have not worked for a while are as if they were new. */
function forgetIdle(subjects: Map<string, Subject>, now: number) {
  for (const [name, { at, running }] of subjects)
    if (running === 0 && now - at > countedMaxMs / shareOfTime) subjects.delete(name)
}
