import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { characterRanges } from '../../core/characters/character-ranges.ts'
import { type FontFamily, toPrintable, usualFamilies } from '../../core/characters/characters.ts'
import { charactersOf, encodeRanges } from '../../test/readers/font-characters.ts'
import { readFonts } from './fonts.ts'

/** A new font is added here with empty ranges first. */
const fontFamilies = Object.keys(characterRanges) as FontFamily[]

const file = new URL('../../core/characters/character-ranges.ts', import.meta.url)

/** A character of a family is in each of its weights. Formatting and private characters are not printed, nor further spaces. */
function printedCharacters(family: FontFamily): number[] {
  const [first = new Set<number>(), ...others] = readFonts(family).map(charactersOf)
  return [...first]
    .filter((code) => others.every((each) => each.has(code)))
    .filter((code) => !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]|(?![ \xa0])\s/u.test(String.fromCodePoint(code)))
    .toSorted((a, b) => a - b)
}

test('character-ranges.ts has the characters of each font (`npm run characters` writes it)', () => {
  const written = fontFamilies.map((family) => `  '${family}':\n    '${encodeRanges(printedCharacters(family))}',`)
  const text = `// The characters of each font, written by \`npm run characters\` and encoded by \`encodeRanges\`. Fonts in the order of preference.

export const characterRanges = {
${written.join('\n')}
} as const // biome-ignore format: generated

export type FontFamily = keyof typeof characterRanges
`
  if (process.env.KONTOR_GENERATE === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('the usual fonts have every character that is printed without a look at the ranges', () => {
  const [heebo, hebrew] = usualFamilies.map((family) => new Set(printedCharacters(family)))
  const usual = Array.from({ length: 0x2100 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) =>
      /[^\p{Cc}\p{Cf}]/u.test(character) && toPrintable(character).families.length === usualFamilies.length,
  )
  const printed = usual.filter((character) => toPrintable(character).text === character)
  expect(printed.length).toBeGreaterThan(200)
  const isCovered = (code: number) => heebo?.has(code) || hebrew?.has(code)
  expect(printed.filter((character) => !isCovered(character.codePointAt(0) ?? 0))).toEqual([])
})
