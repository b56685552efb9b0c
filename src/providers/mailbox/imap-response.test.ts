import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  literalSizeOf,
  readInternalDate,
  readPairs,
  readSet,
  readValues,
  toSearchDate,
  toSet,
} from './imap-response.ts'

const line = (text: string) => ({ line: Buffer.from(text, 'latin1') })
const read = (text: string) => readValues([line(text)])

test('atoms, strings, lists, NIL and literals are read', () => {
  expect(
    read('12 FETCH (FLAGS (\\Seen $Label) X "a \\"b\\" \\\\" NIL () BODY[HEADER.FIELDS (FROM TO)]<0> nil)'),
  ).toEqual([
    '12',
    'FETCH',
    ['FLAGS', ['\\Seen', '$Label'], 'X', Buffer.from('a "b" \\'), null, [], 'BODY[HEADER.FIELDS (FROM TO)]<0>', null],
  ])
  const literal = Buffer.from('a) "\r\n')
  expect(readValues([line('X (A {6}'), { literal }, line(' B ~{0}'), { literal: Buffer.alloc(0) }, line(')')])).toEqual(
    ['X', ['A', literal, 'B', Buffer.alloc(0)]],
  )
})

test.each(['(', ')', '"', '"a\\', '(()', 'a {5} b', '{5}', '('.repeat(50) + ')'.repeat(50)])(
  '%j is not IMAP',
  (text) => {
    expect(read(text)).toBeUndefined()
  },
)

test('whatever a server sends is read or refused', () => {
  const piece = fc.constantFrom('(', ')', '"', '\\', '{1}', '[', ']', ' ', 'NIL', 'a', '~', '\u00ff', '\u0000', '<0>')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void read(pieces.join(''))),
    { numRuns: 5_000 },
  )
})

test('a line of the greatest length is read, in a time that does not grow with its square', () => {
  for (const text of ['x', '\\\\', '(', '[', ']', ' 1', '"" ', 'NIL ']) {
    const many = text.repeat(262_144 / text.length)
    read(many)
    read(`"${many}"`)
    read(`"${many}`)
  }
}, 60_000) // reading back and forth would take much longer

test('a literal is announced at the end of a line', () => {
  expect(
    ['a {12}', 'a ~{0}', 'a {3+}', 'a {12} ', 'a {x}', '{99999999999}'].map((text) => literalSizeOf(Buffer.from(text))),
  ).toEqual([12, 0, 3, undefined, undefined, undefined])
})

test('sets are read and written', () => {
  expect(readSet('1:3,7,10:9', 100)).toEqual([1, 2, 3, 7, 9, 10])
  expect(readSet('1:4294967295', 1_000)).toBeUndefined()
  expect(readSet('1:*', 1_000)).toBeUndefined()
  expect(toSet([1, 2, 3, 7, 9, 10])).toBe('1:3,7,9:10')
})

test('dates are read with their zone, and written as days', () => {
  expect(readInternalDate(Buffer.from('17-Jul-1996 02:44:25 -0730'))).toEqual(new Date('1996-07-17T10:14:25Z'))
  expect(readInternalDate(Buffer.from(' 1-mar-2026 00:00:00 +0200'))).toEqual(new Date('2026-02-28T22:00:00Z'))
  for (const text of ['', '31-Foo-2026 00:00:00 +0000', '41-Mar-2026 00:00:00 +0000', '1-Mar-2026'])
    expect(readInternalDate(Buffer.from(text))).toBeNull()
  expect(toSearchDate(new Date('2026-03-01T23:59:59Z'))).toBe('1-Mar-2026')
  expect(toSearchDate(new Date(0))).toBe('1-Jan-1970')
})

test('items are pairs, with names in capitals', () => {
  expect(readPairs(['uid', '5', 'FLAGS', [], 'odd'])).toEqual(new Map<string, unknown>([['UID', '5'], ['FLAGS', []]]))
  expect(readPairs(null)).toEqual(new Map())
}) // biome-ignore format: pairs
