/** A number with leading zeros. One that does not fit is an error of ours: the checklist refuses it before. */
export function digits(value: string | number | bigint, length: number): string {
  const text = String(value)
  if (!/^\d*$/.test(text) || text.length > length) throw new RangeError('The number does not fit its field.')
  return text.padStart(length, '0')
}

/** Text at the beginning of its field. */
export const left = (text: string, length: number): string => text.slice(0, length).padEnd(length)

/** Text at the end of its field. */
export const right = (text: string, length: number): string => text.slice(0, length).padStart(length)

/** A day as YYMMDD. */
export const shortDay = (day: string): string => day.slice(2).replaceAll('-', '')

/** The parts of a record as text, which always has its length. */
export function record(length: number, parts: readonly string[]): string {
  const text = parts.join('')
  if (text.length !== length) throw new RangeError(`A record has ${text.length} characters, not ${length}.`)
  return text
}

/**
 * Text in the characters that banks outside Israel take: letters without accents, digits, spaces and some marks. Anything
 * else becomes a space, and the text begins with a letter or digit, so that no spreadsheet reads it as a formula.
 */
export const plainText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9 .&'()/-]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/^[^A-Za-z0-9]+/, '')
    .trim()
