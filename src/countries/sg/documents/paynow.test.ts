import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksum, payNowCode } from './paynow.ts'

const of = (name: string, registrationNumber: string | null) => ({
  name,
  registrationNumber,
  taxNumber: null,
  address: null,
})

test('the checksum of 123456789 is 29B1, as for every CRC-16/CCITT-FALSE', () => {
  expect(checksum('123456789')).toBe('29B1')
})

test('a code over 1,725.83 for INV-2026-0001 until the end of 2026', () => {
  const code = payNowCode({
    issuer: of('ACME PTE LTD', '201403121W'),
    currency: 'SGD',
    amountMinor: 172_583n,
    reference: 'INV-2026-0001',
    until: '2026-12-31',
  })
  expect(code).toBe(
    '00020101021226490009SG.PAYNOW010120210201403121W0301004082026123152040000530370254071725.835802SG5912ACME PTE LTD6009Singapore62170113INV-2026-000163048085',
  )
  expect(code).toHaveLength(155)
})

test('a code without an amount lets the payer enter it', () => {
  const code = payNowCode({ issuer: of('DEMO SOCIETY', 'T04SS0129D'), currency: 'SGD' })
  expect(code).toBe(
    '00020101021126370009SG.PAYNOW010120210T04SS0129D030115204000053037025802SG5912DEMO SOCIETY6009Singapore6304E2CA',
  )
  expect(code).toHaveLength(111)
})

test('there is no code for another currency or without a valid UEN', () => {
  expect(payNowCode({ issuer: of('A', '201403121W'), currency: 'USD', amountMinor: 1n })).toBeUndefined()
  expect(payNowCode({ issuer: of('A', null), currency: 'SGD', amountMinor: 1n })).toBeUndefined()
  expect(payNowCode({ issuer: of('A', '200312345A'), currency: 'SGD', amountMinor: 1n })).toBeUndefined()
})

test.each([
  ['陈氏贸易有限公司', '201403121W'],
  ['陈氏 (新加坡) Trading', 'Trading'],
  ['Nhà hàng Đông Á', 'Nha hang Dong A'],
  ['Søren & Łukasz GmbH', 'Soren & Lukasz GmbH'],
  ['شركة ... &', '201403121W'],
])('the merchant name %s is coded in ASCII as %s', (name, coded) => {
  const code =
    payNowCode({ issuer: of(name, '201403121W'), currency: 'SGD', amountMinor: 100n, reference: '发票' }) ?? ''
  const fields = read(code)
  expect(fields.get('59')).toBe(coded)
  expect(fields.has('62')).toBe(false)
  expect(code).toMatch(/^[\x20-\x7e]+$/)
})

test('whatever the names and amounts, the fields can be read back and the checksum is right', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.bigInt(1n, 99_999_999n),
      (name, reference, amountMinor) => {
        const issuer = of(name, '201403121W')
        const code = payNowCode({ issuer, currency: 'SGD', amountMinor, reference }) ?? ''
        const fields = read(code)
        expect(fields.get('54')).toBe(`${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, '0')}`)
        expect(fields.get('59')).toMatch(/^[\x20-\x7e]{1,25}$/)
        expect(fields.get('63')).toBe(checksum(code.slice(0, -4)))
      },
    ),
  )
})

/** Number, length and value after each other until the end. */
function read(code: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4))
    fields.set(code.slice(at, at + 2), code.slice(at + 4, at + 4 + length))
    at += 4 + length
  }
  return fields
}
