import { expect, test } from 'vitest'
import { knownRowOn } from './known-row.ts'

const rows = [
  { since: '2026-01-01', published: '2026-03-31', name: 'amended' },
  { since: '2026-01-01', published: '2026-01-01', name: 'provisional' },
  { since: '2025-01-01', name: 'earlier' },
]

test.each([
  ['2024-12-31', '2026-11-01', undefined],
  ['2025-01-01', '2026-11-01', 'earlier'],
  ['2025-12-31', '2026-11-01', 'earlier'],
  ['2026-01-01', '2025-12-31', 'earlier'],
  ['2026-01-31', '2026-01-01', 'provisional'],
  ['2026-01-31', '2026-03-30', 'provisional'],
  ['2026-01-31', '2026-03-31', 'amended'],
  ['2026-01-31', '2024-12-31', undefined],
])('for %s, what was known on %s is the row %s', (day, knownOn, name) => {
  expect(knownRowOn(rows, day, knownOn)?.name).toBe(name)
  expect(knownRowOn(rows.toReversed(), day, knownOn)?.name).toBe(name)
})
