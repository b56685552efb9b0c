import type { Catalog } from '../core/define/services.ts'
import { memoize } from '../core/values/memoize.ts'
import { countries } from './countries.ts'
import type { Country } from './country.ts'
import type { CountryFacts } from './facts.ts'

type Offered = Pick<Catalog, 'operations' | 'bankFormats'>

/** The facts of all countries, with the names of what is filed in each. */
export const allCountryFacts = memoize((offered: Offered): CountryFacts[] =>
  Object.values(countries).map((country) => factsOf(country, offered)),
)

function factsOf({ code, currency, timezone, facts }: Country, { operations, bankFormats }: Offered): CountryFacts {
  const own = operations.filter(({ country }) => country === code).map(({ name }) => name)
  return { code, currency, timezone, ...facts, bankFormats: [...(bankFormats[code] ?? [])], operations: own }
}
