import { toHebrewSet } from '../text.ts'

/**
 * Text in the 7-bit Hebrew code of Masav, at most `most` characters: א is `&`, and ב to ת are A to Z. The letters stand in the
 * order in which they are seen, so the first one is the last character; Latin words and numbers keep their own order.
 */
export function toMasavText(text: string, most: number): string {
  const plain = [...toHebrewSet(text).replace(/[?&]/g, ' ').replace(/ +/g, ' ').trim()].slice(0, most).join('').trim()
  return asSeen(plain.toUpperCase()).replace(/[א-ת]/g, (letter) => codes[letter.charCodeAt(0) - 0x05d0] ?? ' ')
}

/** The letters א to ת in the order of Unicode, which has the final forms before their letters. */
const codes = '&ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export const hasLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text)

/** Hebrew as it is seen from left to right; text without Hebrew as it is. */
function asSeen(text: string): string {
  if (!/[א-ת]/.test(text)) return text
  const turned = [...text].reverse().map((mark) => mirrored[mark] ?? mark)
  return turned.join('').replace(/[A-Z0-9]+(?:[.,'/-][A-Z0-9]+)*/g, (word) => [...word].reverse().join(''))
}

const mirrored: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '<': '>', '>': '<' }
