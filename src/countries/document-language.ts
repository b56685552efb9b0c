import type { Language } from '../core/values/language.ts'
import { findCountry } from './countries.ts'
import type { Country, Customer } from './country.ts'

/** The language of an organization that has not chosen one: that of its country. */
export const defaultLanguage = (country: string): Language => findCountry(country)?.documents.languages[0] ?? 'en'

/**
 * The language of a document: the one that the organization chose, or the first one of its country, and English for customers
 * abroad; a language that the country has no documents in does not count. It is fixed when the document is issued; the SQL
 * function document_language() is the same rule.
 */
export function documentLanguage(
  country: Country,
  customer: Pick<Customer, 'country'>,
  chosen: Language | null,
): Language {
  const { languages } = country.documents
  const isAbroad = customer.country !== null && customer.country !== country.code
  const preferred = isAbroad ? 'en' : (chosen ?? languages[0])
  return languages.includes(preferred) ? preferred : languages[0]
}
