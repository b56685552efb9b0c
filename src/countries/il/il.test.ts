import { describe, expect, test } from 'vitest'
import type { Language } from '../../core/values/language.ts'
import { codesOf, saleOf } from '../../test/documents/country-sale.ts'
import type { Customer, DocumentType, Issuer, SalesDocument } from '../country.ts'
import { documentWarnings } from '../warnings.ts'
import { il } from './il.ts'

const company: Partial<Issuer> = { registrationNumber: '514000009', taxNumber: '514000009' }
const exempt: Partial<Issuer> = { registrationNumber: '123456782', taxNumber: null }
const buyer: Partial<Customer> = { country: 'IL', registrationNumber: '512345679' }

const sale = (document: Partial<SalesDocument> = {}, issuer = company, customer = {}) =>
  saleOf({ issuer, customer: { ...buyer, ...customer }, document: { currency: 'ILS', ...document } })

/** Net in agorot at 18 percent. */
const taxed = (subtotalMinor: bigint, more: Partial<SalesDocument> = {}) =>
  ({ subtotalMinor, taxMinor: (subtotalMinor * 18n) / 100n, taxRate: 18, ...more }) as const

const types: DocumentType[] = [
  'INVOICE', 'INVOICE_RECEIPT', 'RECEIPT', 'PAYMENT_REQUEST', 'CREDIT_MEMO', 'DEBIT_MEMO',
] // biome-ignore format: a list of words

describe('titles and codes', () => {
  test.each([
    ['a company', company, [
      ['305', 'חשבונית מס', 'Tax Invoice'], ['320', 'חשבונית מס / קבלה', 'Tax Invoice / Receipt'], ['400', 'קבלה', 'Receipt'],
      ['300', 'חשבונית עסקה', 'Transaction Invoice'], ['330', 'חשבונית מס זיכוי', 'Credit Tax Invoice'],
      ['305', 'חשבונית מס', 'Tax Invoice'],
    ]],
    ['an exempt dealer', exempt, [
      ['300', 'חשבונית עסקה', 'Transaction Invoice'], ['400', 'קבלה', 'Receipt'], ['400', 'קבלה', 'Receipt'],
      ['300', 'חשבונית עסקה', 'Transaction Invoice'], [undefined, 'הודעת זיכוי', 'Credit Notice'],
      ['300', 'חשבונית עסקה', 'Transaction Invoice'],
    ]],
  ])('%s issues documents under these codes and names', (_, given, kinds) => {
    const { issuer } = sale({}, given)
    const found = types.map((documentType) => [
      il.documents.officialCode({ documentType, issuer }),
      il.documents.titleOf({ documentType, issuer, language: 'he' }),
      il.documents.titleOf({ documentType, issuer, language: 'en' }),
    ])
    expect(found).toEqual(kinds)
  }) // biome-ignore format: a table

  test.each(types)('an exempt dealer never issues a %s that calls itself a tax invoice', (documentType) => {
    const { issuer } = sale({}, exempt)
    expect(il.documents.titleOf({ documentType, issuer, language: 'he' })).not.toContain('מס')
    expect(['305', '310', '320', '330']).not.toContain(il.documents.officialCode({ documentType, issuer }))
  })
})

