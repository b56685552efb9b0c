import fc from 'fast-check'
import { expect, test } from 'vitest'
import { customerNumbers, gstProblem, issuerNumbers, nricProblem, personProblem, uenProblem } from './numbers.ts'

const uens = [
  '00192200M', '197401143C', '201403121W', '201132058E', '202400023C', 'S16FC0121D', 'T01FC6132D', 'T04SS0129D',
  'T08GA0028A', '53123456L', '202312345Z', 'T23LL0001B',
] // biome-ignore format: a list of words

test.each([...uens, ' 201403121w', '2014-03121-W'])('the UEN %j is fine', (text) => {
  expect(uenProblem(text)).toBeUndefined()
})

test.each([
  ['53012345D', /check letter/], // copied in many samples; it would be B
  ['200312345A', /check letter/], // it would be H
  ['T23ZZ0001B', /^A UEN is/],
  ['12345', /^A UEN is/],
  ['2014031210', /^A UEN is/],
  ['', /^A UEN is/],
])('the UEN %j gives the warning: %s', (text, problem) => {
  expect(uenProblem(text)).toMatch(problem)
})

test('one wrong digit gives a warning for every UEN', () => {
  fc.assert(
    fc.property(fc.constantFrom(...uens), fc.nat(20), fc.nat(9), (uen, at, digit) => {
      const places = [...uen.matchAll(/\d/g)].map((match) => match.index)
      const place = places[at % places.length] ?? 0
      const wrong = uen.slice(0, place) + digit + uen.slice(place + 1)
      if (wrong !== uen) expect(uenProblem(wrong)).toBeDefined()
    }),
    { numRuns: 500 },
  )
})

test.each(['S1234567D', 'T0123456G', 'F1234567N', 'G1234567X', 'M1234567K', 'M5398242L', 's1234567d'])(
  'the NRIC or FIN %j is fine',
  (text) => {
    expect(nricProblem(text)).toBeUndefined()
  },
)

test.each([
  ['S1234567A', /check letter/],
  ['M5398242K', /check letter/],
  ['A1234567D', /^An NRIC or FIN is/],
  ['S123456D', /^An NRIC or FIN is/],
])('the NRIC or FIN %j gives the warning: %s', (text, problem) => {
  expect(nricProblem(text)).toMatch(problem)
})

test.each(['M2-1234567-K', 'M90364879X', '201403121W', 'MR-8500088-6'])('the GST number %j is fine', (text) => {
  expect(gstProblem(text)).toBeUndefined()
})

test.each(['M9036487', '200312345A', 'GST'])('the GST number %j gives a warning', (text) => {
  expect(gstProblem(text)).toMatch(/^A GST number is/)
})

test('a person may have a business with a UEN', () => {
  expect(personProblem('53123456L')).toBeUndefined()
  expect(personProblem('S1234567D')).toBeUndefined()
  expect(personProblem('S1234567A')).toMatch(/check letter/)
})

test('an issuer shows its GST number and UEN, once if they are the same', () => {
  const issuer = { name: 'A', address: null, registrationNumber: '201403121W', taxNumber: 'M90364879X' }
  expect(issuerNumbers(issuer)).toEqual([
    { label: 'GST Reg. No.', value: 'M90364879X' },
    { label: 'UEN', value: '201403121W' },
  ])
  expect(issuerNumbers({ ...issuer, taxNumber: '201403121W' })).toEqual([
    { label: 'GST Reg. No.', value: '201403121W' },
  ])
  expect(issuerNumbers({ ...issuer, taxNumber: null })).toEqual([{ label: 'UEN', value: '201403121W' }])
})

test.each([
  ['S1234567D', 'NRIC/FIN', '*****567D'],
  ['M1234567K', 'NRIC/FIN', '*****567K'],
  ['201403121W', 'UEN', '201403121W'],
  ['M90364879X', 'GST Reg. No.', 'M90364879X'],
])('the number %s of a customer is shown as %s %s', (registrationNumber, label, value) => {
  const customer = { name: 'B', country: 'SG', kind: null, registrationNumber, address: null }
  expect(customerNumbers(customer)).toEqual([{ label, value }])
})
