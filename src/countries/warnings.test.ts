import { expect, test } from 'vitest'
import { codesOf } from '../test/documents/country-sale.ts'
import { countries, customerNumbers, findCountry } from './countries.ts'
import { bankAccountWarnings, customerWarnings, organizationWarnings } from './warnings.ts'

const none = {
  bankCountry: null, accountNumber: null, branchCode: null, localBankCode: null, swiftCode: null, iban: null,
  routingNumber: null,
} // biome-ignore format: a list of words

type Numbers = Partial<Record<keyof typeof none, string>>

test.each<[string, Numbers, string[]]>([
  ['Leumi 10-800-99999999', { localBankCode: '10', branchCode: '800', accountNumber: '99999999', iban: 'IL620108000000099999999', bankCountry: 'Israel' }, []],
  ['Hapoalim 12-600-123456', { localBankCode: '12', branchCode: '600', accountNumber: '123456', iban: 'IL390126000000000123456' }, []],
  ['Hapoalim 12-600-12345678', { localBankCode: '12', branchCode: '600', accountNumber: '12345678', iban: 'IL590126000000012345678', swiftCode: 'POALILIT' }, []],
  ['another branch than the IBAN', { localBankCode: '12', branchCode: '601', accountNumber: '123456', iban: 'IL390126000000000123456' }, ['IBAN_DIFFERS']],
  ['a foreign IBAN in Israel', { iban: 'DE89370400440532013000', bankCountry: 'IL' }, ['IBAN']],
  ['Israel, by the organization', { localBankCode: '101', branchCode: '1234', accountNumber: '1234567890' }, ['LOCAL_BANK_CODE', 'BRANCH_CODE', 'ACCOUNT_NUMBER']],
  ['a German account of an Israeli organization', { iban: 'DE89370400440532013000', accountNumber: '0532013000' }, []],
  ['DBS in Singapore', { localBankCode: '7171', branchCode: '001', accountNumber: '0012345678', swiftCode: 'DBSSSGSG', bankCountry: 'SG' }, []],
  ['a bank of three digits in Singapore', { localBankCode: '717', branchCode: '1', bankCountry: 'singapore' }, ['LOCAL_BANK_CODE', 'BRANCH_CODE']],
  ['an IBAN in Singapore', { iban: 'GB82WEST12345698765432', bankCountry: 'SG' }, ['IBAN']],
  ['an IBAN in the United States', { iban: 'GB82WEST12345698765432', bankCountry: 'USA' }, ['IBAN']],
  ['Chase', { routingNumber: '021000021', accountNumber: '12345678901234567' }, []],
  ['Chase from abroad', { swiftCode: 'CHASUS33', accountNumber: '123', bankCountry: 'US' }, []],
  ['eighteen digits in the United States', { routingNumber: '021000021', accountNumber: '123456789012345678' }, ['ACCOUNT_NUMBER']],
  ['an American account at no bank', { accountNumber: '123', bankCountry: 'US' }, ['ROUTING_NUMBER_MISSING']],
  ['a BIC of another country', { swiftCode: 'LUMIILIT', bankCountry: 'SG' }, ['SWIFT_CODE']],
  ['a BIC of the same country', { swiftCode: 'LUMIILIT', bankCountry: 'IL' }, []],
  ['a BIC with an unknown country', { swiftCode: 'LUMIILIT', bankCountry: 'Atlantis' }, []],
  ['one doubt for each field', { iban: 'SG12DBSS0000001234567', bankCountry: 'SG' }, ['IBAN']],
  ['nothing', {}, []],
])('%s: %j gives the warnings %j', (_, numbers, codes) => {
  expect(codesOf(bankAccountWarnings({ ...none, ...numbers }, 'IL'))).toEqual(codes)
}) // biome-ignore format: a table

test.each([
  ['IL', '514000004', null, 1],
  ['IL', '514000009', null, 0],
  ['SG', 'S1234567D', 'INDIVIDUAL', 0],
  ['SG', 'S1234567D', 'ORGANIZATION', 1],
  ['US', '07-1234567', 'ORGANIZATION', 1],
  ['DE', 'anything', null, 0],
  ['Atlantis', 'anything', null, 0],
  ['IL', ' ', null, 0],
  [null, '514000004', null, 0],
] as const)('a customer of %s with the number %j (%s) has %i doubts', (country, registrationNumber, kind, count) => {
  expect(customerWarnings({ country, registrationNumber, kind })).toHaveLength(count)
})

test('both numbers of an organization are checked', () => {
  const wrong = { registrationNumber: '514000004', taxNumber: '123456789' }
  expect(codesOf(organizationWarnings(countries.IL, wrong))).toEqual(['REGISTRATION_NUMBER', 'TAX_NUMBER'])
  expect(organizationWarnings(countries.IL, { registrationNumber: '514000009', taxNumber: null })).toEqual([])
  const singapore = { registrationNumber: '201403121W', taxNumber: 'M90364879X' }
  expect(organizationWarnings(countries.SG, singapore)).toEqual([])
})

test('only the three countries are found, for any code', () => {
  expect(findCountry('IL')).toBe(countries.IL)
  for (const code of ['DE', 'toString', '', null]) expect(findCountry(code)).toBeUndefined()
})

test('the number of a customer is labelled and masked by the rules of its country', () => {
  const customer = { name: 'B', kind: null, address: null }
  const shown = (country: string | null, registrationNumber: string | null) =>
    customerNumbers({ ...customer, country, registrationNumber }, 'he', countries.SG)
  expect(shown('IL', '514000009')).toEqual([{ label: 'ח.פ.', value: '514000009' }])
  expect(shown('SG', 'S1234567D')).toEqual([{ label: 'NRIC/FIN', value: '*****567D' }])
  expect(shown('DE', 'HRB 1')).toEqual([{ label: 'מספר רישום', value: 'HRB 1' }])
  expect(shown('DE', null)).toEqual([])
  expect(shown(null, 'S1234567D')).toEqual([{ label: 'NRIC/FIN', value: '*****567D' }])
})