describe('allocation numbers', () => {
  test.each([
    ['15,000 on 2026-06-10', true, taxed(1_500_000n)],
    ['15,000 on 2025-06-10', false, taxed(1_500_000n, { issueDate: '2025-06-10' })],
    ['5,000.00 on 2026-06-10', false, taxed(500_000n)],
    ['5,000.01 on 2026-06-10', true, taxed(500_001n)],
    ['10,500 on 2026-05-31', true, taxed(1_050_000n, { issueDate: '2026-05-31' })],
    ['9,999 on 2026-05-31', false, taxed(999_900n, { issueDate: '2026-05-31' })],
    ['the day before there were any', false, taxed(9_000_000n, { issueDate: '2024-05-04' })],
    ['a tax invoice-receipt', true, taxed(1_500_000n, { documentType: 'INVOICE_RECEIPT' })],
    ['a further charge', true, taxed(1_500_000n, { documentType: 'DEBIT_MEMO' })],
    ['a credit at any amount', false, taxed(1_500_000n, { documentType: 'CREDIT_MEMO' })],
    ['a receipt', false, taxed(1_500_000n, { documentType: 'RECEIPT' })],
    ['a payment request', false, taxed(1_500_000n, { documentType: 'PAYMENT_REQUEST' })],
    ['zero VAT', false, taxed(1_500_000n, { taxMinor: 0n, taxRate: 0 })],
    ['USD 3,000 at 3.6512', true, taxed(300_000n, { currency: 'USD', exchangeRate: 3.6512 })],
    ['USD 1,000 at 3.6512', false, taxed(100_000n, { currency: 'USD', exchangeRate: 3.6512 })],
    ['a foreign currency without a known rate', false, taxed(300_000n, { currency: 'USD', exchangeRate: null })],
    ['mostly exempt lines', false, taxed(1_500_000n, {
      taxMinor: 72_000n,
      lines: [{ amountMinor: 400_000n, taxRate: null }, { amountMinor: 1_100_000n, taxRate: 0 }],
    })],
  ])('%s: that an allocation number is needed is %s', (_, needed, document) => {
    expect(il.documents.needsAllocationNumber(sale(document))).toBe(needed)
  }) // biome-ignore format: a table

  test('a private customer, one abroad and an exempt issuer need none', () => {
    const document = taxed(1_500_000n)
    const needed = (of: ReturnType<typeof sale>) => il.documents.needsAllocationNumber(of)
    expect(needed(sale(document, company, { kind: 'INDIVIDUAL' }))).toBe(false)
    expect(needed(sale(document, company, { country: 'DE' }))).toBe(false)
    expect(needed(sale(document, exempt))).toBe(false)
    expect(needed(sale(document, company, { country: null, kind: null }))).toBe(true)
  })

  test.each([
    ['the authority', '20240627231846297178091822', '178091822'],
    ['the authority', '2023062805428380179010998', '179010998'],
    ['the authority', '202307210221137202810340', '202810340'],
    ['hand', '178-091-822', '178091822'],
    ['hand', '42', '42'],
  ])('of the number that came from %s, %s, is printed %s', (_, allocationNumber, value) => {
    const { document } = sale({ allocationNumber })
    expect(il.documents.officialNumbers(document, 'he')).toEqual([{ label: 'מספר הקצאה', value }])
  })
})

describe('warnings', () => {
  const doubts = (of: ReturnType<typeof sale>) => codesOf(documentWarnings(il, of))

  test('a complete tax invoice has no warnings', () => {
    expect(doubts(sale(taxed(100_000n)))).toEqual([])
  })

  test('a missing allocation number gives a warning, with the number of the customer, until it is given', () => {
    const big = taxed(1_500_000n)
    expect(doubts(sale(big))).toEqual(['ALLOCATION_NUMBER_MISSING'])
    expect(doubts(sale(big, company, { registrationNumber: null }))).toEqual([
      'CUSTOMER_NUMBER_MISSING',
      'ALLOCATION_NUMBER_MISSING',
    ])
    expect(doubts(sale({ ...big, allocationNumber: '178091822' }))).toEqual([])
    expect(doubts(sale({ ...big, allocationNumber: '20240627231846297178091822' }))).toEqual([])
  })

  test.each(['17809182', '000000000', '2024062723'])('%s is not a valid allocation number', (number) => {
    expect(doubts(sale({ ...taxed(1_500_000n), allocationNumber: number }))).toEqual(['ALLOCATION_NUMBER'])
  })

  test.each<[string, string[], Parameters<typeof sale>]>([
    ['an exempt dealer charges VAT', ['ISSUER_NOT_REGISTERED'], [taxed(100_000n), exempt]],
    ['an exempt dealer charges none', [], [{}, exempt]],
    ['an exempt dealer above the yearly ceiling', ['EXEMPT_CEILING'], [{ subtotalMinor: 12_283_301n }, exempt]],
    ['an exempt dealer at the ceiling', [], [{ subtotalMinor: 12_283_300n }, exempt]],
    ['the rate of last year', ['TAX_RATE'], [taxed(100_000n, { taxRate: 17, taxMinor: 17_000n })]],
    ['17 % in 2024', [], [taxed(100_000n, { taxRate: 17, taxMinor: 17_000n, issueDate: '2024-12-31' })]],
    ['a credit at the rate of then', [], [taxed(100_000n, { taxRate: 17, documentType: 'CREDIT_MEMO', notes: 'x' })]],
    ['a credit without a reason', ['REASON_MISSING'], [taxed(100_000n, { documentType: 'CREDIT_MEMO' })]],
    ['a line at an odd rate', ['TAX_RATE'], [taxed(100_000n, { lines: [{ amountMinor: 1n, taxRate: 5 }] })]],
    ['no address of the issuer', ['ISSUER_ADDRESS_MISSING'], [taxed(100_000n), { ...company, address: null }]],
    ['no address of the customer', ['CUSTOMER_ADDRESS_MISSING'], [taxed(100_000n), company, { address: null }]],
    ['no number of the issuer', ['ISSUER_NUMBER_MISSING'], [{}, { registrationNumber: null, taxNumber: null }]],
    ['a receipt that does not say how', ['PAYMENT_METHOD_MISSING'], [{ documentType: 'RECEIPT', paymentMethod: null }]],
    ['dollars without a rate', ['HOME_AMOUNTS_MISSING'], [taxed(100_000n, { currency: 'USD', exchangeRate: null })]],
    ['a customer number that fails its check', ['REGISTRATION_NUMBER'], [taxed(100_000n), company, { registrationNumber: '514000004' }]],
    ['a customer abroad with a number of theirs', [], [taxed(100_000n), company, { country: 'DE', registrationNumber: 'HRB 1' }]],
  ])('%s: %j', (_, codes, parts) => {
    expect(doubts(sale(...parts))).toEqual(codes)
  }) // biome-ignore format: a table
})

