import type { English } from '../core/values/format.ts'
import type { Language } from '../core/values/language.ts'
import type { Country, Customer, LabelledNumber } from './country.ts'
import { il } from './il/il.ts'
import { sg } from './sg/sg.ts'
import { isSsnText, masked } from './us/documents/numbers.ts'
import { us } from './us/us.ts'

export const countries: Record<Country['code'], Country> = { IL: il, SG: sg, US: us }

/** The rules for the country of a customer or a bank, if there are any. */
export const findCountry = (code: string | null): Country | undefined =>
  Object.values(countries).find((country) => country.code === code)

/** The English in which amounts and days of an organization are written. */
export const englishOf = (code: string | null | undefined): English | undefined =>
  findCountry(code ?? null)?.writing.english

/** The label and printed form of a customer's number, for any country. A customer without a country is one at home. */
export function customerNumbers(customer: Customer, language: Language, home: Country): LabelledNumber[] {
  const country = customer.country ? findCountry(customer.country) : home
  if (country) return country.documents.customerNumbers(customer, language)
  const { registrationNumber } = customer
  if (!registrationNumber) return []
  return [
    {
      label: otherLabel[language],
      value: isSsnText(registrationNumber) ? masked(registrationNumber) : registrationNumber,
    },
  ]
}

const otherLabel = { he: 'מספר רישום', en: 'Registration No.' }
