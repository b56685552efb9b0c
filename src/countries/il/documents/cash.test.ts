import { expect, test } from 'vitest'
import { cashWarnings } from './cash.ts'

test.each([
  ['2026-03-02', 600_000n, 600_000n, false],
  ['2026-03-02', 600_001n, 60_000n, false],
  ['2026-03-02', 600_001n, 60_001n, true],
  ['2026-03-02', 6_000_000n, 600_000n, false],
  ['2026-03-02', 9_000_000n, 600_001n, true],
  ['2026-03-02', null, 600_000n, false],
  ['2026-03-02', null, 600_001n, true],
  ['2022-07-31', 9_000_000n, 9_000_000n, false],
  ['2022-08-01', 9_000_000n, 9_000_000n, true],
])('on %s, of a price of %s agorot %s in cash: a warning is %s', (day, priceMinor, cashMinor, warned) => {
  const warnings = cashWarnings({ day, priceMinor, cashMinor })
  expect(warnings.map(({ code }) => code)).toEqual(warned ? ['CASH_LIMIT'] : [])
})

test('the warning names what is allowed', () => {
  const [warning] = cashWarnings({ day: '2026-03-02', priceMinor: 1_000_000n, cashMinor: 100_050n })
  expect(warning?.message).toContain('1,000.5 ILS were paid in cash')
  expect(warning?.message).toContain('here 1,000 ILS')
})
