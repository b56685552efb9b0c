import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, addMonths, daysBetween, firstDay, isZone, monthOf, toDay, today } from './day.ts'

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test.each([
  ['2026-03-31T16:30:00Z', 'Asia/Singapore', '2026-04-01'],
  ['2026-03-31T22:30:00Z', 'Asia/Jerusalem', '2026-04-01'],
  ['2026-01-01T22:30:00Z', 'Asia/Jerusalem', '2026-01-02'],
  ['2026-01-01T02:00:00Z', 'America/New_York', '2025-12-31'],
  ['2026-03-31T16:30:00Z', 'UTC', '2026-03-31'],
])('at %s the day in %s is %s', (now, zone, expected) => {
  expect(today(new Date(now), zone)).toBe(expected)
})

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2028-02-29', '2028-02-29'],
  ['0001-01-01', '0001-01-01'],
  ['2026-01-31T23:30:00Z', '2026-01-31'],
  ['2026-01-31T23:30:00.123Z', '2026-01-31'],
  ['2026-01-31t23:30z', '2026-01-31'],
  ['2026-02-01T01:30:00+02:00', '2026-01-31'],
  ['2026-01-31T20:00:00-0500', '2026-02-01'],
])('%s is the day %s', (text, expected) => {
  expect(toDay(text)).toBe(expected)
})

test.each([
  '',
  'tomorrow',
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-1-5',
  '20260105',
  '0000-01-01',
  '+012026-01-01',
  '2026-01-31T23:30:00',
  '2026-02-30T10:00:00Z',
  '2026-01-31T25:00:00Z',
  '2026-01-31T10:00:00Z[Asia/Singapore]',
  '2026-01-31 10:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-12:00',
  ' 2026-01-31',
  '2026-01-31\n',
])('%j is not a day', (text) => {
  expect(toDay(text)).toBeUndefined()
})

test('toDay returns the day of an instant in the given zone, and a day unchanged', () => {
  expect(toDay('2026-01-31T23:30:00Z', 'Asia/Singapore')).toBe('2026-02-01')
  expect(toDay('2026-01-31', 'Asia/Singapore')).toBe('2026-01-31')
  expect(() => toDay('2026-01-31T23:30:00Z', 'Nowhere')).toThrow(RangeError)
})

test('toDay never throws, whatever the text', () => {
  const digits = fc.stringMatching(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?$/)
  fc.assert(
    fc.property(fc.oneof(fc.string(), digits), (text) => {
      expect(toDay(text) ?? '2026-01-01').toHaveLength(10)
    }),
  )
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-08-31', 13, '2027-09-30'],
])('%s and %i months is %s', (from, months, expected) => {
  expect(addMonths(from, months)).toBe(expected)
})

test('days added are the days between', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  fc.assert(
    fc.property(day, fc.integer({ min: -100_000, max: 100_000 }), (from, days) => {
      expect(daysBetween(from, addDays(from, days))).toBe(days)
    }),
  )
})

test('the first day of a month is in it, and the day before it is not', () => {
  expect(firstDay('2026-02')).toBe('2026-02-01')
  fc.assert(
    fc.property(day, (any) => {
      const first = firstDay(monthOf(any))
      expect(first <= any).toBe(true)
      expect(monthOf(first)).toBe(monthOf(any))
      expect(monthOf(addDays(first, -1)) < monthOf(any)).toBe(true)
    }),
  )
})

test.each([
  ['Asia/Singapore', true],
  ['Asia/Jerusalem', true],
  ['America/New_York', true],
  ['UTC', true],
  ['Asia/Atlantis', false],
  ['+08:00', false],
  ['Singapore time', false],
  ['', false],
])('%j is a zone: %j', (text, expected) => {
  expect(isZone(text)).toBe(expected)
})
