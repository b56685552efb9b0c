import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLoopback, isMetadata, isPublic, isSame, isWithin, toAddress, toPrefix, toText } from './address.ts'

const address = (text: string) => {
  const bytes = toAddress(text)
  if (!bytes) throw new Error(`${text} is no address`)
  return bytes
}

// The first and the last address of each block of rule 4, and their public neighbours.
const blocks = [
  { block: '0/8', inside: ['0.0.0.0', '0.255.255.255'], outside: ['1.0.0.0'] },
  { block: '10/8', inside: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
  { block: '100.64/10', inside: ['100.64.0.0', '100.127.255.255'], outside: ['100.63.255.255', '100.128.0.0'] },
  { block: '127/8', inside: ['127.0.0.0', '127.255.255.255'], outside: ['126.255.255.255', '128.0.0.0'] },
  { block: '169.254/16', inside: ['169.254.0.0', '169.254.255.255'], outside: ['169.253.255.255', '169.255.0.0'] },
  { block: '172.16/12', inside: ['172.16.0.0', '172.31.255.255'], outside: ['172.15.255.255', '172.32.0.0'] },
  { block: '192.0.0/24', inside: ['192.0.0.0', '192.0.0.255'], outside: ['191.255.255.255', '192.0.1.0'] },
  { block: '192.0.2/24', inside: ['192.0.2.0', '192.0.2.255'], outside: ['192.0.1.255', '192.0.3.0'] },
  { block: '192.88.99/24', inside: ['192.88.99.0', '192.88.99.255'], outside: ['192.88.98.255', '192.88.100.0'] },
  { block: '192.168/16', inside: ['192.168.0.0', '192.168.255.255'], outside: ['192.167.255.255', '192.169.0.0'] },
  { block: '198.18/15', inside: ['198.18.0.0', '198.19.255.255'], outside: ['198.17.255.255', '198.20.0.0'] },
  { block: '198.51.100/24', inside: ['198.51.100.0', '198.51.100.255'], outside: ['198.51.99.255', '198.51.101.0'] },
  { block: '203.0.113/24', inside: ['203.0.113.0', '203.0.113.255'], outside: ['203.0.112.255', '203.0.114.0'] },
  { block: '224/4', inside: ['224.0.0.0', '239.255.255.255'], outside: ['223.255.255.255'] },
  { block: '240/4', inside: ['240.0.0.0', '255.255.255.254', '255.255.255.255'], outside: [] },
]

test.each(blocks)(
  'SSRF-4 $block is closed to its edges, and nothing beside it, mapped or not',
  ({ inside, outside }) => {
    for (const text of inside) {
      expect([text, isPublic(address(text)), isPublic(address(`::ffff:${text}`))]).toEqual([text, false, false])
    }
    for (const text of outside) {
      expect([text, isPublic(address(text)), isPublic(address(`::ffff:${text}`))]).toEqual([text, true, true])
    }
  },
)

const metadata = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192']

test.each([
  ...metadata,
  ...metadata.map((text) => `::ffff:${text}`),
  ...metadata.map((text) => `::${text}`),
  ...metadata.map((text) => `64:ff9b::${text}`),
  ...metadata.map((text) => `64:ff9b:1::${text}`),
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  'fd20:ce::254',
])('SSRF-4 %s is a metadata address in every encoding', (text) => {
  expect(isMetadata(address(text))).toBe(true)
  expect(isPublic(address(text))).toBe(false)
})

test('SSRF-4 an ordinary address is not a metadata address', () => {
  for (const text of ['8.8.8.8', '10.0.0.1', '127.0.0.1', '169.254.169.253', '2606:4700::1111', '::1']) {
    expect([text, isMetadata(address(text))]).toEqual([text, false])
  }
})

const closed6 = [
  ...['::', '::1', '::2', '::7f00:1', '::127.0.0.1', '::8.8.8.8'], // unspecified, loopback, compatible
  ...['::ffff:0:7f00:1', '::ffff:0:808:808'], // translated
  ...['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'], // NAT64
  ...['100::1', '100:0:0:1::1', '5f00::1', '1fff:ffff::'], // discard, segments, below 2000::/3
  ...['2001::', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:1ff:ffff::'], // Teredo and the rest of 2001::/23
  ...['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'], // 6to4
  ...['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['4000::', 'fbff::1', 'fc00::1', 'fd12:3456::1', 'fdff:ffff::', 'fe80::1', 'febf::1', 'fec0::1', 'feff::1'],
  ...['ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]
const open6 = [
  '2000::',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700::1111',
  '2a00::1',
  '3ffe::1',
  '3fff:1000::',
  '3fff:ffff::1',
]

test.each(closed6)('SSRF-5 %s is not public', (text) => expect(isPublic(address(text))).toBe(false))
test.each(open6)('SSRF-5 %s is public', (text) => expect(isPublic(address(text))).toBe(true))

test.each([
  '',
  'fe80::1%eth0',
  '::1%lo',
  '1.2.3',
  '127.1',
  '0x7f.0.0.1',
  '010.0.0.1',
  '127.0.0.1.',
  '[::1]',
  ':::',
  '1::2::3',
  '256.1.1.1',
  ' 127.0.0.1',
])('SSRF-2 "%s" is not parsed as an address', (text) => expect(toAddress(text)).toBeUndefined())

test('SSRF-2 every spelling of an address gives the same bytes, and its text parses to them again', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const bytes = address(text)
      expect(isIP(toText(bytes))).toBeGreaterThan(0)
      for (const other of [text.toUpperCase(), toText(bytes), new URL(`http://[${text}]`).hostname.slice(1, -1)]) {
        expect(isSame(address(other), bytes)).toBe(true)
      }
    }),
  )
  fc.assert(
    fc.property(fc.ipV4(), (text) => {
      expect(toText(address(text))).toBe(text)
      expect(isSame(address(`::ffff:${text}`), address(text))).toBe(true)
      expect(isSame(address(new URL(`http://[::ffff:${text}]`).hostname.slice(1, -1)), address(text))).toBe(true)
    }),
  )
})

test('SSRF-10 loopback is 127/8 and ::1, also in mapped form, and nothing else', () => {
  for (const text of ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])
    expect(isLoopback(address(text))).toBe(true)
  for (const text of ['0.0.0.0', '::', '::127.0.0.1', '128.0.0.1', '64:ff9b::7f00:1'])
    expect(isLoopback(address(text))).toBe(false)
})

test('a prefix covers exactly its bits, and an IPv6 prefix never covers IPv4', () => {
  for (const text of [
    '10.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::1/64',
    '::/129',
    'ten/8',
    '/8',
  ]) {
    expect([text, toPrefix(text)]).toEqual([text, undefined])
  }
  const everyIPv6 = toPrefix('::/0')
  const block = toPrefix('172.16.0.0/12')
  if (!everyIPv6 || !block) throw new Error('These are prefixes.')
  expect(isWithin(address('2606::1'), everyIPv6)).toBe(true)
  expect(isWithin(address('10.0.0.1'), everyIPv6)).toBe(false)
  expect(
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'].map((text) => isWithin(address(text), block)),
  ).toEqual([false, true, true, false])
})
