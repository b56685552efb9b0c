import type { Operation } from '../core/define/operation.ts'
import { memoize } from '../core/values/memoize.ts'
import { countries } from './countries.ts'
import type { Country } from './country.ts'
import type { CountryFacts } from './facts.ts'

/** The facts of all countries, with those of the operations that serve one of them alone. */
export const allCountryFacts = memoize((operations: readonly Operation[]): CountryFacts[] =>
  Object.values(countries).map((country) => factsOf(country, operations)),
)

function factsOf({ code, currency, timezone, facts }: Country, operations: readonly Operation[]): CountryFacts {
  const own = operations.filter(({ country }) => country === code).map(({ name }) => name)
  return { code, currency, timezone, ...facts, operations: own }
}
