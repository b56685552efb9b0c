import { expect, test } from 'vitest'
import { readDay } from './day-field.tsx'

const base = '2026-11-17'

test.each([
  ['15', '2026-11-15'],
  ['15/12', '2026-12-15'],
  ['5/12/27', '2027-12-05'],
  ['5.12.2027', '2027-12-05'],
  ['12/15', '2026-12-15'],
  ['+30', '2026-12-17'],
  ['-1', '2026-11-16'],
  ['t', base],
  ['2026-02-28', '2026-02-28'],
  ['31/2', undefined],
  ['soon', undefined],
])('“%s” is %s where the day comes first', (typed, day) => {
  expect(readDay(typed, base)).toBe(day)
})

test.each([
  ['15', '2026-11-15'],
  ['12/15', '2026-12-15'],
  ['12/5/27', '2027-12-05'],
  ['12/05/2026', '2026-12-05'],
  ['15/12', '2026-12-15'],
  ['2/30', undefined],
])('“%s” is %s where the month comes first', (typed, day) => {
  expect(readDay(typed, base, { monthFirst: true })).toBe(day)
})
