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
