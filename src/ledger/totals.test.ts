import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minorDigits, percentOf, toMajor } from '../core/values/money.ts'
import { readAmounts, totalsProblems } from './totals.ts'

const currencies = ['JPY', 'USD', 'SGD', 'KWD', 'ILS']

/** Random lines in whole minor units with a tax rate and a currency, and their exact sums. */
const documents = fc
  .record({
    currency: fc.constantFrom(...currencies),
    amounts: fc.array(fc.bigInt({ min: -1_000_000n, max: 100_000_000_000n }), { minLength: 1, maxLength: 40 }),
    taxRate: fc.constantFrom(0, 8.875, 9, 17, 18),
  })
  .map(({ currency, amounts, taxRate }) => {
    const subtotal = amounts.reduce((sum, amount) => sum + amount, 0n)
    const tax = percentOf(subtotal, taxRate, 'half-up')
    const major = (minor: bigint) => toMajor(minor, currency)
    const items = amounts.map((amount, at) => ({
      id: String(at),
      description: 'x',
      quantity: 1,
      unitPrice: Math.abs(major(amount)),
      amount: major(amount),
    }))
    const sums = { subtotal: major(subtotal), taxAmount: major(tax), total: major(subtotal + tax) }
    return { minor: { amounts, subtotal, tax }, given: { currency, items, taxRate, ...sums } }
  })

describe('INV-02', () => {
  test('matching amounts are read exactly and can be issued, in any currency', () => {
    fc.assert(
      fc.property(documents, ({ minor, given }) => {
        const read = readAmounts(given, { draft: false })
        expect(read.lines.map(({ amount }) => amount)).toEqual(minor.amounts)
        expect([read.subtotal, read.taxAmount, read.total]).toEqual([
          minor.subtotal,
          minor.tax,
          minor.subtotal + minor.tax,
        ])
        expect(totalsProblems(read).filter(({ code }) => code === 'AMOUNT_MISMATCH')).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('sums may differ by half a minor unit for each line, rounded up, and by one more where tax is added', () => {
    fc.assert(
      fc.property(documents, fc.bigInt({ min: -60n, max: 60n }), ({ given }, off) => {
        const read = readAmounts(given, { draft: false })
        const tolerance = BigInt(Math.ceil(read.lines.length / 2))
        const isBeyond = (most: bigint) => off > most || off < -most
        const moved = { ...read, total: read.total + off }
        const codes = totalsProblems(moved).filter(({ path, code }) => path === 'total' && code === 'AMOUNT_MISMATCH')
        expect(codes.length > 0).toBe(isBeyond(tolerance + 1n))
        const shifted = { ...read, subtotal: read.subtotal + off, total: read.total + off }
        expect(totalsProblems(shifted).some(({ path }) => path === 'subtotal')).toBe(isBeyond(tolerance))
      }),
      { numRuns: 500 },
    )
  })

  test('amounts of a draft with too many decimal places are rounded half up, each with a warning', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencies), fc.integer({ min: 0, max: 1_000_000 }), (currency, whole) => {
        const half = Number(`${whole}.5e-${minorDigits(currency)}`)
        const given = { currency, items: [], taxRate: null, subtotal: half, taxAmount: 0, total: half }
        const read = readAmounts(given, { draft: true })
        expect(read.subtotal).toBe(BigInt(whole) + 1n)
        expect(read.warnings.map(({ path }) => path)).toEqual(['subtotal', 'total'])
        expect(() => readAmounts(given, { draft: false })).toThrow(/decimal places/)
      }),
    )
  })
})

test.each([
  ['lines with their own tax rate cause no warning', { taxRate: 9, items: [{ taxRate: 0 }], taxAmount: 0 }, []],
  ['lines with the tax rate of the document cause no warning', { taxRate: 9, items: [{}], taxAmount: 9 }, []],
  ['a difference of a minor unit causes no warning', { taxRate: 9, items: [{}], taxAmount: 9.01 }, []],
  [
    'a tax amount that does not match the rate causes a warning',
    { taxRate: 9, items: [{}], taxAmount: 17 },
    ['TAX_AMOUNT'],
  ],
  ['a tax amount without a rate causes no warning', { taxRate: null, items: [{}], taxAmount: 17 }, []],
  [
    'a line amount that is not quantity times unit price causes a warning',
    { taxRate: 9, items: [{ quantity: 3 }], taxAmount: 9 },
    ['LINE_AMOUNT'],
  ],
  [
    'a discount in percent is taken off the line amount',
    { taxRate: 9, items: [{ unitPrice: 125, discountPercent: 20 }], taxAmount: 9 },
    [],
  ],
  [
    'a discount as an amount is taken off the line amount',
    { taxRate: 9, items: [{ quantity: 4, unitPrice: 30, discountAmount: 20 }], taxAmount: 9 },
    [],
  ],
  [
    'a discount in percent is rounded once, with the line amount',
    { taxRate: 0, items: [{ quantity: 3, unitPrice: 37.3, discountPercent: 10.635 }], taxAmount: 0 },
    [],
  ],
  [
    'a line amount without its discount causes a warning',
    { taxRate: 9, items: [{ discountPercent: 20 }], taxAmount: 9 },
    ['LINE_AMOUNT'],
  ],
])('%s', (_, { items, ...more }, codes) => {
  const lines = items.map((line) => ({ id: '1', description: 'x', quantity: 1, unitPrice: 100, amount: 100, ...line }))
  const given = { currency: 'SGD', subtotal: 100, total: 100 + more.taxAmount, ...more, items: lines }
  expect(readAmounts(given, { draft: false }).warnings.map(({ code }) => code)).toEqual(codes)
})

test('a line with a discount in percent and one as an amount is refused, on a draft too', () => {
  const line = { id: '1', description: 'x', quantity: 1, unitPrice: 100, amount: 90 }
  const over = (more: object) => ({ currency: 'SGD', items: [{ ...line, ...more }], subtotal: 90, taxRate: null, taxAmount: 0, total: 90 })
  const one = readAmounts(over({ discountPercent: 10, discountAmount: null }), { draft: true })
  expect(one.lines).toMatchObject([{ discountPercent: '10.000000', discountMinor: null }])
  const two = { discountPercent: 10, discountAmount: 10 }
  for (const draft of [true, false])
    expect(() => readAmounts(over(two), { draft })).toThrow(expect.objectContaining({
      status: 400,
      details: [expect.objectContaining({ path: 'items.0.discountAmount', code: 'TWO_DISCOUNTS' })],
    }))
}) // biome-ignore format: a case a line
