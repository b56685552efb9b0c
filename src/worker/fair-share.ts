/**
 * Runs at most `max` pieces of work per subject at a time; further ones wait. `full` lists the subjects at their limit, so
 * that the queue hands out work of other subjects instead.
 */
export function createFairShare(max: number) {
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  return {
    full: () => [...running].filter(([, count]) => count >= max).map(([subject]) => subject),

    async through<T>(subject: string, work: () => Promise<T>): Promise<T> {
      const count = running.get(subject) ?? 0
      if (count >= max)
        await new Promise<void>((resolve) => waiting.set(subject, [...(waiting.get(subject) ?? []), resolve]))
      else running.set(subject, count + 1)
      try {
        return await work()
      } finally {
        const [next, ...rest] = waiting.get(subject) ?? []
        if (rest.length > 0) waiting.set(subject, rest)
        else waiting.delete(subject)
        const left = (running.get(subject) ?? 1) - 1
        if (next)
          next() // the count stays: the next one takes this place
        else if (left > 0) running.set(subject, left)
        else running.delete(subject)
      }
    },
  }
}
