/** A pseudo-random generator: the same seed gives the same sequence on every machine. */
export type Random = {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number, both ends included. */
  integer(from: number, to: number): number
  /** `count` different items of a list, or all of them, in their order. */
  sample<T>(list: readonly T[], count: number): T[]
}

export function randomFor(seed: string): Random {
  const next = mulberry32(hashOf(seed))
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    integer,
    sample(list, count) {
      const left = list.map((_, at) => at)
      while (left.length > count) left.splice(integer(0, left.length - 1), 1)
      return list.filter((_, at) => left.includes(at))
    },
  }
}

/** FNV-1a over the UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Tommy Ettinger's mulberry32: small, and good enough for demo data. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
