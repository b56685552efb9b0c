import type { Warning } from '../core/define/schema.ts'
import { bicProblem, ibanProblem, routingNumberProblem } from '../core/values/bank-identifiers.ts'
import { compact } from '../core/values/compact.ts'
import { countryName, isCountry, toCountryCode } from '../core/values/country-names.ts'
import { findCountry } from './countries.ts'
import type { BankNumbers, Country, Customer, Issuer, Sale } from './country.ts'

// What is odd and is told, never refused: people have reasons, and the law of a country is not ours to enforce.

export function documentWarnings({ documents }: Country, sale: Sale): Warning[] {
  const ofCustomer = customerWarnings(sale.customer).map((doubt) => ({ ...doubt, path: `customer.${doubt.path}` }))
  return [...documents.mayIssue(sale), ...documents.taxDoubts(sale), ...documents.requiredContents(sale), ...ofCustomer]
}

/** Numbers of customers elsewhere have forms that we do not know. */
export function customerWarnings(customer: Pick<Customer, 'country' | 'kind' | 'registrationNumber'>): Warning[] {
  const identifiers = findCountry(customer.country)?.identifiers
  if (!identifiers) return []
  const { registrationProblem, personProblem } = identifiers
  const problemOf = customer.kind === 'INDIVIDUAL' ? personProblem : registrationProblem
  return doubt('registrationNumber', customer.registrationNumber, problemOf)
}

export const organizationWarnings = (
  { identifiers }: Country,
  { registrationNumber, taxNumber }: Pick<Issuer, 'registrationNumber' | 'taxNumber'>,
): Warning[] => [
  ...doubt('registrationNumber', registrationNumber, identifiers.registrationProblem),
  ...doubt('taxNumber', taxNumber, identifiers.taxProblem),
]

/** Of a field one doubt at most: what holds everywhere, then what the country of the bank knows. */
export function bankAccountWarnings(account: BankNumbers, home: Country['code']): Warning[] {
  const doubts = [
    ...doubt('iban', account.iban, ibanProblem),
    ...doubt('swiftCode', account.swiftCode, bicProblem),
    ...doubt('routingNumber', account.routingNumber, routingNumberProblem),
    ...foreignBic(account),
    ...(findCountry(bankCountryOf(account) ?? home)?.bankAccountDoubts(account) ?? []),
  ]
  return doubts.filter(({ path }, at) => doubts.findIndex((other) => other.path === path) === at)
}

/** Where the bank is, as far as the account says: in so many words, or by a number that only one country has. */
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
  const message = `The BIC is that of a bank in ${countryName(ofBic)}, not in ${countryName(country)}.`
  return [{ code: 'SWIFT_CODE', path: 'swiftCode', message }]
}

function doubt(path: string, value: string | null, problemOf: (text: string) => string | undefined): Warning[] {
  const message = value?.trim() ? problemOf(value) : undefined
  return message ? [{ code: path.replace(/[A-Z]/g, '_$&').toUpperCase(), message, path }] : []
}
