import type { Language } from '../../core/values/language.ts'
import { findCountry } from '../../countries/countries.ts'

/** The language of an organization that has not chosen one: that of its country. */
export const defaultLanguage = (country: string): Language => findCountry(country)?.documents.languages[0] ?? 'en'
