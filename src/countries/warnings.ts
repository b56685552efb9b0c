import type { Warning } from '../core/define/schema.ts'
import { bicProblem, ibanProblem, routingNumberProblem } from '../core/values/bank-identifiers.ts'
import { compact } from '../core/values/compact.ts'
import { countryName, isCountry, toCountryCode } from '../core/values/country-names.ts'
import { findCountry } from './countries.ts'
import type { BankNumbers, Country, Customer, Issuer, Sale } from './country.ts'

// Warnings about unusual data. They never refuse anything: users may have reasons, and enforcing the law is not our task.

export function documentWarnings({ documents }: Country, sale: Sale): Warning[] {
  const ofCustomer = customerWarnings(sale.customer).map((warning) => ({
    ...warning,
    path: `customer.${warning.path}`,
  }))
  return [
    ...documents.issuerWarnings(sale),
    ...documents.taxWarnings(sale),
    ...documents.contentWarnings(sale),
    ...ofCustomer,
  ]
}

/** Customers in other countries get no warning, because the format of their numbers is not known here. */
export function customerWarnings(customer: Pick<Customer, 'country' | 'kind' | 'registrationNumber'>): Warning[] {
  const identifiers = findCountry(customer.country)?.identifiers
  if (!identifiers) return []
  const { registrationProblem, personProblem } = identifiers
  const problemOf = customer.kind === 'INDIVIDUAL' ? personProblem : registrationProblem
  return warningFor('registrationNumber', customer.registrationNumber, problemOf)
}

export const organizationWarnings = (
  { identifiers }: Country,
  { registrationNumber, taxNumber }: Pick<Issuer, 'registrationNumber' | 'taxNumber'>,
): Warning[] => [
  ...warningFor('registrationNumber', registrationNumber, identifiers.registrationProblem),
  ...warningFor('taxNumber', taxNumber, identifiers.taxProblem),
]

/** At most one warning per field: first the international rules, then those of the bank's country. */
export function bankAccountWarnings(account: BankNumbers, home: Country['code']): Warning[] {
  const warnings = [
    ...warningFor('iban', account.iban, ibanProblem),
    ...warningFor('swiftCode', account.swiftCode, bicProblem),
    ...warningFor('routingNumber', account.routingNumber, routingNumberProblem),
    ...foreignBic(account),
    ...(findCountry(bankCountryOf(account) ?? home)?.bankAccountWarnings(account) ?? []),
  ]
  return warnings.filter(({ path }, at) => warnings.findIndex((other) => other.path === path) === at)
}

/** The country of the bank, as far as the account tells: from `bankCountry`, or from a number that names a country. */
function bankCountryOf({ bankCountry, iban, swiftCode, routingNumber }: BankNumbers): string | undefined {
  if (bankCountry?.trim()) return toCountryCode(bankCountry)
  if (iban) return compact(iban).slice(0, 2)
  if (swiftCode) return compact(swiftCode).slice(4, 6)
  return routingNumber ? 'US' : undefined
}

function foreignBic({ bankCountry, swiftCode }: BankNumbers): Warning[] {
  const country = toCountryCode(bankCountry ?? '')
  const ofBic = compact(swiftCode ?? '').slice(4, 6)
  if (!isCountry(country) || !isCountry(ofBic) || country === ofBic) return []
  const message = `The BIC belongs to a bank in ${countryName(ofBic)}, not in ${countryName(country)}.`
  return [{ code: 'SWIFT_CODE', path: 'swiftCode', message }]
}

function warningFor(path: string, value: string | null, problemOf: (text: string) => string | undefined): Warning[] {
  const message = value?.trim() ? problemOf(value) : undefined
  return message ? [{ code: path.replace(/[A-Z]/g, '_$&').toUpperCase(), message, path }] : []
}
