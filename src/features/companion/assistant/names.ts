import { editDistance } from '../../../core/values/edit-distance.ts'

/** How well a name fits the words of a person. */
export type Fit = 'same' | 'part' | 'close' | 'near' | 'other'

/** A name as it is compared: small letters, without accents, quotes, punctuation and the form of the company. */
export function plainName(name: string): string {
  const words = name
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
  const [wantedParts, givenParts] = [wanted.split(' '), given.split(' ')]
  const has = (part: string) => givenParts.some((each) => each === part || (part.length >= 3 && each.startsWith(part)))
  if (wantedParts.every(has)) return 'part'
  const isClose = (one: string, other: string) => editDistance(one, other, typosIn(one)) <= typosIn(one)
  if (isClose(wanted, given) || isClose(wanted.replaceAll(' ', ''), given.replaceAll(' ', ''))) return 'close'
  if (wantedParts.every((part) => givenParts.some((each) => isClose(part, each)))) return 'close'
  const most = Math.max(2, Math.floor(wanted.length / 3))
  return editDistance(wanted, given, most) <= most ? 'near' : 'other'
}

/** Short words are often other words when a letter changes. */
const typosIn = (text: string): number => (text.length >= 8 ? 2 : text.length >= 4 ? 1 : 0)

const legalForms = new Set([
  'ltd', 'limited', 'pte', 'pty', 'inc', 'incorporated', 'llc', 'llp', 'lp', 'corp', 'corporation', 'co', 'company', 'gmbh', 'plc',
  'the', 'בעמ', 'חברת',
]) // biome-ignore format: a list of words
