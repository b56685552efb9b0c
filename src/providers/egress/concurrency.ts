import { TargetFailure } from '../../core/outside/target-failure.ts'

export type Turn = { organizationId: string; host: string; waitMs: number; signal?: AbortSignal | undefined }

/** Lets only so many calls go to one host, and only so many of one organization go at all. */
export type ConcurrencyLimit = <T>(turn: Turn, work: () => Promise<T>) => Promise<T>

type Waiting = Turn & { go: () => void }

/**
 * A free place goes to the organization that holds the fewest, then to who came first: one organization's backlog to a
 * dead host never stands before another organization's single call.
 */
export function createConcurrencyLimit({ perHost = 2, perOrganization = 4, waitingMax = 100 } = {}): ConcurrencyLimit {
  const hosts = new Map<string, number>()
  const organizations = new Map<string, number>()
  const queue: Waiting[] = []

  const held = (map: Map<string, number>, key: string) => map.get(key) ?? 0
  const change = (map: Map<string, number>, key: string, by: number) => {
    const count = held(map, key) + by
    if (count > 0) map.set(key, count)
    else map.delete(key)
  }
  const hasPlace = ({ host, organizationId }: Turn) =>
    held(hosts, host) < perHost && held(organizations, organizationId) < perOrganization
  const take = ({ host, organizationId }: Turn, by: 1 | -1) => {
    change(hosts, host, by)
    change(organizations, organizationId, by)
  }

  function admit() {
    for (;;) {
      const [next] = queue
        .filter(hasPlace)
        .sort((a, b) => held(organizations, a.organizationId) - held(organizations, b.organizationId))
      if (!next) return
      queue.splice(queue.indexOf(next), 1)
      take(next, 1)
      next.go()
    }
  }

  async function enter(turn: Turn) {
    turn.signal?.throwIfAborted()
    if (hasPlace(turn)) return take(turn, 1)
    const ahead = queue.filter(({ organizationId }) => organizationId === turn.organizationId).length
    if (turn.waitMs <= 0 || ahead >= waitingMax) throw new TargetFailure('busy')
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown) => {
        queue.splice(queue.indexOf(waiting), 1)
        done()
        reject(reason)
      }
      const timer = setTimeout(() => leave(new TargetFailure('busy')), turn.waitMs)
      const aborted = () => leave(turn.signal?.reason)
      const done = () => {
        clearTimeout(timer)
        turn.signal?.removeEventListener('abort', aborted)
      }
      const go = () => {
        done()
        resolve()
      }
      const waiting = { ...turn, go }
      turn.signal?.addEventListener('abort', aborted)
      queue.push(waiting)
    })
  }

  return async (turn, work) => {
    await enter(turn)
    try {
      return await work()
    } finally {
      take(turn, -1)
      admit()
    }
  }
}
