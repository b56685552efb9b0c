import { invalid } from '../../core/define/failure.ts'
import { countryName } from '../../core/values/country-names.ts'
import type { Country } from '../../countries/country.ts'

/** Refuses a form of another country than that of the organization. */
export function requireCountry({ country }: { country: string }, needed: Country['code'], form: string): void {
  if (country === needed) return
  const message = `${form} is a form of ${countryName(needed)}, and the organization is in ${countryName(country)}.`
  throw invalid('organizationId', message)
}
