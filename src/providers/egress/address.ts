import { isIP } from 'node:net'
import { parseUrl } from '../../core/values/url.ts'

/**
 * An address as 16 bytes, IPv4 in its mapped form (::ffff:a.b.c.d). An address has many spellings, so checks compare
 * bytes with prefixes and never text.
 */
export type Address = Uint8Array

export type Prefix = { bytes: Address; bits: number }

/** Parses an address; undefined for any other text, including zone ids (fe80::1%eth0). */
export function toAddress(text: string): Address | undefined {
  switch (isIP(text)) {
    case 4:
      return Uint8Array.from([...mappedPrefix.bytes.subarray(0, 12), ...text.split('.').map(Number)])
    case 6:
      return fromIPv6(text)
    default:
      return undefined
  }
}

/** The text to connect to, formatted from the checked bytes. */
export function toText(address: Address): string {
  if (isIPv4(address)) return address.subarray(12).join('.')
  return Array.from({ length: 8 }, (_, at) =>
    (((address[2 * at] ?? 0) << 8) | (address[2 * at + 1] ?? 0)).toString(16),
  ).join(':')
}

/** Parses `10.0.0.0/8` or `fc00::/7`; undefined for any other text, or if bits beyond the prefix length are set. */
export function toPrefix(text: string): Prefix | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const bytes = toAddress(address)
  if (!bytes) return undefined
  const bits = Number(length) + (isIP(address) === 4 ? 96 : 0)
  if (bits > 128 || !bytes.every((byte, at) => (byte & maskOf(bits, at)) === byte)) return undefined
  return { bytes, bits }
}

/** IPv4 addresses match IPv4 prefixes only: `::/8` contains their mapped form, but does not mean them. */
export const isWithin = (address: Address, { bytes, bits }: Prefix): boolean =>
  (bits >= mappedPrefix.bits || !isIPv4(address)) &&
  address.every((byte, at) => (byte & maskOf(bits, at)) === bytes[at])

export const isIPv4 = (address: Address): boolean => isWithin(address, mappedPrefix)

export const isSame = (one: Address, other: Address): boolean => one.every((byte, at) => byte === other[at])

/** Whether an address is on the public internet: IPv4 outside the reserved blocks, or global IPv6 without an embedded IPv4. */
export function isPublic(address: Address): boolean {
  if (isIPv4(address)) return !reservedIPv4.some((prefix) => isWithin(address, prefix))
  return isWithin(address, globalIPv6) && !reservedIPv6.some((prefix) => isWithin(address, prefix))
}

export const isLoopback = (address: Address): boolean => loopback.some((prefix) => isWithin(address, prefix))

/**
 * Whether an address is a metadata service, where clouds provide credentials. Includes IPv6 addresses that embed its IPv4
 * address in their last four bytes (mapped, compatible, NAT64) or as 6to4.
 */
export function isMetadata(address: Address): boolean {
  const embedded = [address.subarray(12), ...(isWithin(address, sixToFour) ? [address.subarray(2, 6)] : [])]
  return (
    metadataIPv6.some((metadata) => isSame(address, metadata)) ||
    embedded.some((four) => metadataIPv4.some((metadata) => four.every((byte, at) => byte === metadata[12 + at])))
  )
}

/** WHATWG normalizes an IPv6 address to hexadecimal groups with at most one `::`. */
function fromIPv6(text: string): Address | undefined {
  const url = parseUrl(`http://[${text}]/`)
  if (!url) return undefined
  const [before = '', after] = url.hostname.slice(1, -1).split('::')
  const [head, tail] = [groupsOf(before), groupsOf(after ?? '')]
  const groups = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}

const groupsOf = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))

/** The bits of byte `at` that a prefix of that many bits fixes. */
const maskOf = (bits: number, at: number) => (0xff << (8 - Math.min(8, Math.max(0, bits - at * 8)))) & 0xff

/** Requires that a constant parses: the tables below are parsed when the program starts. */
const required = <T>(parsed: T | undefined): T => {
  if (!parsed) throw new Error('A constant table of addresses contains an invalid one.')
  return parsed
}
const prefixes = (...texts: string[]) => texts.map((text) => required(toPrefix(text)))

const mappedPrefix: Prefix = { bytes: Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0]), bits: 96 }

// IANA's special-purpose registries (RFC 6890 and its successors).
const reservedIPv4 = prefixes(
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '168.63.129.16/32', // Azure's metadata, in the middle of public space
)
const globalIPv6 = required(toPrefix('2000::/3'))
const reservedIPv6 = prefixes(
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries an IPv4 address
  '3fff::/20', // documentation
)
const sixToFour = required(toPrefix('2002::/16'))
const loopback = prefixes('127.0.0.0/8', '::1/128')

const metadataIPv4 = ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'].map(
  (text) => required(toAddress(text)),
)
const metadataIPv6 = ['fd00:ec2::254', 'fd20:ce::254'].map((text) => required(toAddress(text)))
