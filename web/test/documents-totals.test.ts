import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countries } from '../../src/countries/countries.ts'
import { readAmounts, totalsProblems } from '../../src/ledger/totals.ts'
import { minorDigits } from '../src/money.ts'
import { asWritten, type Draft, emptyLine, type Line, sums } from '../src/screens/documents/editor/draft.ts'

const decimal = (max: number, digits: number) =>
  fc.integer({ min: 0, max: max * 10 ** digits }).map((n) => n / 10 ** digits)

const line = (currency: string): fc.Arbitrary<Line> =>
  fc
    .record({
      quantity: decimal(5_000, 3),
      unitPrice: decimal(20_000, 4),
      taxRate: fc.constantFrom(null, 0, 9, 18),
      discount: fc.oneof(
        fc.constant({ discountPercent: null, discountAmount: null }),
        decimal(100, 2).map((discountPercent) => ({ discountPercent, discountAmount: null })),
        decimal(50, minorDigits(currency)).map((discountAmount) => ({ discountPercent: null, discountAmount })),
      ),
    })
    .map(({ discount, ...rest }) => ({ ...emptyLine(), description: 'Work', ...rest, ...discount }))

const draft: fc.Arbitrary<Draft> = fc.constantFrom('ILS', 'SGD', 'JPY', 'KWD').chain((currency) =>
  fc.record({
    customerId: fc.constant('c'),
    customerName: fc.constant('Kopi Republic'),
    documentType: fc.constant('INVOICE' as const),
    issueDate: fc.constant(''),
    dueDate: fc.constant('2026-12-31'),
    currency: fc.constant(currency),
    bankAccountId: fc.constant(null),
    taxRate: fc.constantFrom(null, 0, 8.25, 9, 17, 18),
    notes: fc.constant(''),
    paymentMethod: fc.constant(''),
    paymentDate: fc.constant(''),
    items: fc.array(line(currency), { minLength: 1, maxLength: 8 }),
  }),
)

test('the sums while typing are those of the server: nothing refused, nothing rounded, no doubt about lines or tax', () => {
  fc.assert(
    fc.property(draft, (typed) => {
      const written = { ...asWritten(typed), taxRate: typed.taxRate }
      const read = readAmounts(written, { draft: false })
      expect(read.warnings).toEqual([])
      expect(totalsProblems(read).filter(({ code }) => code !== 'AMOUNT_NEGATIVE')).toEqual([])
      const lines = read.lines.map(({ amount, taxRate }) => ({
        amountMinor: amount,
        taxRate: taxRate === null ? typed.taxRate : Number(taxRate),
        taxCategory: null,
      }))
      expect(read.taxAmount).toBe(countries.SG.documents.taxOn(lines))
    }),
    { numRuns: 300 },
  )
})

test('each tax rate is computed once on the sum of its lines', () => {
  const lines = [0.1, 0.1, 0.1].map((unitPrice) => ({ ...emptyLine(), description: 'Stamp', unitPrice }))
  expect(sums({ items: lines, currency: 'ILS', taxRate: 18 })).toMatchObject({
    subtotal: 0.3,
    taxAmount: 0.05,
    total: 0.35,
  })
  const mixed = [
    { ...emptyLine(), unitPrice: 100 },
    { ...emptyLine(), unitPrice: 50, taxRate: 0 },
  ]
  expect(sums({ items: mixed, currency: 'ILS', taxRate: 18 }).taxes).toEqual([
    { rate: 18, amount: 18 },
    { rate: 0, amount: 0 },
  ])
})

test('a line without a description is not saved', () => {
  const items = [emptyLine(), { ...emptyLine(), description: 'Retainer', unitPrice: 10 }]
  const written = asWritten({
    customerId: 'c', customerName: '', documentType: 'INVOICE', issueDate: '', dueDate: '', currency: 'ILS',
    bankAccountId: null, taxRate: 18, notes: ' ', paymentMethod: '', paymentDate: '', items,
  }) // biome-ignore format: a list of words
  expect(written).toMatchObject({ subtotal: 10, taxAmount: 1.8, total: 11.8, notes: null, dueDate: null })
  expect(written.items).toHaveLength(1)
})
