/**
 * The long form of a test. `npm test` checks every property once; `npm run prove` runs the files that import this module
 * with full cross products, many faults and long random walks.
 */
export const proves = process.env.KONTOR_PROVE === '1'

/** How much of something is done: `short` in `npm test`, `long` in `npm run prove`. */
export const inProof = <T>(short: T, long: T): T => (proves ? long : short)

/**
 * Pairs of cases and variants. In `npm test` each case has one variant, in turn, so that no case and no variant is left
 * out; in `npm run prove` each case has every variant.
 */
export function pairs<C, V>(cases: readonly C[], variants: readonly V[]): [C, V][] {
  const [first] = variants
  if (first === undefined || cases.length === 0) throw new Error('There is nothing to pair: a list is empty.')
  if (proves) return cases.flatMap((each) => variants.map((variant): [C, V] => [each, variant]))
  const rounds = Math.max(cases.length, variants.length)
  const inTurn = Array.from({ length: rounds }, (_, at): [C, V] => [
    cases[at % cases.length] as C,
    variants[at % variants.length] as V,
  ])
  return inTurn
}

/** Every `step`th case in `npm test`, beginning with the first; all of them in `npm run prove`. For long lists of equal cases. */
export const sample = <C>(cases: readonly C[], step: number): C[] =>
  proves ? [...cases] : cases.filter((_, at) => at % step === 0)
