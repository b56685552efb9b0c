import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bicProblem, ibanProblem, routingNumberProblem } from './bank-identifiers.ts'

const ibans = [
  'GB82WEST12345698765432',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'AE070331234567890123456',
  'IL620108000000099999999',
  'IL590126000000012345678',
  'MT84MALT011000012345MTLCAST001S',
  'LC55HEMM000100010012001200023015',
]

test.each([
  ...ibans,
  'il62 0108 0000 0009 9999 999',
  ' GB82-WEST-1234-5698-7654-32\n',
  '\u200eIL620108000000099999999\u200f',
])('the IBAN %j is fine', (text) => {
  expect(ibanProblem(text)).toBeUndefined()
})

test.each([
  ['GB82WEST12345698765433', "The IBAN's check digits do not match; please compare it with the bank's letter."],
  ['IL62010800000009999999', 'An IBAN that begins with IL has 23 characters; this one has 22.'],
  ['SG12DBSS0000001234567', 'Singapore has no IBANs of its own; please give the account number instead.'],
  ['US12345678901234567', 'United States has no IBANs of its own; please give the account number instead.'],
  ['XX82WEST12345698765432', 'The IBAN begins with XX, which is not a country.'],
  ['12-345-678901', /^An IBAN begins with two letters/],
  ['GB82WEST1234569876543?', /^An IBAN begins with two letters/],
  ['', /^An IBAN begins with two letters/],
])('the problem of the IBAN %j is: %s', (text, problem) => {
  expect(ibanProblem(text)).toMatch(problem)
})

// Of digits the check digits promise this; a letter in place of a digit they can miss.
test('one wrong digit, or two digits exchanged, is noticed in every IBAN', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ibans), fc.nat(40), fc.nat(9), (iban, at, digit) => {
      const places = [...iban.matchAll(/\d(?=\d)/g)].map((match) => match.index)
      const place = places[at % places.length] ?? 0
      const mistyped = `${iban.slice(0, place)}${digit}${iban.slice(place + 1)}`
      const exchanged = iban.slice(0, place) + iban.charAt(place + 1) + iban.charAt(place) + iban.slice(place + 2)
      for (const wrong of [mistyped, exchanged]) if (wrong !== iban) expect(ibanProblem(wrong)).toBeDefined()
    }),
    { numRuns: 2000 },
  )
})

test.each(['DBSSSGSG', 'LUMIILIT', 'POALILITXXX', 'CHASUS33', 'BOFAUS3NXXX', 'dbss sg sg', '1234SGSG'])(
  'the BIC %j is fine',
  (text) => {
    expect(bicProblem(text)).toBeUndefined()
  },
)

test.each([
  ['DBSSSGS', 'A BIC has 8 or 11 characters; this one has 7.'],
  ['DBSSSGSGXX', 'A BIC has 8 or 11 characters; this one has 10.'],
  ['', 'A BIC has 8 or 11 characters; this one has 0.'],
  ['DBSS5GSG', /^A BIC is letters and digits/],
  ['DBSSSGS!', /^A BIC is letters and digits/],
  ['DBSSZZSG', 'The BIC has ZZ as its country, which is not a country.'],
])('the problem of the BIC %j is: %s', (text, problem) => {
  expect(bicProblem(text)).toMatch(problem)
})

const routingNumbers = ['021000021', '111000025', '011401533', '076401251', '121000358']

test.each([...routingNumbers, '0210 0002 1', '0210-0002-1'])('the routing number %j is fine', (text) => {
  expect(routingNumberProblem(text)).toBeUndefined()
})

test.each([
  ['021000022', "The routing number's check digit does not match; please compare it with a printed check."],
  ['123456789', "The routing number's check digit does not match; please compare it with a printed check."],
  ['02100002', 'A routing number has 9 digits; this one has 8.'],
  ['', 'A routing number has 9 digits; this one has 0.'],
  ['02100002X', 'A routing number has digits only.'],
  ['٠٢١٠٠٠٠٢١', 'A routing number has digits only.'],
  ['500000005', 'No routing number begins with 50; please compare it with a printed check.'],
])('the problem of the routing number %j is: %s', (text, problem) => {
  expect(routingNumberProblem(text)).toMatch(problem)
})

test('one wrong digit is noticed in every routing number', () => {
  fc.assert(
    fc.property(fc.constantFrom(...routingNumbers), fc.nat(8), fc.nat(9), (number, at, digit) => {
      const wrong = number.slice(0, at) + digit + number.slice(at + 1)
      if (wrong !== number) expect(routingNumberProblem(wrong)).toBeDefined()
    }),
  )
})
