import { expect, test } from 'vitest'
import { Currency, Email, Id, NonEmpty, nullable, OneOf, Type } from '../define/schema.ts'
import { problemsOf } from '../define/validate.ts'
import { example } from './example.ts'

const cases = [
  ['the word a closed set begins with', OneOf('PENDING', 'ACTIVE'), 'PENDING'],
  ['the first example', Currency, 'USD'],
  ['a value where null may stand', nullable(Email), 'amy@example.com'],
  ['a value where null may stand beside a union', nullable(Type.Union([Email, Type.Literal('')])), 'amy@example.com'],
  ['the default', Type.Integer({ default: 25 }), 25],
  ['text long enough', Type.String({ minLength: 8 }), 'xxxxxxxx'],
  ['text short enough', Type.String({ maxLength: 2 }), 'Te'],
  ['a number within its limits', Type.Number({ exclusiveMinimum: 5 }), 5.01],
  ['as many entries as needed', Type.Array(NonEmpty, { minItems: 2 }), ['Text', 'Text']],
  [
    'required fields only',
    Type.Object({ id: Id, name: Type.Optional(NonEmpty) }),
    { id: '01990000-0000-7000-8000-000000000001' },
  ],
  [
    'ids in lists of ids',
    Type.Object({ customerIds: Type.Array(Id) }),
    { customerIds: ['01990000-0000-7000-8000-000000000001'] },
  ],
] as const

test.each(cases)('an example shows %s', (_, schema, expected) => {
  expect(example(schema)).toEqual(expected)
})

test('an example belongs to its caller: changing it changes no other', () => {
  const schema = Type.Array(Id, { examples: [['a', 'b']] })
  ;(example(schema) as string[])[0] = 'changed'
  expect(example(schema)).toEqual(['a', 'b'])
})

test('optional fields are shown when asked for', () => {
  const schema = Type.Object({ name: NonEmpty, notes: Type.Optional(NonEmpty) })
  expect(Object.keys(example(schema, { optional: true }))).toEqual(['name', 'notes'])
})

test('the example of a recursive schema is finite', () => {
  const node = Type.Cyclic(
    { Node: Type.Object({ id: Id, parts: Type.Optional(Type.Array(Type.Ref('Node'))) }) },
    'Node',
  )
  expect(problemsOf(node, example(node, { optional: true }))).toEqual([])
})

test('a pattern without examples is an error that names the field', () => {
  expect(() => example(Type.Object({ code: Type.String({ pattern: '^[0-9]{3}-[A-Z]$' }) }))).toThrow('code')
})
