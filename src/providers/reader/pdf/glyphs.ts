/** A printed character: its place in points from the top left of the upright page, and the line that it stands on. */
export type Glyph = {
  text: string
  left: number
  right: number
  top: number
  bottom: number
  baseline: number
  /** Drawn invisibly, as programs do that add recognised text to a scan. */
  isInvisible: boolean
  /** Whether its font says which character it is. */
  isMapped: boolean
}

const hebrewByte = /[\u00e0-\u00fa]/

/**
 * Old programs print Hebrew with fonts that claim to be Latin: each letter has the code of the Windows code page for Hebrew,
 * read as the one for Latin (`ùìåí`). Words of such letters alone do not occur in other languages as the rule.
 */
export function withHebrew(glyphs: readonly Glyph[]): readonly Glyph[] {
  const suspects = glyphs.filter(({ text }) => hebrewByte.test(text)).length
  if (suspects < 10) return glyphs
  const letters = glyphs.filter(({ text }) => /\p{Script=Latin}/u.test(text)).length
  const text = glyphs.map((glyph) => glyph.text).join('')
  const alone = text.match(/[\u00e0-\u00fa]{2,}/g)?.join('').length ?? 0
  if (alone < suspects * 0.8 || suspects < letters * 0.3) return glyphs
  return glyphs.map((glyph) =>
    hebrewByte.test(glyph.text)
      ? { ...glyph, text: String.fromCharCode(glyph.text.charCodeAt(0) - 0xe0 + 0x5d0) }
      : glyph,
  )
}

/** The fewest letters and digits of a page that is read by its text. */
const lettersMin = 25
/** On a page that is mostly a picture, less text than this is a stamp or a line of the scanner. */
const lettersBesidePictureMin = 200

/** Whether the text of a page is what is printed on it, so that the page need not be recognised. */
export function isUsable(glyphs: readonly Glyph[], hasPicture: boolean): boolean {
  const shown = glyphs.filter(({ text }) => text.trim() !== '')
  const letters = shown.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).length
  const unknown = shown.filter(({ text, isMapped }) => !isMapped || /[\p{Co}\p{Cc}\p{Cn}\ufffd]/u.test(text)).length
  if (letters < (hasPicture ? lettersBesidePictureMin : lettersMin)) return false
  if (letters < shown.length * 0.5 || unknown > shown.length * 0.1) return false
  const invisible = shown.filter(({ isInvisible }) => isInvisible).length
  return invisible < shown.length * 0.5 || isPlausible(glyphs)
}

/** Whether most words look like words or numbers. Text recognised with the wrong language does not. */
function isPlausible(glyphs: readonly Glyph[]): boolean {
  const words = glyphs
    .map(({ text }) => text)
    .join('')
    .split(/\s+/)
    .filter((word) => word.length > 1)
  const good = words.filter((word) => {
    const bare = word.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '')
    const isNumber = /^[\d.,:/-]+$/.test(bare) && /\d/.test(bare)
    const isLatin = /^[\p{Script=Latin}'’&.-]+$/u.test(bare) && (/[aeiouyäöüéèà]/i.test(bare) || bare.length < 5)
    return isNumber || isLatin || /^[\p{Script=Hebrew}\p{Script=Arabic}"'״׳.-]{2,}$/u.test(bare)
  })
  return good.length >= words.length * 0.6
}
