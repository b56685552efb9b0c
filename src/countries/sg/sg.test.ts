import { expect, test } from 'vitest'
import { codesOf, saleOf } from '../../test/documents/country-sale.ts'
import type { Customer, DocumentType, Issuer, SalesDocument } from '../country.ts'
import { documentWarnings } from '../warnings.ts'
import { sg } from './sg.ts'

const registered: Partial<Issuer> = { registrationNumber: '201403121W', taxNumber: 'M90364879X' }
const unregistered: Partial<Issuer> = { registrationNumber: '201403121W' }

const sale = (document: Partial<SalesDocument> = {}, issuer = registered, customer: Partial<Customer> = {}) =>
  saleOf({ issuer, customer: { country: 'SG', ...customer }, document: { currency: 'SGD', ...document } })

/** Consulting and hosting: 1,583.33 and 9 %. */
const taxed = { subtotalMinor: 158_333n, taxMinor: 14_250n, taxRate: 9 }
const small = { subtotalMinor: 10_000n, taxMinor: 900n, taxRate: 9 }

test.each<[DocumentType, string, string, string | undefined]>([
  ['INVOICE', 'Tax Invoice', 'Invoice', '380'],
  ['INVOICE_RECEIPT', 'Tax Invoice / Receipt', 'Invoice / Receipt', '380'],
  ['RECEIPT', 'Receipt', 'Receipt', undefined],
  ['PAYMENT_REQUEST', 'Payment Request', 'Payment Request', undefined],
  ['CREDIT_MEMO', 'Credit Note', 'Credit Note', '381'],
  ['DEBIT_MEMO', 'Debit Note', 'Debit Note', '380'],
])('%s has the title %s, and %s for unregistered businesses', (documentType, title, other, code) => {
  const named = (issuer: Partial<Issuer>) =>
    sg.documents.titleOf({ documentType, issuer: sale({}, issuer).issuer, language: 'en' })
  expect(named(registered)).toBe(title)
  expect(named(unregistered)).toBe(other)
  expect(sg.documents.officialCode({ documentType, issuer: sale().issuer })).toBe(code)
})

test.each<[string, string[], Parameters<typeof sale>]>([
  ['a whole tax invoice', [], [taxed]],
  ['GST charged by an unregistered business', ['ISSUER_NOT_REGISTERED'], [taxed, unregistered]],
  ['no GST charged by an unregistered business', [], [{}, { ...unregistered, address: null }, { address: null }]],
  ['the rate of 2023', ['TAX_RATE'], [{ ...taxed, taxRate: 8 }]],
  ['the rate of 2023 in 2023', [], [{ ...taxed, taxRate: 8, issueDate: '2023-12-31' }]],
  ['a zero-rated line', [], [{ ...taxed, lines: [{ amountMinor: 1n, taxRate: 0, taxCategory: 'zero rated' }] }]],
  ['a line without GST that names no category', ['TAX_CATEGORY_MISSING'], [{ ...taxed, lines: [{ amountMinor: 1n, taxRate: 0 }] }]],
  ['the same of a business that is not registered', [], [{ taxRate: 0, lines: [{ amountMinor: 1n, taxRate: 0 }] }, unregistered]],
  ['a category that IRAS does not know', ['TAX_CATEGORY_UNKNOWN'], [{ taxRate: 0, lines: [{ amountMinor: 1n, taxRate: 0, taxCategory: 'FOO' }] }]],
  ['no address of the issuer', ['ISSUER_ADDRESS_MISSING'], [taxed, { ...registered, address: null }]],
  ['no address of the customer', ['CUSTOMER_ADDRESS_MISSING'], [taxed, registered, { address: null }]],
  ['up to 1,000 with GST none is needed', [], [small, registered, { address: null }]],
  ['1,000.00 with GST exactly', [], [{ subtotalMinor: 91_743n, taxMinor: 8_257n, taxRate: 9 }, registered, { address: null }]],
  ['1,000.01 with GST', ['CUSTOMER_ADDRESS_MISSING'], [{ subtotalMinor: 91_744n, taxMinor: 8_257n, taxRate: 9 }, registered, { address: null }]],
  ['a private customer needs no tax invoice', [], [taxed, registered, { address: null, kind: 'INDIVIDUAL' }]],
  ['a zero-rated export', [], [{ taxRate: 0, lines: [{ amountMinor: 1n, taxRate: null, taxCategory: 'ZR' }] }, registered, { address: null, country: 'US' }]],
  ['a credit note without a reason', ['REASON_MISSING'], [{ ...small, documentType: 'CREDIT_MEMO' }]],
  ['a credit note at the rate of then', [], [{ ...small, taxRate: 7, documentType: 'CREDIT_MEMO', notes: 'returned' }]],
  ['dollars of elsewhere without a rate', ['HOME_AMOUNTS_MISSING'], [{ ...taxed, currency: 'USD', exchangeRate: null }]],
  ['a UEN that fails its check', ['REGISTRATION_NUMBER'], [taxed, registered, { registrationNumber: '200312345A' }]],
])('%s: %j', (_, codes, parts) => {
  expect(codesOf(documentWarnings(sg, sale(...parts)))).toEqual(codes)
}) // biome-ignore format: a table

test('a document in another currency shows Singapore dollars, if it charges GST', () => {
  const foreign = {
    currency: 'USD',
    exchangeRate: 1.35,
    exchangeRateDate: '2026-06-10',
    subtotalMinor: 100_000n,
    taxMinor: 9_000n,
    taxRate: 9,
  }
  expect(sg.documents.homeAmounts(sale(foreign))).toMatchObject({ taxMinor: 12_150n, totalMinor: 147_150n })
  expect(sg.documents.homeAmounts(sale(foreign, unregistered))).toBeUndefined()
  expect(sg.documents.homeAmounts(sale({ ...foreign, taxMinor: 0n, taxRate: 0 }))).toBeUndefined()
  const words = sg.documents.wordings(sale(foreign), { language: 'en', copy: 'original' })
  expect(words.map(({ text }) => text)).toEqual(['Exchange rate: 1 USD = 1.35 SGD (2026-06-10)'])
})

test('a simplified tax invoice says that GST is included; a draft is marked as one', () => {
  const texts = (document: Partial<SalesDocument>, copy: 'original' | 'draft') =>
    sg.documents.wordings(sale(document), { language: 'en', copy }).map(({ text }) => text)
  expect(texts(small, 'original')).toEqual(['Price payable includes GST.'])
  expect(texts({ ...small, documentType: 'CREDIT_MEMO' }, 'original')).toEqual([])
  expect(texts(taxed, 'original')).toEqual([])
  expect(texts(taxed, 'draft')).toEqual(['Draft'])
})

test('a registered business shows a GST line', () => {
  expect(sg.documents.showsTax(sale({}))).toBe(true)
  expect(sg.documents.showsTax(sale({}, unregistered))).toBe(false)
})
