import type { Hints } from '../reading.ts'
import type { ReadRow } from './figures.ts'
import type { Amount } from './text/amounts.ts'

/** Where a document comes from by its own words; without any, the organization's country. */
export type Place = { country: string; isEvident: boolean }

const signs: readonly { country: string; pattern: RegExp; worth: number }[] = [
  {
    country: 'MY',
    pattern: /\bsdn\.? ?bhd\b|\bmalaysia\b|\bselangor\b|\bkuala lumpur\b|\bjohor\b|\+60/i,
    worth: 2,
  },
  { country: 'MY', pattern: /\bRM ?[0-9]|\bMYR\b|\(RM\)/, worth: 2 },
  { country: 'MY', pattern: /\b(?:jalan|jln|taman|bandar)\b/i, worth: 1 },
  { country: 'SG', pattern: /\bsingapore\b|\bpte\.? ltd\b|\bUEN\b|\bS\$|\bSGD\b|\+65/i, worth: 2 },
  { country: 'IL', pattern: /[א-ת]{3}/, worth: 1 },
  {
    country: 'IL',
    pattern: /₪|\bNIS\b|\bILS\b|\bisrael\b|\btel aviv\b|\bjerusalem\b|\bhaifa\b|בע"מ|מע"מ|\+972/i,
    worth: 2,
  },
  { country: 'US', pattern: /\b[A-Z]{2},? [0-9]{5}(?:-[0-9]{4})?(?![0-9])/, worth: 1.5 },
  {
    country: 'US',
    pattern: /\bsales tax\b|\bUSD\b|\bUS\$|\bU\.?S\.?A\b|\bEIN\b|\bstate tax\b|\b(?:LLC|Inc)\b/i,
    worth: 1.5,
  },
]

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

const currencies: Record<string, string> = { IL: 'ILS', SG: 'SGD', US: 'USD', MY: 'MYR' }

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
  const value = currencies[place.country]
  return place.isEvident && value
    ? { value, evidence: 'place', amount: null }
    : { value: hints.currency, evidence: 'organization', amount: null }
}

const dollarOf = (place: Place, hints: Hints): string =>
  place.country === 'SG' ? 'SGD' : place.country === 'US' ? 'USD' : /D$/.test(hints.currency) ? hints.currency : 'USD'
