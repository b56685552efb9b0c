import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ScheduledFile, toRemove } from './retention.ts'

const usual = { keepDays: 7, keepWeeks: 4, zone: 'Asia/Singapore' }
const dayMs = 24 * 60 * 60 * 1000
/** 03:30 in Singapore on Monday 2 March 2026. */
const monday = Date.parse('2026-03-01T19:30:00Z')
const file = (takenAt: number): ScheduledFile => ({ name: new Date(takenAt).toISOString(), takenAt: new Date(takenAt) })
const daily = (days: number, last = monday) => Array.from({ length: days }, (_, n) => file(last - n * dayMs))
const keptOf = (files: ScheduledFile[], retention = usual) => {
  const removed = toRemove(files, retention)
  return files.filter((each) => !removed.includes(each)).map(({ name }) => name.slice(0, 10))
}

test('a backup every day: the last 7 days and the newest of the last 4 weeks are kept', () => {
  // Named by the day in UTC, which is the day before; the weeks end on Sundays.
  expect(keptOf(daily(60))).toEqual([
    '2026-03-01', '2026-02-28', '2026-02-27', '2026-02-26', '2026-02-25', '2026-02-24', '2026-02-23',
    '2026-02-21', '2026-02-14',
  ]) // biome-ignore format: a list of days
})

test('of two backups of one day the newer one is kept', () => {
  expect(toRemove([file(monday), file(monday + 3_600_000)], usual).map(({ takenAt }) => takenAt.getTime())).toEqual([
    monday,
  ])
})

test('days are those of the local time zone', () => {
  const files = [file(Date.parse('2026-03-01T15:59:00Z')), file(Date.parse('2026-03-01T16:01:00Z'))]
  expect(toRemove(files, usual)).toEqual([])
  expect(toRemove(files, { ...usual, zone: 'UTC' })).toEqual([files[0]])
})

test('after a long pause the old backups stay: only days with a backup count', () => {
  const old = daily(5, monday - 200 * dayMs)
  expect(toRemove([file(monday), ...old], usual)).toEqual([])
})

test('the newest backup is never removed, and never more stay than were asked for', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 400 * 24 }), { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 6 }),
      (hours, keepDays, keepWeeks) => {
        const files = hours.map((hour) => file(monday - hour * 3_600_000))
        const removed = toRemove(files, { ...usual, keepDays, keepWeeks })
        const newest = files.reduce((a, b) => (a.takenAt > b.takenAt ? a : b))
        expect(removed).not.toContain(newest)
        expect(files.length - removed.length).toBeLessThanOrEqual(keepDays + keepWeeks)
        expect(
          toRemove(
            files.filter((each) => !removed.includes(each)),
            { ...usual, keepDays, keepWeeks },
          ),
        ).toEqual([])
      },
    ),
  )
})
