import type { Language } from './language.ts'

/** Amounts and days formatted for people, in each language. */

const locales: Record<Language, string> = { en: 'en-GB', he: 'he-IL' }

/** `SGD 1,090.00`, with as many decimals as the currency has. */
export const formatAmount = (language: Language, amount: number, currency: string): string =>
  new Intl.NumberFormat(locales[language], { style: 'currency', currency }).format(amount)

/** `31 January 2026` for a calendar day, independent of the time zone. */
export const formatDay = (language: Language, day: string): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** The day and minute of an instant in the time zone of the organization. */
export const formatInstant = (language: Language, at: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at))

/** A quantity or a price, with its own number of decimals. */
export const formatNumber = (language: Language, value: number): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 }).format(value)
