import { expect, test } from 'vitest'
import { Instant, NonEmpty, OneOf, storable, Type } from './schema.ts'
import { problemsOf } from './validate.ts'

test.each([
  '2026-01-31T08:00Z',
  '2026-01-31T08:00:00Z',
  '2028-02-29T23:59:59.999999999Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
])('%s is an instant', (text) => {
  expect(problemsOf(Instant, text)).toEqual([])
})

test.each([
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-04-31T12:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-10T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T23:60:00Z',
  '2026-01-31T23:59:60Z',
  '2026-01-31',
  '2026-01-31T08:00:00+02:00',
])('%s is not an instant', (text) => {
  expect(problemsOf(Instant, text)).toHaveLength(1)
})

test('text of spaces is refused as empty, with one message', () => {
  for (const text of ['', ' ', '\n\t']) {
    expect(problemsOf(Type.Object({ name: NonEmpty }), { name: text })).toEqual([
      { path: 'name', message: 'name must not be empty.', code: 'EMPTY' },
    ])
  }
})

test('the message names an empty choice', () => {
  const [problem] = problemsOf(Type.Object({ inSystem: OneOf('true', 'false', '') }), { inSystem: 'maybe' })
  expect(problem?.message).toBe('inSystem must be one of true, false, empty.')
})

test('the message for a pattern says what it allows, or shows its examples', () => {
  const code = Type.String({ pattern: '^[A-Z]{3}$', examples: ['USD', 'ILS'] })
  expect(problemsOf(code, 'x')[0]?.message).toBe('The body must be three capital letters, such as USD or ILS.')
  const other = Type.String({ pattern: '^[A-Z]{7}$', examples: ['USD', 'ILS'] })
  expect(problemsOf(other, 'x')[0]?.message).toBe('The body must look like USD or ILS.')
  expect(problemsOf(Type.String({ pattern: '^[A-Z]{7}$' }), 'x')[0]?.message).toBe(
    'The body does not have the allowed form.',
  )
})

const to = Type.Union([
  Type.String({ minLength: 2 }),
  Type.Array(Type.String(), { minItems: 1 }),
  Type.Object({ id: Type.String() }),
  Type.Null(),
])
test.each([
  [7, ['to must be text, a list, an object with id or null.']],
  ['x', ['to must have at least 2 characters.']],
  [[], ['to must have at least 1 entry.']],
  [[7], ['to.0 must be text.']],
  [{}, ['to.id is missing.']],
])('a value that fits no form of a union: %j', (value, messages) => {
  expect(problemsOf(Type.Object({ to }), { to: value }).map(({ message }) => message)).toEqual(messages)
})

test('a value that may have two forms is told both', () => {
  const twice = Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])
  expect(problemsOf(twice, {}).map(({ message }) => message)).toEqual([
    'The body must be an object with a or an object with b.',
  ])
  expect(problemsOf(Type.Array(twice), [{}, { b: 'x' }, { a: 7 }]).map(({ path }) => path)).toEqual(['0', '2'])
})

test('text with a character that cannot be stored is refused in these words', () => {
  expect(problemsOf(Type.String({ pattern: storable, examples: ['Late'] }), 'a\u0000')[0]?.message).toBe(
    'The body contains a character that cannot be stored (U+0000).',
  )
})

const booked = Type.Object({
  name: Type.String({ maxLength: 3 }),
  kind: Type.Optional(OneOf('A', 'B')),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  email: Type.Optional(Type.String({ format: 'email' })),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 1, uniqueItems: true })),
})
test.each([
  [{}, { code: 'REQUIRED' }],
  [{ name: 'long' }, { code: 'TOO_LONG', params: { max: 3 } }],
  [{ name: 7 }, { code: 'TYPE', params: { types: ['string'] } }],
  [
    { name: 'a', kind: 'C' },
    { code: 'NOT_ALLOWED', params: { values: ['A', 'B'] } },
  ],
  [
    { name: 'a', count: 0 },
    { code: 'TOO_SMALL', params: { min: 1 } },
  ],
  [
    { name: 'a', count: 10 },
    { code: 'TOO_LARGE', params: { max: 9 } },
  ],
  [
    { name: 'a', email: 'at home' },
    { code: 'FORMAT', params: { format: 'email' } },
  ],
  [
    { name: 'a', tags: ['x', 'y'] },
    { code: 'TOO_MANY', params: { max: 1 } },
  ],
  [{ name: 'a', colour: 'red' }, { code: 'UNKNOWN_FIELD' }],
])('%j is refused with a code and the values of its message', (value, refused) => {
  const [{ path: _, message: __, ...rest } = {}, ...more] = problemsOf(booked, value)
  expect([rest, more]).toEqual([refused, []])
})
