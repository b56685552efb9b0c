import { expect, test } from 'vitest'
import { endedPeriods, periodsFor } from './periods.ts'

test.each([
  ['month', '2026-03-31', { from: '2026-02-01', to: '2026-02-28' }],
  ['month', '2026-01-01', { from: '2025-12-01', to: '2025-12-31' }],
  ['months', '2026-04-15', { from: '2026-01-01', to: '2026-02-28' }],
  ['months', '2026-05-01', { from: '2026-03-01', to: '2026-04-30' }],
  ['quarter', '2026-11-17', { from: '2026-07-01', to: '2026-09-30' }],
  ['quarter', '2026-01-31', { from: '2025-10-01', to: '2025-12-31' }],
  ['year', '2024-12-31', { from: '2023-01-01', to: '2023-12-31' }],
] as const)('the last %s that has ended on %s', (length, day, period) => {
  expect(endedPeriods(length, day, 2)[0]).toEqual(period)
})

test('a period follows on the one before it', () => {
  expect(endedPeriods('quarter', '2026-02-10', 3).map(({ from }) => from)).toEqual([
    '2025-10-01',
    '2025-07-01',
    '2025-04-01',
  ])
})

test('a file is proposed for the period that it is usually made for', () => {
  const first = (file: string, covers: string) => periodsFor(file, covers, '2026-11-17')[0]?.period.from
  expect(first('il-uniform-file', 'any')).toBe('2025-01-01')
  expect(first('il-withholding-summary', 'any')).toBe('2026-10-01')
  expect(first('il-pcn874', 'months')).toBe('2026-10-01')
  expect(first('sg-gst-f5', 'any')).toBe('2026-07-01')
  expect(first('us-1099-nec', 'year')).toBe('2025-01-01')
})
