import type { Language } from './language.ts'

/** Amounts and days formatted for people, in the language they read and as in the country of the organization. */

const locales: Record<Language, string> = { en: 'en-GB', he: 'he-IL' }

/** The English of a country: as in Great Britain unless given. */
export type English = 'en-GB' | 'en-US'

const localeOf = (language: Language, english: English | undefined): string =>
  (language === 'en' && english) || locales[language]

/** `SGD 1,090.00`, with as many decimals as the currency has; in the English of the United States `$1,090.00`. */
export const formatAmount = (language: Language, amount: number, currency: string, english?: English): string =>
  new Intl.NumberFormat(localeOf(language, english), { style: 'currency', currency }).format(amount)

/** `31 January 2026` for a calendar day, independent of the time zone; in the English of the United States `January 31, 2026`. */
export const formatDay = (language: Language, day: string, english?: English): string =>
  new Intl.DateTimeFormat(localeOf(language, english), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** The day and minute of an instant in the time zone of the organization. */
export const formatInstant = (language: Language, at: string, timeZone: string, english?: English): string =>
  new Intl.DateTimeFormat(localeOf(language, english), { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    new Date(at),
  )

/** A quantity or a price, with its own number of decimals. */
export const formatNumber = (language: Language, value: number): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 }).format(value)
