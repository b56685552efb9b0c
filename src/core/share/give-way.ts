// An organization that keeps connections busy gives way to those that do not (LOAD-14). Half of the pool is too much for that:
// on two processors, six statements at the same time make everybody's answers take several times as long. While quiet
// organizations call, the work of a busy one is therefore done one piece at a time, with pauses. Among themselves busy ones do
// not give way, and neither does one that is alone: then only their part of the pool limits them.

/** Tells a queue how long a subject has to wait, and is told what runs. Several queues may share one. */
export type GiveWay = {
  /** After how many milliseconds the subject may ask again for its next work; 0 if it may start. */
  waitMs(subject: string): number
  /** Work of the subject starts. The returned function is called when it ends. */
  begin(subject: string): () => void
}

/** How much of the time a busy subject works beside quiet ones: work of 10 ms is followed by a pause of 10 ms. */
const shareOfTime = 0.5

/** A subject is busy when it has worked so much more than its share. */
const busyMs = 200

/** Of long work, and of many pieces at the same time, no more is counted: the next call of a person must not wait long. */
const countedMaxMs = 450

/** How long after its last work a quiet subject is given way to. */
const quietMs = 50

/** A subject that has work in another queue asks again after this time. */
const askAgainMs = 5

const subjectsMax = 10_000

/** `workedMs` is how much more than its share it had worked at the moment `at`. */
type Subject = { workedMs: number; at: number; running: number }

export function createGiveWay(now = () => performance.now()): GiveWay {
  const subjects = new Map<string, Subject>()
  /** The last work of a quiet subject, and when another quiet one worked before it. */
  const quiet = { last: '', lastAt: Number.NEGATIVE_INFINITY, otherAt: Number.NEGATIVE_INFINITY }

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
    const added = { workedMs: 0, at, running: 0 }
    subjects.set(name, added)
    return added
  }

  function noteIfQuiet(name: string, { workedMs, at }: Subject) {
    if (workedMs >= busyMs) return
    if (quiet.last !== name) quiet.otherAt = quiet.lastAt
    quiet.last = name
    quiet.lastAt = at
  }

  const isBesideQuiet = (name: string) => now() - (quiet.last === name ? quiet.otherAt : quiet.lastAt) < quietMs

  return {
    waitMs(name) {
      const { workedMs, running } = upToDate(name)
      if (workedMs < busyMs || !isBesideQuiet(name)) return 0
      return Math.max(running > 0 ? askAgainMs : 1, (workedMs - busyMs) / shareOfTime)
    },

    begin(name) {
      const subject = upToDate(name)
      noteIfQuiet(name, subject)
      subject.running += 1
      return () => {
        noteIfQuiet(name, upToDate(name))
        subject.running -= 1
      }
    },
  }
}

/** Those that have not worked for a while are as if they were new. */
function forgetIdle(subjects: Map<string, Subject>, now: number) {
  for (const [name, { at, running }] of subjects)
    if (running === 0 && now - at > countedMaxMs / shareOfTime) subjects.delete(name)
}
