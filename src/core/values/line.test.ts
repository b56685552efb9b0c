import { expect, test } from 'vitest'
import { toLine } from './line.ts'

test.each([
  ['Acme Ltd', 'Acme Ltd'],
  ['  Acme \t Ltd ', 'Acme Ltd'],
  ['Acme\r\nBcc: eve@evil.test', 'Acme Bcc: eve@evil.test'],
  ['a\u0000b\u0085c\u2028d\u2029e', 'a b c d e'],
  ['invoice\u202efdp.exe', 'invoice fdp.exe'],
  ['חשבונית מס׳ 7\u200f', 'חשבונית מס׳ 7\u200f'],
  ['\r\n', ''],
])('THR-18: %j is the line %j', (text, line) => {
  expect(toLine(text)).toBe(line)
})

test('a text that is too long is cut at a whole character', () => {
  expect(toLine('x'.repeat(200))).toBe('x'.repeat(200))
  expect(toLine('😀'.repeat(6), 5)).toBe('😀😀😀😀…')
})
