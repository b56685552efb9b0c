import { countryNames } from '../../shown.tsx'
import { type Language, useLanguage } from '../../words.ts'
import { ChoiceField } from './choice-field.tsx'
import { countryCodes } from './countries.ts'
import type { At, Said } from './text-field.tsx'

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
