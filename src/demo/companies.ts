import type { CountryCode } from '../countries/country.ts'
import { cedar } from './cedar.ts'
import type { Company } from './company.ts'
import { galil } from './galil.ts'
import { straits } from './straits.ts'

/** The demo company of each country; null where there is none. */
const ofCountry: Record<CountryCode, Company | null> = { US: cedar, IL: galil, SG: straits }

/**
 * All demo companies, in the order in which they are filled: the first one is there when Kontor answers. All data is fictitious; numbers
 * have the right format but belong to no real account.
 */
export const companies: readonly [Company, ...Company[]] = [
  cedar,
  ...Object.values(ofCountry).flatMap((company) => (company && company !== cedar ? [company] : [])),
]
