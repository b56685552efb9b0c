import { expect, test } from 'vitest'
import { mailName, withoutLinks } from './mail-name.ts'

test.each([
  ['Dana Levi', 'Dana Levi'],
  ['Acme Ltd.', 'Acme Ltd.'],
  ['St. John & Sons, Inc.', 'St. John & Sons, Inc.'],
  ['דנה לוי בע״מ', 'דנה לוי בע״מ'],
  ['.NET Friends', '.NET Friends'],
  ['J.R. Smith', 'J. R. Smith'],
  ['Booking.com B.V.', 'Booking. com B. V.'],
])('the name %j is written %j', (name, written) => {
  expect(mailName(name, 'nobody')).toBe(written)
})

test.each([
  ['Visit http://evil.example now', 'Visit now'],
  ['HTTPS://evil.example/path?x=1#y', 'nobody'],
  ['ftp://evil.example', 'nobody'],
  ['Win at evil.example/prize', 'Win at evil. example/prize'],
  ['www.evil.example', 'www. evil. example'],
  ['evil。example', 'evil。 example'],
  ['evil．example', 'evil． example'],
  ['пример.рф', 'пример. рф'],
  ['10.0.0.1', '10. 0. 0. 1'],
  ['bob@evil.example', 'bob @ evil. example'],
  ['mailto:bob@evil', 'mailto:bob @ evil'],
  ['http:\\\\evil.example', 'nobody'],
  ['//evil.example', 'evil. example'],
  ['http://a http://b', 'nobody'],
  ['a\r\nBcc: eve@evil.example', 'a Bcc: eve @ evil. example'],
])('THR-18: the name %j has no link when it is written', (name, written) => {
  expect(mailName(name, 'nobody')).toBe(written)
})

test('THR-18: a name is cut to 60 characters', () => {
  expect(mailName('x'.repeat(60), 'nobody')).toBe('x'.repeat(60))
  expect(mailName('x'.repeat(61), 'nobody')).toBe(`${'x'.repeat(59)}…`)
  expect([...mailName('\u{1f4a5}'.repeat(200), 'nobody')]).toHaveLength(60)
  expect([...mailName('a.'.repeat(200), 'nobody')].length).toBeLessThanOrEqual(60)
})

test('a sentence keeps its length and loses its links', () => {
  expect(withoutLinks(`${'word '.repeat(20)}see https://evil.example.`)).toBe(`${'word '.repeat(20)}see`)
})
