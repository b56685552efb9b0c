/**
 * Text as ISO-8859-8 with Hebrew in logical order: ASCII and the letters א to ת, which Windows-1255 has at the same places. What the
 * character set lacks is written with the nearest letters, or as `?`; marks that are not seen are left out, and control characters
 * become spaces, so that a record always has its length.
 */
export function toHebrewSet(text: string): string {
  if (plainText.test(text)) return text
  const plain = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]/gu, ' ')
    .replace(/[\u05f3\u2018\u2019\u201a\u201b\u2032`´]/g, "'")
    .replace(/[\u05f4\u201c-\u201f\u2033]/g, '"')
    .replace(/[\u05be\u2010-\u2015\u2212]/g, '-')
    .replace(/\u05f0/g, 'וו')
    .replace(/\u05f1/g, 'וי')
    .replace(/\u05f2/g, 'יי')
    .replaceAll('₪', 'ILS')
    .replaceAll('€', 'EUR')
    .replaceAll('…', '...')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
  return Array.from(plain, (character) => (/^[\x20-\x7e\u05d0-\u05ea]$/.test(character) ? character : '?')).join('')
}

/** What needs no change, which is nearly all text. */
const plainText = /^[\x20-\x7e\u05d0-\u05ea]*$/

/** The bytes of a text that `toHebrewSet` returned: one for each character. */
export const hebrewBytes = (text: string): Buffer =>
  Buffer.from(
    text.replace(/[\u05d0-\u05ea]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x05d0 + 0xe0)),
    'latin1',
  )

/** The nine digits of an Israeli number; undefined if the text is not one by its form. */
export function nineDigits(text: string | null | undefined): string | undefined {
  const digits = (text ?? '').replace(/[\s\p{Cf}\p{Pd}]/gu, '')
  return /^\d{1,9}$/.test(digits) && !/^0+$/.test(digits) ? digits.padStart(9, '0') : undefined
}
