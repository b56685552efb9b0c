import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test.each([
  ['{"b": 1, "a": 2}', '{"a":2,"b":1}'],
  [' [ 1 , [ ] , { } , null , true ] ', '[1,[],{},null,true]'],
  ['{"a":{"d":1,"c":[{"f":0,"e":0}]}}', '{"a":{"c":[{"e":0,"f":0}],"d":1}}'],
  ['1.0', '1.0'],
  ['[1, 1.0, 1e0, -0, 9007199254740993]', '[1,1.0,1e0,-0,9007199254740993]'],
  ['"\\u0041\\/\\u00e9"', '"A/é"'],
  ['{"\\u0062":1,"a":2}', '{"a":2,"b":1}'],
  ['"a \\" b, c: {"', '"a \\" b, c: {"'],
  ['"\\\\"', '"\\\\"'],
  ['{"a":1,"a":2}', '{"a":2}'],
  ['{"10":1,"9":2}', '{"10":1,"9":2}'],
  ['\r\n\t{}\n', '{}'],
])('%s becomes %s', (text, expected) => {
  expect(canonicalJson(text)).toBe(expected)
})

const json = fc.jsonValue({ maxDepth: 6 })

test('the canonical text means the same, and is its own canonical text', () => {
  fc.assert(
    fc.property(json, fc.constantFrom('', '  ', '\t', '\n'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      const canonical = canonicalJson(text)
      expect(JSON.parse(canonical)).toEqual(JSON.parse(text))
      expect(canonicalJson(canonical)).toBe(canonical)
    }),
  )
})

test('neither the order of keys nor white space nor escaping makes a difference', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), json), (members) => {
      const turned = Object.fromEntries(Object.entries(members).reverse())
      const escaped = JSON.stringify(turned, null, 2).replace(
        /[^\0-\x7f]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      expect(canonicalJson(escaped)).toBe(canonicalJson(JSON.stringify(members)))
    }),
  )
})

test('different values have different canonical texts', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
      if (canonicalJson(a) === canonicalJson(b)) expect(JSON.parse(a)).toEqual(JSON.parse(b))
    }),
  )
})
