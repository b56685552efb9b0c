/**
 * Lets at most `max` through for each subject at a time; the rest wait their turn. A subject at its limit is also told
 * to the queue (`full`), which then hands out other people's work instead.
 */
export function createFairShare(max: number) {
  const inside = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  return {
    full: () => [...inside].filter(([, count]) => count >= max).map(([subject]) => subject),

    async through<T>(subject: string, work: () => Promise<T>): Promise<T> {
      const count = inside.get(subject) ?? 0
      if (count >= max)
        await new Promise<void>((resolve) => waiting.set(subject, [...(waiting.get(subject) ?? []), resolve]))
      else inside.set(subject, count + 1)
      try {
        return await work()
      } finally {
        const [next, ...rest] = waiting.get(subject) ?? []
        if (rest.length > 0) waiting.set(subject, rest)
        else waiting.delete(subject)
        const left = (inside.get(subject) ?? 1) - 1
        if (next)
          next() // hands its place on
        else if (left > 0) inside.set(subject, left)
        else inside.delete(subject)
      }
    },
  }
}
