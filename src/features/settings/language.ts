import type { Database } from '../../core/define/operation.ts'
import type { Language } from '../../core/values/language.ts'
import { findCountry } from '../../countries/countries.ts'

/** What an organization writes to its customers in: as it chose, else as its country does. */
export async function languageOf(db: Database): Promise<Language> {
  const { country, language } = await db
    .selectFrom('organizations')
    .leftJoin('organizationSettings', 'organizationId', 'organizations.id')
    .select(['country', 'language'])
    .executeTakeFirstOrThrow()
  return language ?? defaultLanguage(country)
}

export const defaultLanguage = (country: string): Language => findCountry(country)?.documents.languages[0] ?? 'en'
