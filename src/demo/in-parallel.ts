/** Runs the work for one item after the other. */
export async function inOrder<T>(list: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  for (const each of list) await work(each)
}

/** Runs the work for two items at a time. After a failure it waits for the running ones, then throws. */
export async function inParallel<T>(list: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const remaining = [...list]
  const failures: unknown[] = []
  const worker = async () => {
    for (let next = remaining.shift(); next !== undefined && failures.length === 0; next = remaining.shift())
      await work(next).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  if (failures.length > 0) throw failures[0]
}

const concurrency = 2

/** Runs at most so many pieces of work at a time; the others wait and begin in turn. */
export function atMost(max: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running === max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
