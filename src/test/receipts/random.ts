import { type Random, randomFor } from '../../demo/random.ts'

export type Chance = Random & {
  pick<T>(list: readonly T[]): T
  /** True with this probability. */
  happens(probability: number): boolean
  between(least: number, most: number): number
  digits(count: number): string
}

/** Random choices that are the same for the same seed on every machine. */
export function chanceFor(seed: string): Chance {
  const random = randomFor(seed)
  for (let warmUp = 0; warmUp < 8; warmUp++) random.next() // seeds that differ in one digit begin alike
  return {
    ...random,
    pick<T>(list: readonly T[]): T {
      const [first] = list
      if (first === undefined) throw new Error('Nothing to choose from.')
      return list[random.integer(0, list.length - 1)] ?? first
    },
    happens: (probability) => random.next() < probability,
    between: (least, most) => least + random.next() * (most - least),
    digits: (count) => Array.from({ length: count }, () => random.integer(0, 9)).join(''),
  }
}
