import type { Language } from './language.ts'

/** Amounts and days formatted for people, in the language they read and as in the country of the organization. */

const locales: Record<Language, string> = { en: 'en-GB', he: 'he-IL' }

/** English as in the United States, or else as in Great Britain. */
const localeOf = (language: Language, country: string | undefined): string =>
  language === 'en' && country === 'US' ? 'en-US' : locales[language]

/** `SGD 1,090.00`, with as many decimals as the currency has; of an organization in the United States `$1,090.00`. */
export const formatAmount = (language: Language, amount: number, currency: string, country?: string): string =>
  new Intl.NumberFormat(localeOf(language, country), { style: 'currency', currency }).format(amount)

/** `31 January 2026` for a calendar day, independent of the time zone; in the United States `January 31, 2026`. */
export const formatDay = (language: Language, day: string, country?: string): string =>
  new Intl.DateTimeFormat(localeOf(language, country), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** The day and minute of an instant in the time zone of the organization. */
export const formatInstant = (language: Language, at: string, timeZone: string, country?: string): string =>
  new Intl.DateTimeFormat(localeOf(language, country), { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(at),
  )

/** A quantity or a price, with its own number of decimals. */
export const formatNumber = (language: Language, value: number): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 }).format(value)
