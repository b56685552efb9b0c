import { expect, test } from 'vitest'
import { codesOf, saleOf } from '../../test/documents/country-sale.ts'
import { countries, customerNumbers as printedNumbers } from '../countries.ts'
import type { SalesDocument } from '../country.ts'
import { documentWarnings } from '../warnings.ts'
import { customerNumbers, einProblem, issuerNumbers, personProblem, registrationProblem } from './documents/numbers.ts'
import { us } from './us.ts'

const prefixes = {
  fine: '01 06 10 16 20 27 30 48 50 68 71 77 80 88 90 95 98 99',
  unknown: '00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97',
}

test.each(prefixes.fine.split(' '))('an EIN that begins with %s is valid', (prefix) => {
  expect(einProblem(`${prefix}-1234567`)).toBeUndefined()
})

test.each(prefixes.unknown.split(' '))('an EIN that begins with %s gives a warning', (prefix) => {
  expect(einProblem(`${prefix}-1234567`)).toContain(`begin with ${prefix}`)
})

test.each([
  ['12-345678', /9 digits/],
  ['07-1234567', /begin with 07/],
  ['071234567', /begin with 07/],
  ['DE-C1234567', undefined], // a state's number has any form
  ['4182345', undefined],
])('the registration number %s gives the warning: %s', (text, problem) => {
  if (problem) expect(registrationProblem(text)).toMatch(problem)
  else expect(registrationProblem(text)).toBeUndefined()
})

test.each([
  ['a social security number', '123-45-6789'],
  ['a taxpayer number', '912-50-1234'],
  ['a taxpayer number', '912-99-1234'],
  ['that of a child being adopted', '912-93-1234'],
  ['an EIN', '84-1234567'],
])('%s such as %s is fine', (_, text) => {
  expect(personProblem(text)).toBeUndefined()
})

test.each(['000-12-3456', '666-00-3456', '970-66-1234', '961-89-1234', '12345678'])(
  '%s is not a valid number of a person',
  (text) => {
    expect(personProblem(text)).toBeDefined()
  },
)

test('an EIN is printed, and a social security number never is', () => {
  const issuer = { name: 'A', address: null, registrationNumber: null }
  expect(issuerNumbers({ ...issuer, taxNumber: '841234567' })).toEqual([{ label: 'EIN', value: '84-1234567' }])
  expect(issuerNumbers({ ...issuer, taxNumber: '123-45-6789' })).toEqual([])
  expect(issuerNumbers({ ...issuer, taxNumber: '07-1234567' })).toEqual([{ label: 'EIN', value: '07-1234567' }])
  expect(issuerNumbers({ ...issuer, taxNumber: '071234567' })).toEqual([]) // no EIN, so perhaps a person's
})

test.each([
  ['123-45-6789', 'INDIVIDUAL', 'Tax ID', '***-**-6789'],
  ['123-45-6789', null, 'Tax ID', '***-**-6789'],
  ['123 45 6789', null, 'Tax ID', '***-**-6789'],
  ['123456789', 'INDIVIDUAL', 'Tax ID', '***-**-6789'],
  ['84-1234567', 'INDIVIDUAL', 'Tax ID', '***-**-4567'],
  ['12345678', 'INDIVIDUAL', 'Tax ID', '***-**-5678'],
  ['84-1234567', 'ORGANIZATION', 'EIN', '84-1234567'],
  ['C1234567', 'ORGANIZATION', 'Registration No.', 'C1234567'],
] as const)('the number %s of a customer (%s) is shown as %s %s', (registrationNumber, kind, label, value) => {
  const customer = { name: 'B', country: 'US', kind, registrationNumber, address: null }
  expect(customerNumbers(customer)).toEqual([{ label, value }])
})

const taxed = { taxMinor: 8_875n, taxRate: 8.875 }
const oregon = '1 Elm St, Portland, OR 97201'

