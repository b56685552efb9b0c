import type { Language } from '../core/values/language.ts'
import type { Country, Customer, LabelledNumber } from './country.ts'
import { il } from './il/il.ts'
import { sg } from './sg/sg.ts'
import { us } from './us/us.ts'

export const countries: Record<Country['code'], Country> = { IL: il, SG: sg, US: us }

/** The rules for the country of a customer or a bank, if there are any. */
export const findCountry = (code: string | null): Country | undefined =>
  Object.values(countries).find((country) => country.code === code)

/** The label and printed form of a customer's number, for any country. */
export const customerNumbers = (customer: Customer, language: Language): LabelledNumber[] =>
  findCountry(customer.country)?.documents.customerNumbers(customer, language) ??
  (customer.registrationNumber ? [{ label: otherLabel[language], value: customer.registrationNumber }] : [])

const otherLabel = { he: 'מספר רישום', en: 'Registration No.' }
