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
      { path: 'name', message: 'name must not be empty.' },
    ])
  }
})

test('the message names an empty choice', () => {
  const [problem] = problemsOf(Type.Object({ inSystem: OneOf('true', 'false', '') }), { inSystem: 'maybe' })
  expect(problem?.message).toBe('inSystem must be one of true, false, empty.')
})

test('the message for a pattern shows its examples', () => {
  const code = Type.String({ pattern: '^[A-Z]{3}$', examples: ['USD', 'ILS'] })
  expect(problemsOf(code, 'x')[0]?.message).toBe('The body must look like USD or ILS.')
})

test('text with a character that cannot be stored is refused in these words', () => {
  expect(problemsOf(Type.String({ pattern: storable, examples: ['Late'] }), 'a\u0000')[0]?.message).toBe(
    'The body contains a character that cannot be stored (U+0000).',
  )
})
