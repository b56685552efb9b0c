/** What can have no space left: the disk of the database, or the file store. */
export type FullPlace = 'database' | 'files'

/** Knows which disks are full, from the first write that failed until a write of some size succeeds again. */
export type FullDisks = {
  /** A write failed because of it. */
  found(place: FullPlace): void
  /** The database cannot be reached: perhaps because its disk is full, and PostgreSQL cannot run without space. Ends when that is known. */
  suspect(): Promise<void>
  isFull(place: FullPlace): boolean
  close(): void
}

type Options = {
  /** Tries to store something; rejects while that is not possible. */
  probes: Record<FullPlace, () => Promise<unknown>>
  /** Whether the disk of the database has less space than PostgreSQL needs; false where that is not known. */
  hasTooLittleSpace: () => Promise<boolean>
  /** Called once at the beginning and once at the end of an outage. */
  changed(place: FullPlace, isFull: boolean, seconds: number): void
  probeMs?: number
}

export function watchFullDisks({ probes, hasTooLittleSpace, changed, probeMs = 2_000 }: Options): FullDisks {
  const since = new Map<FullPlace, number>()
  const timers = new Map<FullPlace, NodeJS.Timeout>()
  let isClosed = false
  let suspectedAt = Number.NEGATIVE_INFINITY
  let suspecting = Promise.resolve()

  const probeLater = (place: FullPlace) => {
    if (isClosed) return
    timers.set(place, setTimeout(() => void probe(place), probeMs).unref())
  }

  async function probe(place: FullPlace) {
    const hasSpace = await probes[place]().then(
      () => true,
      () => false, // also if the database cannot be reached: without space it does not start
    )
    const began = since.get(place)
    if (!hasSpace || began === undefined) return probeLater(place)
    since.delete(place)
    changed(place, false, (performance.now() - began) / 1000)
  }

  function found(place: FullPlace) {
    if (since.has(place) || isClosed) return
    since.set(place, performance.now())
    changed(place, true, 0)
    probeLater(place)
  }

  return {
    found,
    suspect() {
      if (performance.now() - suspectedAt < probeMs) return suspecting
      suspectedAt = performance.now()
      suspecting = hasTooLittleSpace().then(
        (isFull) => void (isFull && found('database')),
        () => {},
      )
      return suspecting
    },
    isFull: (place) => since.has(place),
    close() {
      isClosed = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
