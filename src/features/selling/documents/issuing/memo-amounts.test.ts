import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentOf, toMajor } from '../../../../core/values/money.ts'
import type { NewLine } from '../document.ts'
import { creditContent } from './memo-amounts.ts'
import type { CreditedBefore, Source } from './memo-lines.ts'

const currency = 'SGD'
const major = (minor: bigint | number) => toMajor(BigInt(minor), currency)

/** A document with random lines at several rates, some of them discounts, whose tax is rounded by line or by rate. */
const documents = fc
  .record({
    lines: fc.array(
      fc.record({ minor: fc.integer({ min: 1, max: 50_000 }), rate: fc.constantFrom(null, 0, 8.875, 9, 17) }),
      {
        minLength: 1,
        maxLength: 8,
      },
    ),
    discount: fc.integer({ min: 0, max: 90 }),
    byLine: fc.boolean(),
  })
  .map(({ lines, discount, byLine }): Source => {
    const [first] = lines
    const off = first ? { minor: -Math.floor((first.minor * discount) / 100), rate: first.rate } : undefined
    const all = off && off.minor < 0 ? [...lines, off] : lines
    const items = all.map(({ minor, rate }, at) => ({
      id: String(at), itemId: null, description: `Line ${at}`, quantity: 1, unitPrice: Math.abs(major(minor)), amountMinor: minor,
      taxRate: rate, taxCategory: null, discountPercent: null, discountMinor: null,
    })) // biome-ignore format: a list of words
    const subtotalMinor = all.reduce((sum, { minor }) => sum + minor, 0)
    const nets = new Map<number, number>()
    for (const { minor, rate } of all) nets.set(rate ?? 9, (nets.get(rate ?? 9) ?? 0) + minor)
    const taxOf = (minor: number, rate: number) => Number(percentOf(BigInt(minor), rate, 'half-up'))
    const taxMinor = byLine
      ? all.reduce((sum, { minor, rate }) => sum + taxOf(minor, rate ?? 9), 0)
      : [...nets].reduce((sum, [rate, minor]) => sum + taxOf(minor, rate), 0)
    const totalMinor = subtotalMinor + taxMinor
    return { currency, taxRate: '9.000000', items, subtotalMinor, taxMinor, totalMinor, invoiceNumber: '1' }
  })

const minorOf = (amount: number) => Math.round(amount * 100)

const added = (before: CreditedBefore, source: Source, memo: ReturnType<typeof creditContent>): CreditedBefore => ({
  subtotalMinor: before.subtotalMinor + minorOf(memo.subtotal),
  taxMinor: before.taxMinor + minorOf(memo.taxAmount),
  totalMinor: before.totalMinor + memo.totalMinor,
  lines: [
    ...before.lines,
    ...memo.items.map(({ id, description, amount, taxRate }) => ({
      id,
      description,
      amountMinor: minorOf(amount),
      taxRate: Number(taxRate ?? source.taxRate),
    })),
  ],
})

test('any partial memos and a memo over the rest add up to the document exactly, and each has about the tax of its lines', () => {
  const share = { line: fc.nat(7), percent: fc.integer({ min: 1, max: 100 }), isFree: fc.boolean() }
  const shares = fc.array(fc.record(share), { maxLength: 6 })
  fc.assert(
    fc.property(documents, shares, (source, parts) => {
      let before: CreditedBefore = { subtotalMinor: 0, taxMinor: 0, totalMinor: 0, lines: [] }
      for (const [at, { line, percent, isFree }] of parts.entries()) {
        const credited = source.items[line % source.items.length]
        if (!credited || credited.amountMinor < 0) continue
        const minor = Math.max(1, Math.floor((credited.amountMinor * percent) / 100))
        const item: NewLine = {
          ...(isFree ? { id: `free-${at}`, taxRate: credited.taxRate } : { id: credited.id }),
          description: 'Part',
          quantity: 1,
          unitPrice: major(minor),
          amount: major(minor),
        }
        try {
          const memo = creditContent(source, [item], before)
          const exactTax = (minor * Number(credited.taxRate ?? source.taxRate)) / 100
          expect(Math.abs(minorOf(memo.taxAmount) - exactTax)).toBeLessThan(source.items.length + 2)
          expect(minorOf(memo.subtotal) + minorOf(memo.taxAmount)).toBe(memo.totalMinor)
          before = added(before, source, memo)
        } catch (error) {
          expect(String(error)).toMatch(/left to credit|not credited yet/)
        }
      }
      if (before.totalMinor < source.totalMinor) {
        const rest = creditContent(source, undefined, before)
        const discounts = source.items.filter(({ amountMinor }) => amountMinor < 0).map(({ id }) => id)
        expect(rest.items.filter(({ id, amount }) => amount < 0 && !discounts.includes(id))).toEqual([])
        before = added(before, source, rest)
      }
      const { subtotalMinor, taxMinor, totalMinor } = source
      expect(before).toMatchObject({ subtotalMinor, taxMinor, totalMinor })
    }),
    { numRuns: 500 },
  )
})
