/** Dice that fall the same way for the same seed, on every machine and for good. */
export type Random = {
  /** From 0 up to, never reaching, 1. */
  roll(): number
  /** A whole number, both ends included. */
  whole(from: number, to: number): number
  /** So many different ones of a list, or all of it, in its order. */
  some<T>(list: readonly T[], count: number): T[]
}

export function randomFor(seed: string): Random {
  const roll = mulberry32(hashOf(seed))
  const whole = (from: number, to: number) => from + Math.floor(roll() * (to - from + 1))
  return {
    roll,
    whole,
    some(list, count) {
      const left = list.map((_, at) => at)
      while (left.length > count) left.splice(whole(0, left.length - 1), 1)
      return list.filter((_, at) => left.includes(at))
    },
  }
}

/** FNV-1a over the code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Tommy Ettinger's mulberry32: small, and even enough for a shop. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
