import { type CountryFacts, noCurrency, useCountries, useCountry, useOrganization } from './session.ts'

/** What is known of the country of the organization. */
export function useOwnCountry(): CountryFacts {
  return useCountry(useOrganization().country) ?? elsewhere
}

/** What numbers are called in a country, also in one in which organizations cannot be. */
export const useNumberNames = (country: string | null | undefined): CountryFacts['numbers'] =>
  (useCountry(country) ?? elsewhere).numbers

/** The terms of employment that only other countries know. */
export function useForeignPayFields(): readonly string[] {
  const { country } = useOrganization()
  return useCountries().flatMap(({ code, payFields }) => (code === country ? [] : payFields))
}

const registration = { label: { en: 'Registration number', he: 'מספר רישום' }, hint: null }

/** A country of which nothing is known. */
const elsewhere: CountryFacts = {
  ...{ code: '', currency: noCurrency, timezone: 'UTC', timezones: [], name: { en: '', he: '' } },
  taxName: { en: 'tax', he: 'מס' },
  numbers: {
    registration,
    tax: { label: { en: 'Tax number', he: 'מספר לצורכי מס' }, hint: null },
    customer: registration,
  },
  ...{ taxCategories: [], payFields: [], bankAccountFields: [], bankFormats: [], einvoiceFormats: [], operations: [] },
  ...{ allocationNumbers: false, withholdsAtPayment: false },
}
