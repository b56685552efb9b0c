import { invalid } from '../../../core/define/failure.ts'
import { countries } from '../../../countries/countries.ts'
import type { Country } from '../../../countries/country.ts'

/** Refuses a form of another country than that of the organization. */
export function requireCountry({ rules }: { rules: Country }, of: Country['code'], form: string): void {
  if (rules.code === of) return
  const [there, here] = [countries[of].facts.name.en, rules.facts.name.en]
  throw invalid('organizationId', `${form} is filed in ${there}, and the organization is in ${here}.`)
}
