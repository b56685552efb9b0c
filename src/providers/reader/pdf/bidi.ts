/** What a piece of text says about direction: a right-to-left letter, a left-to-right letter, or neither. */
export type Strength = 'rtl' | 'ltr' | 'none'

const rtlLetter = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
const ltrLetter = /\p{L}/u

export const strengthOf = (text: string): Strength =>
  rtlLetter.test(text) ? 'rtl' : ltrLetter.test(text) ? 'ltr' : 'none'

/**
 * The words of a line, given from left to right as they are printed, in the order that they are read and as they are read. In
 * a line from right to left, Latin words keep their order, with the numbers between and beside them. In a line from left to
 * right, Hebrew words with the numbers between them are reversed.
 */
export function inReadingOrder<T extends { text: string }>(printed: readonly T[], direction: 'ltr' | 'rtl'): T[] {
  const words = printed.map((word) => ({ ...word, text: logicalWord(word.text) }))
  const read =
    direction === 'rtl'
      ? runsOf(words, 'ltr').toReversed().flatMap(withSignsInPlace)
      : runsOf(words, 'rtl').flatMap((run) => run.toReversed())
  return withBrackets(read)
}

/** Words as runs of this direction, with weak words between; in Latin runs also numbers beside them. Others are alone. */
function runsOf<T extends { text: string }>(words: readonly T[], direction: 'ltr' | 'rtl'): T[][] {
  const edge = direction === 'ltr' ? /[\p{L}\p{N}]/u : /\p{L}/u
  const other = direction === 'ltr' ? 'rtl' : 'ltr'
  const runs: T[][] = []
  for (let at = 0; at < words.length; ) {
    const length = words.slice(at).findIndex(({ text }) => strengthOf(text) === other)
    const end = length < 0 ? words.length : at + length
    const part = words.slice(at, Math.max(end, at + 1))
    const isRun = part.some(({ text }) => strengthOf(text) === direction)
    const from = isRun ? part.findIndex(({ text }) => edge.test(text)) : part.length
    const to = isRun ? part.findLastIndex(({ text }) => edge.test(text)) + 1 : part.length
    const alone = (some: T[]) => some.map((word) => [word])
    runs.push(...alone(part.slice(0, from)), ...(isRun ? [part.slice(from, to)] : []), ...alone(part.slice(to)))
    at += part.length
  }
  return runs
}

/**
 * In a line from right to left, the comma or full stop after Latin text or a number is printed at its left, and the minus
 * or the stars before a number at its right.
 */
function withSignsInPlace<T extends { text: string }>(run: T[]): T[] {
  const [first] = run
  const last = run.at(-1)
  if (!first || !last) return run
  const [, sign = '', rest = ''] = /^(?!\.\d\d?$)([.,;:!?]+)(.+)$/.exec(first.text) ?? []
  if (run.length === 1) {
    const [, number = '', before = ''] = /^(\d[\d.,]*)([-+*•]+)$/.exec(rest || first.text) ?? []
    return [{ ...first, text: (before ? before + number : rest || first.text) + sign }]
  }
  if (sign === '') return run
  return [{ ...first, text: rest }, ...run.slice(1, -1), { ...last, text: last.text + sign }]
}

/** Latin letters and numbers, with the signs inside them, which are printed from left to right also in Hebrew words. */
const ltrInside = /[\p{Script=Latin}\d%](?:[\p{Script=Latin}\d.,:/\\+&@_-]*[\p{Script=Latin}\d])?/gu

/** A word as it is read, from its characters from left to right as they are printed. */
function logicalWord(printed: string): string {
  if (strengthOf(printed) !== 'rtl') return printed
  const reversed = [...printed].toReversed().join('')
  return reversed.replace(ltrInside, (inner) => [...inner].toReversed().join(''))
}

/**
 * Programs store the brackets of Hebrew text by their meaning, by their shape, or one of a pair in each way. Where they do not
 * alternate, the first of each pair is made the opening one.
 */
function withBrackets<T extends { text: string }>(words: readonly T[]): T[] {
  const brackets = words.flatMap(({ text }) => text.match(/[()]/g) ?? [])
  const isAlternating = brackets.every((bracket, at) => bracket === '()'[at % 2])
  const hasHebrew = words.some(({ text }) => strengthOf(text) === 'rtl')
  if (isAlternating || brackets.length % 2 === 1 || !hasHebrew) return [...words]
  let at = 0
  return words.map((word) => ({ ...word, text: word.text.replace(/[()]/g, () => '()'[at++ % 2] ?? '') }))
}
