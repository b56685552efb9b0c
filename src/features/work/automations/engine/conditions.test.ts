import { expect, test } from 'vitest'
import type { BindingScope } from './bindings.ts'
import { conditionProblems, holds, passes } from './conditions.ts'

/** The table of docs/automations.md. */
test.each<[unknown, Parameters<typeof holds>[0], unknown, boolean]>([
  // Numbers compare with numeric text.
  [100, 'eq', '100', true],
  ['100', 'eq', 100, true],
  [100, 'eq', '100.0', true],
  [100, 'ne', '100', false],
  [9, 'lt', '10', true],
  ['9', 'lt', 10, true],
  [100.5, 'gte', 100.5, true],
  [100, 'gt', 100, false],
  [-1, 'lte', '-1', true],
  [100, 'eq', 'a hundred', false],
  [100, 'eq', '', false],
  [0, 'eq', '', false],
  // Two texts compare as text, case-sensitive.
  ['007', 'eq', '7', false],
  ['a', 'eq', 'A', false],
  ['9', 'gt', '10', true],
  ['apple', 'lt', 'banana', true],
  // Two days compare as days and two instants as points in time. A day and an instant compare as days in Singapore.
  ['2026-01-31', 'lt', '2026-02-01', true],
  ['2026-01-31', 'eq', '2026-01-31T00:00:00Z', true],
  ['2026-01-31', 'eq', '2026-01-31T15:59:59.999Z', true],
  ['2026-01-31', 'eq', '2026-01-31T16:00:00Z', false],
  ['2026-01-31', 'lt', '2026-01-31T16:00:00Z', true],
  ['2026-01-30T16:00:00Z', 'gte', '2026-01-31', true],
  ['2026-01-31', 'in', ['2026-01-30T16:00:00Z'], true],
  ['2026-01-31', 'nin', ['2026-01-30T16:00:00Z'], false],
  [['2026-01-30T16:00:00Z'], 'contains', '2026-01-31', true],
  ['2026-01-30T16:00:00Z', 'contains', '2026-01-31', false],
  ['2026-01-31T08:00:00+08:00', 'eq', '2026-01-31T00:00:00.000Z', true],
  ['2026-01-31T00:00:00.1239Z', 'eq', '2026-01-31T00:00:00.123Z', true],
  ['2026-01-31T00:00:00.124Z', 'gt', '2026-01-31T00:00:00.123Z', true],
  ['2026-01-31t00:00z', 'eq', '2026-01-31T00:00:00Z', true],
  // Impossible days and instants are text.
  ['2026-13-31', 'lt', '2026-14-01', true],
  ['2026-02-30', 'eq', '2026-03-02', false],
  ['2026-02-30', 'lt', '2026-03-01', true],
  ['2026-02-30', 'eq', '2026-02-30', true],
  ['2026-01-31T25:00:00Z', 'gt', '2026-01-31T24:30:00+09:00', true],
  ['2026-01-31T23:59:60Z', 'eq', '2026-01-31T23:59:59Z', false],
  ['0000-01-01', 'eq', '0000-01-01T00:00:00Z', false],
  // Booleans compare with the texts true and false.
  [true, 'eq', 'true', true],
  ['false', 'eq', false, true],
  [true, 'eq', 'yes', false],
  [true, 'ne', false, true],
  // A missing value equals only a missing value, and is neither greater nor less than any value.
  [null, 'eq', null, true],
  [undefined, 'eq', null, true],
  [null, 'eq', '', false],
  [null, 'eq', 0, false],
  [null, 'ne', 1, true],
  [null, 'lt', 1, false],
  [null, 'gte', null, false],
  [1, 'gt', null, false],
  // Lists and objects are equal if their contents are equal, and have no order.
  [{ a: 1, b: 2 }, 'eq', { b: 2, a: 1 }, true],
  [[1, 2], 'eq', [1, 2], true],
  [[1, 2], 'eq', [2, 1], false],
  [[2], 'gt', [1], false],
  // in, nin
  ['SGD', 'in', ['USD', 'SGD'], true],
  [100, 'in', ['100'], true],
  ['EUR', 'in', ['USD'], false],
  ['EUR', 'in', [], false],
  ['EUR', 'in', 'EUR', true],
  ['EUR', 'nin', ['USD'], true],
  ['USD', 'nin', ['USD'], false],
  [null, 'in', ['USD'], false],
  // contains: in text and in lists
  ['Globex Ltd', 'contains', 'Ltd', true],
  ['Globex Ltd', 'contains', 'ltd', false],
  [12345, 'contains', 34, true],
  [['a', 5], 'contains', '5', true],
  [['a'], 'contains', 'b', false],
  [null, 'contains', 'a', false],
  ['a', 'contains', null, false],
  [{ a: 1 }, 'contains', 'a', false],
  // exists, empty
  ['', 'exists', undefined, true],
  [0, 'exists', undefined, true],
  [false, 'exists', undefined, true],
  [null, 'exists', undefined, false],
  [undefined, 'exists', undefined, false],
  [null, 'empty', undefined, true],
  ['', 'empty', undefined, true],
  [[], 'empty', undefined, true],
  [{}, 'empty', undefined, true],
  [0, 'empty', undefined, false],
  [false, 'empty', undefined, false],
  [' ', 'empty', undefined, false],
])('%j %s %j is %s', (left, op, right, expected) => {
  expect(holds(op, left, right, 'Asia/Singapore')).toBe(expected)
})

const scope: BindingScope = {
  trigger: { total: 100, currency: 'SGD' },
  blocks: new Map(),
  item: { open: 5 },
  context: { now: '', today: '2026-11-15', weekday: 'sunday', orgId: '', timezone: 'Asia/Singapore' },
}
const more = { left: '{{trigger.total}}', op: 'gt', right: 50 }
const less = { left: '{{trigger.total}}', op: 'lt', right: '50' }

test.each<[unknown, boolean]>([
  [null, true],
  [undefined, true],
  [{}, true],
  [more, true],
  [less, false],
  [{ left: '{{item.open}}', op: 'eq', right: '5' }, true],
  [{ left: '{{trigger.missing}}', op: 'exists' }, false],
  [{ left: '{{context.today}}', op: 'lt', right: '2026-12-01' }, true],
  [{ all: [more, less] }, false],
  [{ all: [more, more] }, true],
  [{ all: [] }, true],
  [{ any: [less, more] }, true],
  [{ any: [less] }, false],
  [{ any: [] }, false],
  [{ not: less }, true],
  [{ not: { all: [more, { not: less }] } }, false],
])('the condition %j passes: %s', (cond, expected) => {
  expect(passes(cond, scope)).toBe(expected)
})

const nested = (depth: number): object => (depth === 0 ? more : { not: nested(depth - 1) })

test.each<[unknown, number]>([
  [more, 0],
  [{ left: 1, op: 'exists' }, 0],
  [{ all: [more, { any: [less] }, { not: more }] }, 0],
  [{}, 0],
  [{ left: 1, op: 'like', right: 2 }, 1],
  [{ op: 'eq' }, 1],
  [{ left: 1 }, 1],
  [{ all: more }, 1],
  [{ all: [more], any: [more] }, 1],
  [{ ...more, also: 1 }, 1],
  ['always', 1],
  [[more], 1],
  [{ all: [{ left: 1, op: 'like' }, 'x'] }, 2],
  [nested(16), 0],
  [nested(17), 1],
])('the condition %j has %i problems when saved', (cond, count) => {
  expect(conditionProblems(cond, 'cond')).toHaveLength(count)
})
