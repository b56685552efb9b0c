import { expect, test } from 'vitest'
import { type BindingScope, bindingsIn, forbiddenNames, resolve } from './bindings.ts'

const scope: BindingScope = {
  trigger: { total: 100.5, currency: 'SGD', customer: { name: 'Globex', tags: ['a', 'b'] }, nothing: null, no: false },
  blocks: new Map<string, unknown>([
    ['overdue', [{ id: 'd1', total: 7 }, { id: 'd2' }]],
    ['sum', 42],
    ['my.block', { ok: true }],
    ['my', { block: { ok: 'shadowed' } }],
  ]),
  item: { id: 'd1' },
  context: {
    now: '2026-11-15T08:00:00.000Z',
    today: '2026-11-15',
    weekday: 'sunday',
    orgId: 'o1',
    timezone: 'Asia/Singapore',
  },
}

test.each<[unknown, unknown]>([
  // A text that consists of one binding keeps the type of the value.
  ['{{trigger.total}}', 100.5],
  ['{{ trigger.total }}', 100.5],
  ['{{trigger.no}}', false],
  ['{{trigger.customer}}', { name: 'Globex', tags: ['a', 'b'] }],
  ['{{item.id}}', 'd1'],
  ['{{item}}', { id: 'd1' }],
  ['{{blocks.sum}}', 42],
  // Inside a longer text the value becomes text.
  ['Total: {{trigger.total}} {{trigger.currency}}', 'Total: 100.5 SGD'],
  [' {{trigger.total}}', ' 100.5'],
  ['{{trigger.customer.tags}}!', '["a","b"]!'],
  // A missing value becomes null, or an empty text inside a longer one.
  ['{{trigger.missing}}', null],
  ['{{trigger.nothing}}', null],
  ['{{trigger.missing.deeper}}', null],
  ['<{{trigger.missing}}{{trigger.nothing}}>', '<>'],
  ['{{nobody.knows}}', null],
  ['{{}}', null],
  // Lists: the size, the list, and one element.
  ['{{blocks.overdue.count}}', 2],
  ['{{blocks.overdue.items}}', [{ id: 'd1', total: 7 }, { id: 'd2' }]],
  ['{{blocks.overdue.0.total}}', 7],
  ['{{blocks.overdue.2.total}}', null],
  ['{{blocks.overdue.length}}', null],
  ['{{blocks.overdue.-1}}', null],
  // A block id may contain dots: the longest matching id is used.
  ['{{blocks.my.block.ok}}', true],
  // The start of the run and the organization.
  ['{{context.now}} {{context.today}} {{context.orgId}}', '2026-11-15T08:00:00.000Z 2026-11-15 o1'],
  // Days before and after the start of the run.
  ['{{context.today-3d}}', '2026-11-12'],
  ['{{ context.today+14d }}', '2026-11-29'],
  ['{{context.today-0d}}', '2026-11-15'],
  ['due by {{context.today+1d}}', 'due by 2026-11-16'],
  ['{{context.today-9999d}}', '1999-07-01'],
  ['{{context.today-10000d}}', null],
  ['{{context.today-3}}', null],
  ['{{context.today - 3d}}', null],
  ['{{context.today-3d.x}}', null],
  ['{{trigger.today-3d}}', null],
  // Fields of objects and elements of lists are resolved, other values stay.
  [
    { a: ['{{trigger.total}}', { b: 'x{{blocks.sum}}' }], c: 5, d: null },
    { a: [100.5, { b: 'x42' }], c: 5, d: null },
  ],
])('%j becomes %j', (given, expected) => {
  expect(resolve(given, scope)).toEqual(expected)
})

test.each([
  '{{trigger.constructor}}',
  '{{trigger.__proto__}}',
  '{{trigger.customer.constructor.name}}',
  '{{blocks.overdue.constructor}}',
  '{{trigger.toString}}',
  '{{trigger.hasOwnProperty}}',
  '{{context.__proto__.polluted}}',
  '{{item.prototype}}',
  '{{blocks.constructor}}',
  '{{constructor.constructor}}',
  '{{this}}',
  '{{7*7}}',
  '{{trigger["total"]}}',
  '{{trigger.total()}}',
])('THR-12: %s resolves to null', (text) => {
  expect(resolve(text, scope)).toBeNull()
})

test('THR-12: bindings in inserted values are not resolved', () => {
  const malicious = { ...scope, trigger: { total: '{{context.orgId}}', part: '{{' } }
  expect(resolve('{{trigger.total}}', malicious)).toBe('{{context.orgId}}')
  expect(resolve('a {{trigger.total}}', malicious)).toBe('a {{context.orgId}}')
  expect(resolve('{{trigger.part}}context.orgId}}', malicious)).toBe('{{context.orgId}}')
})

test('THR-12: a field named __proto__ stays a plain field', () => {
  const given = JSON.parse('{"__proto__": {"polluted": "{{trigger.total}}"}}')
  const resolved = resolve(given, scope) as object
  expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype)
  expect(Object.hasOwn(resolved, '__proto__')).toBe(true)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

test.each<[unknown, number]>([
  ['{{trigger.__proto__.x}}', 1],
  [{ deep: ['a {{ item.constructor }} b'] }, 1],
  [JSON.parse('{"a": {"__proto__": 1}}'), 1],
  ['{{trigger.total}}', 0],
  ['the constructor of __proto__', 0],
  [null, 0],
])('THR-12: %j has %i problems when saved', (value, count) => {
  expect(forbiddenNames(value, 'config')).toHaveLength(count)
})

test('bindingsIn finds all bindings of a value', () => {
  expect(bindingsIn({ a: '{{trigger.x}} and {{ item.y }}', b: [1, null, '{{blocks.z.0}}'] })).toEqual([
    'trigger.x',
    'item.y',
    'blocks.z.0',
  ])
})
