import { expect, test } from 'vitest'
import { toAddress } from './address.ts'

test.each([
  ['amy@example.com', 'amy@example.com'],
  ['Amy.Lee+books@Example.COM', 'Amy.Lee+books@example.com'],
  ["o'neil@example.co.uk", "o'neil@example.co.uk"],
  ['bounce+amy=example.com@list.example', 'bounce+amy=example.com@list.example'],
  ['דואר@example.com', undefined],
  ['office@דוגמה.co.il', 'office@xn--6dbbec0c.co.il'],
  ['office@bücher.example', 'office@xn--bcher-kva.example'],
  ['office@xn--bcher-kva.example', 'office@xn--bcher-kva.example'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('THR-18: %s is the address %s', (text, address) => {
  expect(toAddress(text)).toBe(address)
})

test.each([
  '', '@', 'amy', 'amy@', '@example.com', 'amy@example', 'amy@localhost', ' amy@example.com', 'amy@example.com ',
  'amy@example.com\r\nBcc: eve@evil.test', 'amy\n@example.com', 'amy@exam\nple.com', 'amy@example.com\u0000', 'amy@example.com\u2028',
  'amy@example.com,eve@evil.test', 'amy@example.com;eve@evil.test', 'amy@example.com eve@evil.test', 'amy@example.com@evil.test',
  '<amy@example.com>', 'Amy <amy@example.com>', '"amy"@example.com', '"amy@evil.test"@example.com', '"a\\"b"@example.com',
  'amy(comment)@example.com', 'amy@example.com(comment)', '@relay.test:amy@example.com', 'relay.test!amy@example.com',
  'amy%evil.test@example.com', 'amy@[127.0.0.1]', 'amy@[IPv6:::1]', 'amy@127.0.0.1', 'amy@0x7f.1', 'amy@2130706433',
  '=?utf-8?q?eve=40evil.test=3e?=@example.com', '=?utf-7?q?&AG0-?=@example.com', '|id@example.com', '`id`@example.com',
  '-oQ/tmp@example.com', '/etc/passwd@example.com', '.amy@example.com', 'amy.@example.com', 'a..b@example.com',
  'amy@.example.com', 'amy@example..com', 'amy@example.com.', 'amy@-example.com', 'amy@example-.com', 'amy@exa_mple.com',
  'amy@ex%61mple.com', 'amy@example.com/x', 'amy@example.com?x', 'amy@example.com#x', 'amy@exa\u00admple.com',
  'amy@exa\u200bmple.com', 'amy＠example.com', 'amy@example.c', `${'a'.repeat(65)}@example.com`,
  `amy@${'a'.repeat(64)}.com`, `amy@${'a.'.repeat(130)}com`, 'amy@xn--.com', 'amy@\u202eexample.com',
])('THR-18: %j is not an address that mail can be sent to', (text) => {
  expect(toAddress(text)).toBeUndefined()
}) // biome-ignore format: a corpus
