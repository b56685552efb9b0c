import { editDistance } from '../values/edit-distance.ts'
import { visible } from '../values/visible.ts'
import { soundsLike } from './sounds.ts'

/** How well a name fits the words of a person. */
export type Fit = 'same' | 'part' | 'close' | 'near' | 'other'

/** A name as it is compared: small letters, without accents, quotes, punctuation and the form of the company. */
export function plainName(name: string): string {
  const words = visible(name)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/["'`´‘’“”„״׳.]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const own = words.filter((word) => !legalForms.has(word))
  return (own.length > 0 ? own : words).join(' ')
}

export const sameName = (one: string, other: string): boolean => plainName(one) === plainName(other)

export function fitOf(words: string, name: string): Fit {
  const [wanted, given] = [plainName(words), plainName(name)]
  if (wanted === '' || given === '') return 'other'
  if (wanted === given) return 'same'
  if (stemOf(wanted) === stemOf(given)) return 'part'
  const [wantedParts, givenParts] = [wanted.split(' '), given.split(' ')]
  const has = (part: string) =>
    givenParts.some((each) => stemOf(each) === stemOf(part) || (part.length >= 3 && each.startsWith(part)))
  if (wantedParts.every(has)) return 'part'
  const isClose = (one: string, other: string) => editDistance(one, other, typosIn(one)) <= typosIn(one)
  if (isClose(wanted, given) || isClose(wanted.replaceAll(' ', ''), given.replaceAll(' ', ''))) return 'close'
  if (wantedParts.every((part) => givenParts.some((each) => isClose(part, each)))) return 'close'
  if (soundsLike(wanted, given)) return 'close'
  const most = Math.max(2, Math.floor(wanted.length / 3))
  return editDistance(wanted, given, most) <= most ? 'near' : 'other'
}

/** One form for one and many, and in Hebrew for a word with the article and without: boards, board; החשמל, חשמל. */
const stemOf = (text: string): string =>
  text
    .split(' ')
    .map((word) =>
      word
        .replace(/^ה(?=[א-ת]{3})/, '')
        .replace(/^([a-z]{2,})ies$/, '$1y')
        .replace(/^([a-z]{2,}(?:s|x|z|ch|sh))es$/, '$1')
        .replace(/^([a-z]{3,}[^su])s$/, '$1'),
    )
    .join(' ')

/**
 * As fitOf, where Hebrew writes "to", "of" and "from" as a letter before the word: the words are compared as they are, then
 * without that letter, and with the letter of the name that was taken for one.
 */
export function fitOfWords(words: string, name: string): Fit {
  const fit = fitOf(words, name)
  if (fit === 'same' || fit === 'part') return fit
  const [wanted, given] = [plainName(words), plainName(name)]
  if (prefixed.test(given) && given.slice(1) === wanted) return 'part'
  const [first = '', ...others] = wanted.split(' ')
  const whole = given.split(' ').find((word) => prefixed.test(word) && word.slice(1) === first)
  if (whole !== undefined && first.length >= 3) return fitOf([whole, ...others].join(' '), name)
  const bare = prefixed.test(wanted) ? fitOf(wanted.slice(1), name) : 'other'
  return bare === 'other' || bare === 'near' ? fit : bare
}

/** A Hebrew word that may begin with such a letter. */
export const prefixed = /^[להמבשוכ][\u05d0-\u05ea]{3}/

/** Short words are often other words when a letter changes. */
const typosIn = (text: string): number => (text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0)

const legalForms = new Set([
  'ltd', 'limited', 'pte', 'pty', 'inc', 'incorporated', 'llc', 'llp', 'lp', 'corp', 'corporation', 'co', 'company', 'gmbh', 'plc',
  'the', 'בעמ', 'חברת',
]) // biome-ignore format: a list of words
