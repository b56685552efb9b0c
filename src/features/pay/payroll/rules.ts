import { countries } from '../../../countries/countries.ts'
import type { Country } from '../../../countries/country.ts'

/** The rules of the organization's country. Pay is computed in the currency of the country. */
export const rulesOf = ({ country }: { country: string }): Country => countries[country as Country['code']]
