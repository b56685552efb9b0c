import { expect, test } from 'vitest'
import { customerNumbers, holderOf, isRegistered, issuerNumbers, numberProblem } from './numbers.ts'

test.each([
  '123456782',
  '000000018',
  '111111118',
  '777777715',
  '777777723',
  '777777731',
  '777777749',
  '999999998',
  '987654324',
  '514000009',
  '512345679',
  '580000008',
  '18', // zeros in front are often left out
  '51-400000-9',
  '\u200f514000009',
])('the Israeli number %j is fine', (text) => {
  expect(numberProblem(text)).toBeUndefined()
})

test.each([
  ['123456789', /check digit/],
  ['514000004', /check digit/],
  ['516000009', /check digit/],
  ['002233445', /check digit/],
  ['000000000', /all zeros/],
  ['5140000091', /has 9 digits; this one has 10/],
  ['51400000X', /digits only/],
])('the Israeli number %j gives the warning: %s', (text, problem) => {
  expect(numberProblem(text)).toMatch(problem)
})

test.each([
  ['514000009', 'company'],
  ['520000001', 'company'],
  ['540000001', 'partnership'],
  ['570000001', 'company'],
  ['580000008', 'non-profit'],
  ['123456782', 'person'],
  ['18', 'person'],
  [null, 'person'],
])('%s is the number of a %s', (text, holder) => {
  expect(holderOf(text)).toBe(holder)
})

const of = (registrationNumber: string | null, taxNumber: string | null = null) => ({
  name: 'A',
  address: null,
  registrationNumber,
  taxNumber,
})

test.each([
  ['a company without more', of('514000009'), true, [['ח.פ.', '514000009']]],
  ['a company under one number', of('514000009', '514000009'), true, [['ח.פ.', '514000009']]],
  ['a company that reports with others', of('514000009', '777777715'), true, [['ח.פ.', '514000009'], ['עוסק מורשה', '777777715']]],
  ['an authorised dealer', of('123456782', '123456782'), true, [['עוסק מורשה', '123456782']]],
  ['an authorised dealer who left out the zeros', of(null, '18'), true, [['עוסק מורשה', '000000018']]],
  ['an exempt dealer', of('123456782'), false, [['עוסק פטור', '123456782']]],
  ['a non-profit', of('580000008'), false, [['עמותה מס׳', '580000008']]],
  ['a non-profit that is a dealer too', of('580000008', '580000008'), true, [['עמותה מס׳', '580000008']]],
  ['no number', of(null), false, []],
] as const)('%s shows its numbers under their names', (_, issuer, registered, numbers) => {
  expect(isRegistered(issuer)).toBe(registered)
  expect(issuerNumbers(issuer, 'he').map(({ label, value }) => [label, value])).toEqual(numbers)
}) // biome-ignore format: a table

test.each([
  ['514000009', 'ORGANIZATION', 'ח.פ.', 'Company No.'],
  ['123456782', 'ORGANIZATION', 'עוסק מס׳', 'Dealer No.'],
  ['123456782', 'INDIVIDUAL', 'ת.ז.', 'ID No.'],
] as const)('%s of an %s is called %s, in English %s', (registrationNumber, kind, he, en) => {
  const customer = { name: 'B', country: 'IL', kind, registrationNumber, address: null }
  expect(customerNumbers(customer, 'he')).toEqual([{ label: he, value: registrationNumber }])
  expect(customerNumbers(customer, 'en')).toEqual([{ label: en, value: registrationNumber }])
})
