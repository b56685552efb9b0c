import { expect, test } from 'vitest'
import { isDue } from './due.ts'

const [singapore, berlin] = ['Asia/Singapore', 'Europe/Berlin']

test.each<[string, string, string, string[] | string | undefined, boolean]>([
  ['no backup was ever taken', singapore, '2026-03-02T04:00:00Z', undefined, true],
  ['it is a minute before the time', singapore, '2026-03-01T19:29:00Z', '2026-02-28T19:30:10Z', false],
  ['it is the time', singapore, '2026-03-01T19:30:00Z', '2026-02-28T19:30:10Z', true],
  ['today’s was taken', singapore, '2026-03-02T10:00:00Z', '2026-03-01T19:30:10Z', false],
  ['the machine was off at the time', singapore, '2026-03-02T01:00:00Z', '2026-02-28T19:30:10Z', true],
  ['the machine was off for a month', singapore, '2026-03-02T01:00:00Z', '2026-02-01T19:30:10Z', true],
  ['yesterday’s was made up during the day', singapore, '2026-03-01T19:30:00Z', '2026-03-01T02:00:00Z', true],
  ['the newest is of a clock that was wrong', singapore, '2026-03-02T04:00:00Z', '2031-01-01T00:00:00Z', true],
  [
    'one of a wrong clock is left',
    singapore,
    '2026-03-02T04:00:00Z',
    ['2031-01-01T00:00:00Z', '2026-03-01T19:30:10Z'],
    false,
  ],
  ['the clock went back a little', singapore, '2026-03-02T04:00:00Z', '2026-03-02T04:10:00Z', false],
  // On 29 March 2026 the clocks of Berlin go from 02:00 to 03:00; on 25 October 03:00 comes an hour later.
  ['the clocks went forward, before the time', berlin, '2026-03-29T01:29:00Z', '2026-03-28T02:30:10Z', false],
  ['the clocks went forward, at the time', berlin, '2026-03-29T01:30:00Z', '2026-03-28T02:30:10Z', true],
  ['the clocks went back, before the time', berlin, '2026-10-25T02:29:00Z', '2026-10-24T01:30:10Z', false],
  ['the clocks went back, at the time', berlin, '2026-10-25T02:30:00Z', '2026-10-24T01:30:10Z', true],
])('%s', (_, zone, now, taken = [], due) => {
  const times = [taken].flat().map((at) => new Date(at))
  expect(isDue(new Date(now), times, { at: '03:30', zone })).toBe(due)
})

test('a time that the clocks leave out comes an hour later on that day, once', () => {
  const due = (now: string) => isDue(new Date(now), [new Date('2026-03-28T01:30:10Z')], { at: '02:30', zone: berlin })
  expect([due('2026-03-29T01:29:00Z'), due('2026-03-29T01:30:00Z')]).toEqual([false, true])
})
