import { countryNames } from '../shown.tsx'
import { type Language, useLanguage } from '../words.ts'
import { ChoiceField } from './choice-field.tsx'
import type { At, Said } from './text-field.tsx'

/** Known to Intl and no country: islands without a code of their own, unions, and codes for tests. */
const noCountry = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'])
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Codes of all countries, as far as the browser knows them. A code that another one has replaced is left out. */
const countryCodes = (): readonly string[] => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  return letters
    .flatMap((one) => letters.map((two) => one + two))
    .filter((code) => !noCountry.has(code) && names.of(code) && new Intl.Locale(`und-${code}`).region === code)
}

const made = new Map<string, Record<string, string>>()
/** All countries by name in the reader's language, the organization's own first. */
function countriesFrom(lang: Language, first: string): Record<string, string> {
  const known = made.get(lang + first)
  if (known) return known
  const names = countryNames(lang, countryCodes())
  const sorted = Object.entries(names).sort(([, a], [, b]) => a.localeCompare(b, lang))
  const all = { [first]: names[first] ?? first, ...Object.fromEntries(sorted) }
  made.set(lang + first, all)
  return all
}

/** `first` is the country of the organization. */
export const CountryField = ({ first, ...rest }: At<string | null | undefined, string> & Said & { first: string }) => (
  <ChoiceField {...rest} options={countriesFrom(useLanguage(), first)} />
)
