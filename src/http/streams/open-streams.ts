import { tooManyAtOnce } from '../../core/define/failure.ts'

/** The streams that are open in this process. */
export type OpenStreams = {
  /** Counts a stream of the person, or throws 429. `end` is called when the process stops. */
  add(userId: string, end: () => void): () => void
  /** Ends all of them, so that their clients connect to another process. */
  endAll(): void
  readonly count: number
}

/** At each process: a person whose requests reach several may have as many there. */
const perPersonMax = 10
const retryAfterS = 5

export function createOpenStreams(): OpenStreams {
  const byPerson = new Map<string, Set<() => void>>()
  return {
    add(userId, end) {
      const own = byPerson.get(userId) ?? new Set()
      if (own.size >= perPersonMax) throw tooManyAtOnce('open streams of this person', retryAfterS)
      byPerson.set(userId, own.add(end))
      return () => {
        own.delete(end)
        if (own.size === 0 && byPerson.get(userId) === own) byPerson.delete(userId)
      }
    },
    endAll() {
      for (const own of byPerson.values()) for (const end of own) end()
    },
    get count() {
      return [...byPerson.values()].reduce((sum, own) => sum + own.size, 0)
    },
  }
}
