/** How much of a sentence is read. What people type is far shorter, and a page that was pasted is no request. */
export const longest = 600

/** The text as it is read, each of its characters with its place in the text of the person. */
export type Clean = { text: string; at: readonly number[] }

/** Digits, quotes and dashes of all kinds become the plain ones; vowel points and direction marks are left out. */
export function clean(text: string): Clean {
  const at: number[] = []
  let [plain, place] = ['', 0]
  for (const character of text.slice(0, longest)) {
    const read = plainOf(character)
    for (let count = 0; count < read.length; count++) at.push(place)
    plain += read
    place += character.length
  }
  at.push(place)
  return { text: plain, at }
}

function plainOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 128) return character
  const zero = zeros.find((first) => code >= first && code < first + 10)
  if (zero !== undefined) return String(code - zero)
  if (doubleQuotes.includes(character)) return '"'
  if (singleQuotes.includes(character)) return "'"
  if (dashes.includes(character)) return '-'
  if (leftOut.test(character)) return ''
  return character.normalize('NFKC')
}

/** The zeros of the Arabic, Persian, Devanagari, Bengali, Tamil, Thai and fullwidth digits. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xbe6, 0xe50, 0xff10]
const doubleQuotes = '״“”„‟«»″'
const singleQuotes = '׳‘’‚‛′´`'
const dashes = '־‐‑‒–—−'
/** Hebrew vowel points, marks of direction and characters without width. */
const leftOut = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4-\u05c7\p{Cf}\p{Variation_Selector}]/u