test.each<[string, string[], Partial<SalesDocument>, address?: string]>([
  ['the rate of New York City', [], taxed],
  ['any rate sent to New York', [], { ...taxed, facts: { shipTo: { state: 'NY' } } }],
  ['tax on what is sent to Oregon', ['TAX_RATE'], { ...taxed, facts: { shipTo: { state: 'or' } } }],
  ['tax on what a customer in Oregon buys', ['TAX_RATE'], taxed, oregon],
  [
    'tax on what a customer in Oregon has sent to New York',
    [],
    { ...taxed, facts: { shipTo: { state: 'NY' } } },
    oregon,
  ],
  ['no tax on what is sent to Oregon', [], { facts: { shipTo: { state: 'OR' } } }],
  [
    'for resale without a certificate',
    ['EXEMPTION_CERTIFICATE_MISSING'],
    { facts: { exemption: { reason: 'resale' } } },
  ],
  ['for resale with one', [], { facts: { exemption: { reason: 'resale', certificateNumber: 'R-1' } } }],
  ['facts of another kind', [], { ...taxed, facts: { shipTo: 'Oregon', exemption: 7 } }],
  ['nothing but lines', [], {}],
])('%s: %j', (_, codes, document, address = '') => {
  const sale = saleOf({ issuer: { address: null }, customer: { country: 'US', address: address || null }, document })
  expect(codesOf(documentWarnings(us, sale))).toEqual(codes)
})

test('documents are on letter paper, dated month first, and carry no code', () => {
  const { issuer } = saleOf()
  expect(us.documents.paper).toBe('us-letter')
  expect(us.documents.showDay('2026-06-10', 'en')).toBe('06/10/2026')
  expect(us.documents.titleOf({ documentType: 'CREDIT_MEMO', issuer, language: 'en' })).toBe('Credit Memo')
  expect(us.documents.officialCode({ documentType: 'INVOICE', issuer })).toBeUndefined()
})

test.each([
  ['US', countries.US, 'INDIVIDUAL', '123456789'],
  [null, countries.US, 'INDIVIDUAL', '123456789'],
  ['US', countries.IL, 'INDIVIDUAL', '123-45-6789'],
  ['GU', countries.US, null, '123-45-6789'],
] as const)('the number of a person in %s is masked on prints', (country, home, kind, registrationNumber) => {
  const customer = { name: 'B', country, kind, registrationNumber, address: null }
  expect(printedNumbers(customer, 'en', home).map(({ value }) => value)).toEqual(['***-**-6789'])
})

const ordered = (facts: SalesDocument['facts']) => saleOf({ document: { facts } }).document

test('purchase-order number, terms and ship-to address come from countrySpecificData', () => {
  const shipTo = { name: 'Initech Depot', address: '1 Dock St\nGate 4', city: 'Austin', state: 'TX', zip: '78744' }
  const document = ordered({ poNumber: 'PO-7', terms: 'Net 30', shipTo })
  expect(us.documents.references(document, 'en')).toEqual([
    { label: 'PO number', value: 'PO-7' },
    { label: 'Terms', value: 'Net 30' },
  ])
  expect(us.documents.shipTo(document)).toEqual(['Initech Depot', '1 Dock St', 'Gate 4', 'Austin, TX 78744'])
  expect(us.documents.shipTo(ordered({ shipTo: 'Initech Depot\n1 Dock St' }))).toEqual(['Initech Depot', '1 Dock St'])
  expect(us.documents.shipTo(ordered({ shipTo: { state: 'TX' } }))).toEqual(['TX'])
  for (const facts of [null, {}, { poNumber: '', terms: [], shipTo: 7, jurisdictions: 'x' }]) {
    const { references, jurisdictions } = us.documents
    expect([references(ordered(facts), 'en'), jurisdictions(ordered(facts))]).toEqual([[], []])
  }
})

test('jurisdictions have a name, and a rate and an amount if they are numbers', () => {
  const given = [{ name: 'New York State', rate: 4, amount: 85.12 }, { name: 'City', rate: '4.5' }, { rate: 1 }, null]
  expect(us.documents.jurisdictions(ordered({ jurisdictions: given }))).toEqual([
    { name: 'New York State', rate: 4, amountMinor: 8_512n },
    { name: 'City', rate: null, amountMinor: null },
  ])
})

test('an exemption is printed with its reason and certificate', () => {
  const sale = saleOf({ document: { facts: { exemption: { reason: 'resale', certificateNumber: 'R-1' } } } })
  const texts = us.documents.wordings(sale, { language: 'en', copy: 'original' }).map(({ text }) => text)
  expect(texts).toEqual(['Exempt from sales tax: resale, certificate R-1'])
})