test.each([
  ['the ceiling reached', [], 12_283_200n],
  ['the ceiling exceeded', ['EXEMPT_CEILING'], 12_283_201n],
  ['less because of credits', [], -12_283_201n],
])('an exempt dealer with %s by earlier documents and 1 shekel: %j', (_, codes, earlier) => {
  const document = { subtotalMinor: 100n }
  expect(codesOf(il.documents.turnoverWarnings?.(sale(document, exempt), earlier) ?? [])).toEqual(codes)
  expect(il.documents.turnoverWarnings?.(sale(document, company), earlier)).toEqual([])
})

describe('printed words', () => {
  const words = (copy: 'original' | 'copy' | 'draft', language: Language, document: Partial<SalesDocument> = {}) =>
    il.documents.wordings(sale(taxed(100_000n, document)), { language, copy }).map(({ text }) => text)

  test('the original says מקור, what is printed again העתק, and both that a computer made them', () => {
    expect(words('original', 'he')).toEqual(['מקור', 'מסמך ממוחשב'])
    expect(words('copy', 'he')).toEqual(['העתק נאמן למקור', 'מסמך ממוחשב'])
    expect(words('draft', 'he')).toEqual(['טיוטה'])
  })

  test('an English document also has the Hebrew words that the law requires', () => {
    expect(words('original', 'en')).toEqual(['Original', 'מסמך ממוחשב', 'חשבונית מס', 'מקור', 'ח.פ. 514000009'])
  })

  test('USD 3,000.00 at 3.6512 is 10,953.60, VAT 1,971.65, in all 12,925.25 shekels', () => {
    const document = taxed(300_000n, { currency: 'USD', exchangeRate: 3.6512 })
    expect(il.documents.homeAmounts(sale(document))).toEqual({
      currency: 'ILS',
      exchangeRate: 3.6512,
      subtotalMinor: 1_095_360n,
      taxMinor: 197_165n,
      totalMinor: 1_292_525n,
    })
    const rate = { currency: 'USD', exchangeRate: 3.6512, exchangeRateDate: '2026-06-10' }
    expect(words('original', 'he', rate)).toContain('שער חליפין: 1 USD = 3.6512 ILS (2026-06-10)')
    expect(words('original', 'en', rate)).toContain('Exchange rate: 1 USD = 3.6512 ILS (2026-06-10)')
    expect(il.documents.homeAmounts(sale({ ...document, exchangeRate: null }))).toBeUndefined()
    expect(il.documents.homeAmounts(sale(taxed(300_000n)))).toBeUndefined()
  })

  test('an exempt dealer shows no VAT line unless the document charges VAT', () => {
    expect(il.documents.showsTax(sale({}, exempt))).toBe(false)
    expect(il.documents.showsTax(sale(taxed(100_000n), exempt))).toBe(true)
    expect(il.documents.showsTax(sale())).toBe(true)
  })

  test('days read day, month, year', () => {
    expect(il.documents.showDay('2026-06-10', 'he')).toBe('10/06/2026')
  })
})

test.each([
  ['15,000', [1_500_000n], 270_000n],
  ['99.99, 49.99 and 3.15', [9_999n, 4_999n, 315n], 2_756n],
])('VAT on %s is rounded once, on the document', (_, amounts, tax) => {
  expect(il.documents.taxOn(amounts.map((amountMinor) => ({ amountMinor, taxRate: 18 })))).toBe(tax)
})
