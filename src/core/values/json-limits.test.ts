import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonProblem } from './json-limits.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const keyed = (keys: number) => JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, n])))

test.each([
  ['nothing', ''],
  ['a number', '1'],
  ['32 levels', nested(32)],
  ['many brackets side by side', `[${'[],'.repeat(1000)}{}]`],
  ['brackets in a string', JSON.stringify('['.repeat(100))],
  ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(100)}`)],
  ['brackets after a backslash', `["\\\\",${JSON.stringify('{'.repeat(100))}]`],
  ['10000 keys', keyed(10_000)],
  ['colons in a string', JSON.stringify(':'.repeat(20_000))],
  ['constructor and prototype', '{"constructor": {"prototype": 1}}'],
  ['__proto__ as a value', '{"a": "__proto__"}'],
  ['__proto__ in a longer key', '{"my__proto__": 1, "__proto__2": 1}'],
  ['an escaped backslash', '{"\\\\u005f_proto__": 1}'],
  ['an unfinished string', '{"a": "'],
  ['large and small numbers', '[1e308, -1.7976931348623157e308, 1e-999, 0e999, 12, true, false]'],
  ['a long number', `[${'9'.repeat(308)}, 0.${'0'.repeat(400)}1]`],
  ['1e309 in a string', '{"1e309": "1e309 \\" 1e309"}'],
])('%s may be parsed', (_, text) => {
  expect(jsonProblem(text)).toBeUndefined()
})

test.each([
  ['33 levels', nested(33), /nested/],
  ['33 levels of objects', '{"a":'.repeat(33), /nested/],
  ['a hundred thousand levels', nested(100_000), /nested/],
  ['10001 keys', keyed(10_001), /keys/],
  ['__proto__', '{"__proto__": {}}', /__proto__/],
  ['__proto__ deep down and spaced out', '{"a": [{"b": 1, "__proto__"\n\t : 1}]}', /__proto__/],
  ['__proto__ with an escape', '{"\\u005f_proto__": {}}', /__proto__/],
  ['__proto__ all in escapes', '{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f": {}}', /__proto__/],
  ['1e309', '{"a": [{"b": 1e309}]}', /too large/],
  ['-1e309', '[-1e309]', /too large/],
  ['1E+400', '1E+400', /too large/],
  ['a number of 400 digits', `{"a":${'9'.repeat(400)}}`, /too large/],
  ['a number of 400 digits with a fraction', `[-${'9'.repeat(400)}.5]`, /too large/],
])('%s may not be parsed', (_, text, problem) => {
  expect(jsonProblem(text)).toMatch(problem)
})

test('JSON within the limits is never refused, however it is spaced', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20, noUnicodeString: false }), fc.constantFrom(0, 1, 4), (value, spaces) => {
      const text = JSON.stringify(value, null, spaces)
      if (!text.includes('__proto__')) expect(jsonProblem(text)).toBeUndefined()
    }),
  )
})

test.each([
  [
    'rows',
    JSON.stringify(Array.from({ length: 1900 }, (_, n) => ({ id: n, description: `Line number ${n}`, price: 1.5 }))),
  ],
  ['backslashes', `"${'\\\\'.repeat(50_000)}"`],
  ['escaped quotes', `"${'\\"'.repeat(50_000)}"`],
  ['colons after a long key', `{"${'\\u005f'.repeat(15_000)}"${':'.repeat(9_999)}`],
  ['empty strings', `[${'"",'.repeat(33_000)}1]`],
])('100 kB of %s take milliseconds at most', (_, text) => {
  expect(text.length).toBeGreaterThan(90_000)
  const once = () => {
    const start = performance.now()
    jsonProblem(text)
    return performance.now() - start
  }
  // The best of many: what is measured is the work, not what else the machine was doing.
  expect(Math.min(...Array.from({ length: 50 }, once))).toBeLessThan(5)
})
