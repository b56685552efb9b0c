/** A connection that its pool gets back with `release`. */
type Releasable = { connection: { isBroken: boolean }; release(): void }

/** How long a connection stays here without being used. */
const keptMs = 1_000

/**
 * Connections between two uses. The last one given back is the next one taken, without waiting: the driver's pool sets two
 * timers and makes three promises for each use. Connections that were not needed for a second go back to it, and it closes
 * those that stay idle.
 */
export function keepConnections<C extends Releasable>() {
  const kept: C[] = []
  /** So many were not taken since the last look. */
  let unused = 0
  let looking: NodeJS.Timeout | undefined

  function releaseUnused() {
    for (const lent of kept.splice(0, unused)) lent.release()
    unused = kept.length
    looking = kept.length > 0 ? lookLater() : undefined
  }
  const lookLater = () => setTimeout(releaseUnused, keptMs).unref()

  return {
    keep(lent: C) {
      kept.push(lent)
      looking ??= lookLater()
    },
    take(): C | undefined {
      for (let lent = kept.pop(); lent; lent = kept.pop()) {
        unused = Math.min(unused, kept.length)
        if (!lent.connection.isBroken) return lent
        lent.release() // it broke while nobody used it
      }
      return undefined
    },
    release() {
      clearTimeout(looking)
      looking = undefined
      for (const lent of kept.splice(0)) lent.release()
    },
    get count() {
      return kept.length
    },
  }
}
