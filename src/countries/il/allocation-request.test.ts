import { describe, expect, test } from 'vitest'
import { saleOf } from '../../test/documents/country-sale.ts'
import { allocationRequest } from './allocation-request.ts'

const issuer = { registrationNumber: '514000009', taxNumber: '514000009' }
const customer = { name: 'Globex', country: 'IL', registrationNumber: '51-234567-9' }
const shekels = { currency: 'ILS', subtotalMinor: 1_500_000n, taxMinor: 270_000n, taxRate: 18, issueDate: '2026-06-10' }
const details = {
  documentId: 'an id',
  number: 'INV-0001',
  issuedOn: '2026-06-11',
  credentials: { softwareNumber: '12345678', userId: '012345674' },
}

test('a request has the numbers as digits, the amounts in shekels and both days', () => {
  expect(allocationRequest(saleOf({ issuer, customer, document: shekels }), details)).toEqual({
    invoice_id: 'an id', invoice_type: 305, vat_number: 514000009, union_vat_number: 0, user_id: 12345674,
    invoice_reference_number: 'INV-0001', customer_vat_number: 512345679, customer_name: 'Globex', invoice_date: '2026-06-10',
    invoice_issuance_date: '2026-06-11', accounting_software_number: 12345678, amount_before_discount: 15000, discount: 0,
    payment_amount: 15000, vat_amount: 2700, payment_amount_including_vat: 17700, action: 0,
  })
}) // biome-ignore format: a list of fields

test('amounts in another currency are converted as on the print: 3,000 dollars at 3.6512', () => {
  const dollars = { currency: 'USD', exchangeRate: 3.6512, subtotalMinor: 300_000n, taxMinor: 54_000n, taxRate: 18 }
  const lines = [{ amountMinor: 300_000n, taxRate: 18 }]
  expect(allocationRequest(saleOf({ issuer, customer, document: { ...dollars, lines } }), details)).toMatchObject({
    payment_amount: 10953.6,
    vat_amount: 1971.65,
    payment_amount_including_vat: 12925.25,
  })
})

test('long names and numbers are cut to what the authority takes', () => {
  const long = { ...customer, name: 'קבוצת הגלידריות המאוחדות של הגליל והגולן' }
  const request = allocationRequest(saleOf({ issuer, customer: long, document: shekels }), {
    ...details,
    number: 'A VERY LONG PREFIX-000123',
  })
  expect(request).toMatchObject({
    customer_name: long.name.slice(0, 25),
    invoice_reference_number: ' LONG PREFIX-000123'.padStart(20, 'Y'),
  })
})

describe('a sentence says what is missing:', () => {
  test.each([
    ['the VAT number', { issuer: { registrationNumber: null, taxNumber: null } }, {}, 'VAT number'],
    ['the number of the customer', { customer: { ...customer, registrationNumber: null } }, {}, 'dealer number'],
    ['a number of the customer that is none', { customer: { ...customer, registrationNumber: 'DE123' } }, {}, 'dealer number'],
    ['the number of the software', {}, { softwareNumber: '' }, 'software'],
    ['the number of the person', {}, { userId: 'Dana' }, 'ID number'],
    ['the exchange rate', { document: { ...shekels, currency: 'USD', exchangeRate: null } }, {}, 'exchange rate'],
  ])('%s', (_, sale, credentials, words) => {
    const given = { ...details, credentials: { ...details.credentials, ...credentials } }
    const problem = allocationRequest(saleOf({ issuer, customer, document: shekels, ...sale }), given)
    expect(problem).toEqual({ problem: expect.stringContaining(words) })
  })
}) // biome-ignore format: a case a line
