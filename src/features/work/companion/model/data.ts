import { randomBytes } from 'node:crypto'

/** How many characters of a result the model is shown at a time, and how many of it can be read at all. */
const [shownMax, keptMax] = [8_000, 400_000]

/**
 * What the model is shown of records, files and results: as data between two marks with a number that is drawn for each turn. No
 * content can close the mark: it cannot know the number, and has no angle brackets left.
 */
export type Shown = {
  /** The number in the marks, for the instructions. */
  nonce: string
  /** A value as data. */
  mark(value: unknown): string
  /** A result as data: its beginning, and how to read on if there is more. */
  result(value: unknown): string
  /** The result from a place on; undefined if there is no such result. */
  readOn(result: string, from: number): string | undefined
}

export function createShown(): Shown {
  const nonce = randomBytes(12).toString('hex')
  const between = (text: string) => `<data ${nonce}>\n${text}\n</data ${nonce}>`
  const results = new Map<string, string>()

  function part(name: string, whole: string, from: number): string {
    const to = endOfPart(whole, from)
    const end = whole.length === keptMax ? ' More of it was left out: ask for less at once.' : ''
    const rest = to < whole.length ? ` Read on with read_on {"result":"${name}","from":${to}}.` : end
    const place =
      from > 0 || rest ? `\nCharacters ${from} to ${to} of ${whole.length} of the result ${name}.${rest}` : ''
    return between(whole.slice(from, to)) + place
  }

  return {
    nonce,
    mark: (value) => between(asText(value)),
    result(value) {
      const [name, whole] = [`r${results.size + 1}`, asText(value).slice(0, keptMax)]
      results.set(name, whole)
      return part(name, whole, 0)
    },
    readOn(name, from) {
      const whole = results.get(name)
      return whole === undefined ? undefined : part(name, whole, Math.min(Math.max(0, from), whole.length))
    },
  }
}

/** JSON without angle brackets, and with characters that are not seen spelled out. It is still the same JSON. */
const asText = (value: unknown): string => (JSON.stringify(value) ?? 'null').replace(hidden, spelledOut)

const hidden = /[<>＜＞﹤﹥\p{Cf}\p{Co}\p{Cn}]/gu

const spelledOut = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Not between the two halves of a character. */
function endOfPart(text: string, from: number): number {
  const to = Math.min(text.length, from + shownMax)
  return to < text.length && /[\ud800-\udbff]/.test(text[to - 1] ?? '') ? to - 1 : to
}
