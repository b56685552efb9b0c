import { TargetFailure } from '../../core/outside/target-failure.ts'

export type CallSlot = { organizationId: string; host: string; waitMs: number; signal?: AbortSignal | undefined }

/** Limits the concurrent calls per host and per organization. */
export type ConcurrencyLimit = <T>(slot: CallSlot, work: () => Promise<T>) => Promise<T>

type Waiting = CallSlot & { go: () => void }

/**
 * A free place goes to the organization with the fewest running calls, then to the oldest waiting call. The backlog of one
 * organization to a dead host therefore never delays a single call of another.
 */
export function createConcurrencyLimit({ perHost = 2, perOrganization = 4, waitingMax = 100 } = {}): ConcurrencyLimit {
  const hosts = new Map<string, number>()
  const organizations = new Map<string, number>()
  const queue: Waiting[] = []

  const countOf = (map: Map<string, number>, key: string) => map.get(key) ?? 0
  const change = (map: Map<string, number>, key: string, by: number) => {
    const count = countOf(map, key) + by
    if (count > 0) map.set(key, count)
    else map.delete(key)
  }
  const hasPlace = ({ host, organizationId }: CallSlot) =>
    countOf(hosts, host) < perHost && countOf(organizations, organizationId) < perOrganization
  const count = ({ host, organizationId }: CallSlot, by: 1 | -1) => {
    change(hosts, host, by)
    change(organizations, organizationId, by)
  }

  function admit() {
    for (;;) {
      const [next] = queue
        .filter(hasPlace)
        .sort((a, b) => countOf(organizations, a.organizationId) - countOf(organizations, b.organizationId))
      if (!next) return
      queue.splice(queue.indexOf(next), 1)
      count(next, 1)
      next.go()
    }
  }

  async function enter(slot: CallSlot) {
    slot.signal?.throwIfAborted()
    if (hasPlace(slot)) return count(slot, 1)
    const ahead = queue.filter(({ organizationId }) => organizationId === slot.organizationId).length
    if (slot.waitMs <= 0 || ahead >= waitingMax) throw new TargetFailure('busy')
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown) => {
        queue.splice(queue.indexOf(waiting), 1)
        done()
        reject(reason)
      }
      const timer = setTimeout(() => leave(new TargetFailure('busy')), slot.waitMs)
      const aborted = () => leave(slot.signal?.reason)
      const done = () => {
        clearTimeout(timer)
        slot.signal?.removeEventListener('abort', aborted)
      }
      const go = () => {
        done()
        resolve()
      }
      const waiting = { ...slot, go }
      slot.signal?.addEventListener('abort', aborted)
      queue.push(waiting)
    })
  }

  return async (slot, work) => {
    await enter(slot)
    try {
      return await work()
    } finally {
      count(slot, -1)
      admit()
    }
  }
}
