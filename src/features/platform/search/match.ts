import { fitOf } from '../../../core/names/names.ts'
import type { Candidate, Hit, MatchedField } from './hit.ts'

type Matched = Hit['matched']

const scores: Readonly<Record<Matched['how'], number>> = {
  EXACT: 1000,
  PREFIX: 800,
  WORD: 600,
  PART: 400,
  SIMILAR: 200,
}

/** Fields that name a thing count more than those that mention something. */
const weights: Partial<Record<MatchedField, number>> = {
  number: 90, name: 80, code: 80, sku: 80, barcode: 80, title: 70, vendor: 60, employeeNumber: 60, email: 50, reference: 50, customer: 40,
  supplier: 40, phone: 30, registrationNumber: 30,
} // biome-ignore format: a table

/** The best reason for which a candidate fits the searched text; undefined if it does not contain all of its words. */
export function hitOf(text: string, { texts, ...shown }: Candidate): Hit | undefined {
  const wanted = text.toLowerCase()
  const words = wanted.split(' ')
  const given = Object.entries(texts) as [MatchedField, string | null][]
  const all = given.map(([, value]) => value?.toLowerCase() ?? '').join('\n')
  if (!words.every((word) => all.includes(word))) return undefined
  const found = given.flatMap(([field, value]) => (value ? (matchIn(wanted, words, field, value) ?? []) : []))
  return bestOf(found, shown)
}

/** A candidate whose name is nearly the searched text, or sounds like it in the letters of another language. */
export function similarHitOf(text: string, { texts, ...shown }: Candidate): Hit | undefined {
  const [field, name] = (Object.entries(texts) as [MatchedField, string | null][])[0] ?? []
  if (!field || !name || !['same', 'part', 'close'].includes(fitOf(text, name))) return undefined
  return bestOf([{ field, text: name, how: 'SIMILAR' }], shown)
}

function matchIn(wanted: string, words: readonly string[], field: MatchedField, value: string): Matched | undefined {
  const lower = value.toLowerCase()
  const part = lower.includes(wanted) ? wanted : words.find((word) => lower.includes(word))
  if (part === undefined) return undefined
  return { field, text: excerpt(value, lower.indexOf(part), part.length), how: howIn(lower, part) }
}

function howIn(lower: string, part: string): Matched['how'] {
  if (lower === part) return 'EXACT'
  if (lower.startsWith(part)) return 'PREFIX'
  const before = [...lower.slice(0, lower.indexOf(part))].at(-1) ?? ''
  return /[\p{L}\p{N}]/u.test(before) ? 'PART' : 'WORD'
}

const excerptMax = 120

function excerpt(value: string, at: number, length: number): string {
  if (value.length <= excerptMax) return value
  const from = Math.max(0, Math.min(at - (excerptMax - length) / 2, value.length - excerptMax))
  return `${from > 0 ? '…' : ''}${value.slice(from, from + excerptMax).trim()}…`
}

function bestOf(found: readonly Matched[], shown: Omit<Hit, 'matched' | 'score'>): Hit | undefined {
  const scoreOf = ({ field, how }: Matched) => scores[how] + (weights[field] ?? 0)
  const matched = found.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0]
  return matched && { ...shown, matched, score: scoreOf(matched) }
}
