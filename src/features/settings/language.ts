import type { Database } from '../../core/operation.ts'
import { countries } from '../../countries/countries.ts'
import type { Country } from '../../countries/country.ts'

/** What an organization writes to its customers in: as it chose, else as its country does. */
export async function languageOf(db: Database): Promise<'en' | 'he'> {
  const { country, language } = await db
    .selectFrom('organizations')
    .leftJoin('organizationSettings', 'organizationId', 'organizations.id')
    .select(['country', 'language'])
    .executeTakeFirstOrThrow()
  return language ?? usualLanguage(country)
}

export const usualLanguage = (country: string): 'en' | 'he' => countries[country as Country['code']]?.language ?? 'en'
