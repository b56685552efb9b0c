import { characterRanges, type FontFamily } from './character-ranges.ts'

// Which characters can be printed, and with which fonts. The ranges are generated from the fonts, so that the process that
// answers requests can tell without reading a font.

export type { FontFamily }

/** The fonts of every document: Latin and Hebrew. */
export const usualFamilies = ['Heebo', 'Noto Sans Hebrew'] as const satisfies FontFamily[]

/** The text as it is printed, and the fonts for it, the preferred one first. */
export type PrintableText = { text: string; families: FontFamily[] }

/**
 * Prepares text for printing. A character that no font has would be an empty box, which PDF/A forbids: it becomes a question
 * mark. Controls and marks without a shape are removed.
 */
export function toPrintable(text: string, families = preferredFamilies(text)): PrintableText {
  if (usual.test(text)) return { text, families: [...usualFamilies] }
  const used = new Set<FontFamily>(usualFamilies)
  let printable = ''
  for (const character of composed(text)) {
    const code = character.codePointAt(0) ?? 0
    const family = families.find((each) => has(each, code))
    if (family) used.add(family)
    if (family || invisible.test(character) || (joiner.test(character) && joinedAtEnd.test(printable)))
      printable += character
    else if (space.test(character)) printable += ' '
    else if (!shapeless.test(character)) printable += '?'
  }
  return { text: printable, families: families.filter((family) => used.has(family)) }
}

/** The same for all texts of an object, as JSON. One of them may tell which language the others are in. */
export function toPrintableJson(data: object): PrintableText {
  const whole = JSON.stringify(data)
  if (usual.test(whole) && !escaped.test(whole)) return { text: whole, families: [...usualFamilies] }
  const preferred = preferredFamilies(whole)
  const used = new Set<FontFamily>()
  const text = JSON.stringify(data, (_, value: unknown) => {
    if (typeof value !== 'string') return value
    const printable = toPrintable(value, preferred)
    for (const family of printable.families) used.add(family)
    return printable.text
  })
  return { text, families: preferred.filter((family) => used.has(family)) }
}

/** Control characters in JSON, other than line breaks. */
const escaped = /\\[bfrtu]/

/** The characters of a text that cannot be printed, each once. */
export function unprintableIn(text: string): string[] {
  if (usual.test(text)) return []
  const missing = new Set<string>()
  for (const character of composed(text)) {
    const isNeeded = !invisible.test(character) && !space.test(character) && !shapeless.test(character)
    const code = character.codePointAt(0) ?? 0
    if (isNeeded && !allFamilies.some((family) => has(family, code))) missing.add(character)
  }
  return [...missing]
}

const allFamilies = Object.keys(characterRanges) as FontFamily[]

/** Chinese, Japanese and Korean write some of the same characters differently: the other letters tell which it is. */
function preferredFamilies(text: string): FontFamily[] {
  const first: FontFamily | undefined = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? 'BIZ UDPGothic'
    : /\p{Script=Hangul}/u.test(text)
      ? 'NanumGothic'
      : undefined
  if (!first) return allFamilies
  const others = allFamilies.filter((family) => family !== first)
  const at = others.indexOf('Noto Sans S Chinese')
  return others.toSpliced(at, 0, first)
}

/** Letters with accents as one character where there is one, because fonts have it and place its accent better. */
const composed = (text: string): string => text.replace(decomposed, (letters) => letters.normalize('NFC'))
const decomposed = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}+|[\u1100-\u11ff]+/gu

/** Text of letters and signs that the usual fonts have: most documents have no other. */
const usual =
  /^[\n\x20-\x7e\xa0-\xac\xae-\xff\u05d0-\u05ea\u2013\u2014\u2018-\u201a\u201c\u201d\u2066-\u2069\u200b\u20aa\u20ac]*$/

/** Line breaks, zero-width spaces and direction marks. */
const invisible = /[\n\u200b\u200e\u200f\u2066-\u2069]/

/** Join or separate letters in Arabic and in the scripts of India. */
const joiner = /[\u200c\u200d]/
const joinedAtEnd = /[\u0600-\u0dff]$/

/** Tabs, other line breaks and spaces of any width. */
const space = /\s/

/** Controls, joiners, variation selectors, skin tones, tags and other characters without a shape of their own. */
const shapeless = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Co}\p{Cs}\p{EMod}]/u

/** Whether the fonts of a family have the character. */
function has(family: FontFamily, code: number): boolean {
  const bounds = boundsOf(family)
  let [low, high] = [0, bounds.length / 2 - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (code < (bounds[2 * middle] ?? 0)) high = middle - 1
    else if (code > (bounds[2 * middle + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}

const decoded = new Map<FontFamily, Uint32Array>()

/** The first and the last character of each range, decoded when they are first needed. */
function boundsOf(family: FontFamily): Uint32Array {
  const known = decoded.get(family)
  if (known) return known
  const bounds = decodeRanges(characterRanges[family])
  decoded.set(family, bounds)
  return bounds
}

/** Ranges as text: for each one the distance from the last and, after a dot, how many characters follow its first. */
export function decodeRanges(text: string): Uint32Array {
  const parts = text === '' ? [] : text.split(' ')
  const bounds = new Uint32Array(2 * parts.length)
  let end = 0
  for (const [at, part] of parts.entries()) {
    const [distance = '', length = '0'] = part.split('.')
    const first = end + Number.parseInt(distance, 36)
    end = first + Number.parseInt(length, 36)
    bounds[2 * at] = first
    bounds[2 * at + 1] = end
  }
  return bounds
}
