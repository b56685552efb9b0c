/** One after the other. */
export async function inOrder<T>(list: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  for (const each of list) await work(each)
}

/** A few at a time. When one fails the others come to their end first, so that nothing goes on behind one's back. */
export async function inParallel<T>(list: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  const left = [...list]
  const failures: unknown[] = []
  const hand = async () => {
    for (let next = left.shift(); next !== undefined && failures.length === 0; next = left.shift())
      await work(next).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: atOnce }, hand))
  if (failures.length > 0) throw failures[0]
}

const atOnce = 4
