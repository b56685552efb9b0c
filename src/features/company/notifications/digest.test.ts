import { expect, test } from 'vitest'
import { dueIn } from './digest.ts'

test.each([
  ['2026-06-01T07:59:59Z', 'UTC', undefined],
  ['2026-06-01T08:00:00Z', 'UTC', { day: '2026-06-01', weekly: true }],
  ['2026-06-01T23:59:59Z', 'UTC', { day: '2026-06-01', weekly: true }],
  ['2026-06-02T08:00:00Z', 'UTC', { day: '2026-06-02', weekly: false }],
  ['2026-05-31T23:59:00Z', 'Asia/Singapore', undefined],
  ['2026-06-01T00:00:00Z', 'Asia/Singapore', { day: '2026-06-01', weekly: true }],
  ['2026-06-01T08:00:00Z', 'America/New_York', undefined],
  ['2026-06-02T02:00:00Z', 'America/New_York', { day: '2026-06-01', weekly: true }],
  ['2026-06-01T05:00:00Z', 'Asia/Jerusalem', { day: '2026-06-01', weekly: true }],
  ['2026-12-07T05:59:00Z', 'Asia/Jerusalem', undefined], // winter time
])('at %s in %s the due digest is %j', (now, zone, due) => {
  expect(dueIn(zone, new Date(now))).toEqual(due && { zone, ...due })
})
