import { onTestFailed } from 'vitest'
import { proves } from '../../prove.ts'

/** Random numbers from a seed (mulberry32): the same seed gives the same numbers. */
export function randomOf(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    between: (from: number, to: number) => from + below(to - from + 1),
    chance: (odds: number) => next() < odds,
    /** An element of a list; undefined if it is empty. */
    pick: <T>(several: readonly T[]): T | undefined => several[below(several.length)],
  }
}
export type Random = ReturnType<typeof randomOf>

/** The seed of a test, given or by chance. The long form prints it, and a test that fails says how to repeat its choices. */
export function seedOf(what: string): number {
  const seed = Number(process.env.KONTOR_SEED ?? Date.now() % 1_000_000)
  if (proves) process.stderr.write(`${what}: KONTOR_SEED=${seed}\n`)
  onTestFailed(() => void process.stderr.write(`${what} failed. To repeat its choices: KONTOR_SEED=${seed}\n`))
  return seed
}
