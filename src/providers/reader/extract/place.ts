import type { Hints } from '../reading.ts'
import type { ReadRow } from './figures.ts'
import { placeHints, signs } from './places.ts'
import type { Amount } from './text/amounts.ts'

/** Where a document comes from by its own words; without any, the organization's country. */
export type Place = { country: string; isEvident: boolean }

export function placeOf(rows: readonly ReadRow[], hints: Hints): Place {
  const scores = new Map<string, number>()
  for (const { country, pattern, worth } of signs) {
    const count = rows.filter(({ text }) => pattern.test(text)).length
    if (count > 0) scores.set(country, (scores.get(country) ?? 0) + worth * (1 + 0.2 * Math.min(3, count - 1)))
  }
  scores.set(hints.country, (scores.get(hints.country) ?? 0) + 1.5)
  const [first, second] = [...scores].sort((a, b) => b[1] - a[1])
  const isEvident = first !== undefined && first[1] >= 2 && first[1] - (second?.[1] ?? 0) >= 1
  return { country: isEvident ? first[0] : hints.country, isEvident }
}

export type FoundCurrency = {
  value: string
  evidence: 'printed' | 'dollar' | 'place' | 'organization'
  amount: Amount | null
}

/** The currency by signs beside amounts, then by codes in the text, then by the country. */
export function findCurrency(
  rows: readonly ReadRow[],
  total: Amount | undefined,
  place: Place,
  hints: Hints,
): FoundCurrency {
  const votes = new Map<string, { count: number; amount: Amount }>()
  for (const row of rows) {
    for (const amount of row.amounts) {
      if (!amount.currency) continue
      const before = votes.get(amount.currency)
      votes.set(amount.currency, { count: (before?.count ?? 0) + 1, amount: before?.amount ?? amount })
    }
  }
  const [most] = [...votes].sort((a, b) => b[1].count - a[1].count)
  const own = total?.currency ? ([total.currency, { amount: total }] as const) : most
  if (own && own[0] !== '$') return { value: own[0], evidence: 'printed', amount: own[1].amount }
  const code = rows
    .map(({ text }) => /(?:^|[^A-Za-z])(SGD|USD|MYR|ILS|NIS|EUR|GBP|RM)(?![A-Za-z])/.exec(text)?.[1])
    .find((one) => one !== undefined)
  if (code)
    return {
      value: code === 'RM' ? 'MYR' : code === 'NIS' ? 'ILS' : code,
      evidence: 'printed',
      amount: own?.[1].amount ?? null,
    }
  const shekel = rows.find(({ text }) => /₪|ש"ח/.test(text))
  if (shekel) return { value: 'ILS', evidence: 'printed', amount: null }
  if (own) return { value: dollarOf(place, hints), evidence: 'dollar', amount: own[1].amount }
  const value = placeHints(place.country).currency
  return place.isEvident && value
    ? { value, evidence: 'place', amount: null }
    : { value: hints.currency, evidence: 'organization', amount: null }
}

const dollarOf = (place: Place, hints: Hints): string =>
  placeHints(place.country).dollar ?? (/D$/.test(hints.currency) ? hints.currency : 'USD')
