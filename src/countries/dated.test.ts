import { expect, test } from 'vitest'
import { countries } from './countries.ts'
import { rowOn } from './dated.ts'
import { allocationThresholds, backdatingLimits, cashLimits, exemptCeilings, vatRates } from './il/rates.ts'
import { gstRates, simplifiedLimits } from './sg/rates.ts'

test.each([
  ['2009-06-30', undefined],
  ['2009-07-01', 16.5],
  ['2010-01-01', 16],
  ['2012-08-31', 16],
  ['2012-09-01', 17],
  ['2013-06-02', 18],
  ['2015-10-01', 17],
  ['2024-12-31', 17],
  ['2025-01-01', 18],
  ['2026-11-15', 18],
])('on %s Israeli VAT was %s percent', (day, percent) => {
  expect(countries.IL.documents.taxRateOn(day)).toBe(percent)
})

test.each([
  ['1994-03-31', undefined],
  ['1994-04-01', 3],
  ['2003-01-01', 4],
  ['2004-01-01', 5],
  ['2007-06-30', 5],
  ['2007-07-01', 7],
  ['2022-12-31', 7],
  ['2023-01-01', 8],
  ['2024-01-01', 9],
  ['2026-11-15', 9],
])('on %s GST in Singapore was %s percent', (day, percent) => {
  expect(countries.SG.documents.taxRateOn(day)).toBe(percent)
})

test('the United States have no single rate', () => {
  expect(countries.US.documents.taxRateOn('2026-11-15')).toBeUndefined()
})

test.each([
  ['2024-05-04', undefined],
  ['2024-05-05', 25_000n],
  ['2025-01-01', 20_000n],
  ['2026-01-01', 10_000n],
  ['2026-05-31', 10_000n],
  ['2026-06-01', 5_000n],
])('on %s an allocation number is needed above %s shekels', (day, shekels) => {
  expect(rowOn(allocationThresholds, day)?.aboveMinor).toBe(shekels && shekels * 100n)
})

test('the ceiling of an exempt dealer is 120,000 in 2024 and 2025 and 122,833 in 2026', () => {
  const ceiling = (day: string) => rowOn(exemptCeilings, day)?.turnoverMinor
  expect(ceiling('2024-01-01')).toBe(12_000_000n)
  expect(ceiling('2025-12-31')).toBe(12_000_000n)
  expect(ceiling('2026-01-01')).toBe(12_283_300n)
})

test('the cash limit of a business is 6,000 since August 2022', () => {
  expect(rowOn(cashLimits, '2022-07-31')).toBeUndefined()
  expect(rowOn(cashLimits, '2022-08-01')?.dealMinor).toBe(600_000n)
})

test.each([
  ['IL', 'INVOICE', 14],
  ['IL', 'INVOICE_RECEIPT', 14],
  ['IL', 'CREDIT_MEMO', 14],
  ['IL', 'RECEIPT', 365],
  ['SG', 'INVOICE', 365],
  ['US', 'INVOICE', 365],
] as const)('in %s a document of the type %s may be dated %i days back', (country, documentType, days) => {
  expect(countries[country].documents.backdatedDays(documentType, '2026-11-15')).toBe(days)
})

test.each([
  ['VAT', vatRates],
  ['GST', gstRates],
  ['allocation', allocationThresholds],
  ['ceiling', exemptCeilings],
  ['cash', cashLimits],
  ['backdating', backdatingLimits],
  ['simplified', simplifiedLimits],
])('the rows of the table of %s are days, the newest first and none twice', (_, rows) => {
  const days = rows.map(({ since }) => since)
  expect(days).toEqual([...new Set(days)].toSorted().toReversed())
  for (const day of days) expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})
