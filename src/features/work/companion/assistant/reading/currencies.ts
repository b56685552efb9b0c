import { isCurrency } from '../../../../../core/values/currency.ts'
import { countries } from '../../../../../countries/countries.ts'
import type { CountryCode } from '../../../../../countries/country.ts'
import { lookUp, type Token } from './words.ts'

const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ILS: '₪ nis ils shekel shekels sheqel shekalim ש"ח שח שקל שקלים',
    EUR: '€ eur euro euros יורו אירו',
    GBP: '£ gbp pound pounds quid ליש"ט פאונד',
    USD: 'usd',
    SGD: 'sgd',
    JPY: '¥ jpy yen',
    dollar: '$ dollar dollars buck bucks דולר דולרים',
  }).flatMap(([code, names]) => names.split(' ').map((name) => [name, code] as const)),
)

/** Codes that are also words of a sentence in capital letters. */
const ordinary = new Set([
  'ALL',
  'TRY',
  'TOP',
  'CUP',
  'MOP',
  'GEL',
  'LAK',
  'PEN',
  'MAD',
  'BAM',
  'COP',
  'RON',
  'SOS',
  'ANG',
])

/** The currency that is named from this token on, and where its name ends. Dollars are those of the country. */
export function currencyAt(
  { text, tokens }: { text: string; tokens: readonly Token[] },
  at: number,
  country: CountryCode,
): { currency: string; end: number } | undefined {
  const token = tokens[at]
  if (!token) return undefined
  const next = tokens[at + 1]
  if (next?.text === '$' && next.isGlued && /^(s|us|sg)$/.test(token.text))
    return { currency: token.text === 'us' ? 'USD' : 'SGD', end: at + 2 }
  const named = /^(singapore|us|american)$/.test(token.text) && lookUp(next, words) === 'dollar'
  if (named) return { currency: token.text === 'singapore' ? 'SGD' : 'USD', end: at + 2 }
  const known = lookUp(token, words)
  if (known === 'dollar') return { currency: countries[country].writing.dollar, end: at + 1 }
  if (known) return { currency: known, end: at + 1 }
  const code = text.slice(token.start, token.end)
  return /^[A-Z]{3}$/.test(code) && isCurrency(code) && !ordinary.has(code)
    ? { currency: code, end: at + 1 }
    : undefined
}
