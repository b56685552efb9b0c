import { isIPv4, isIPv6 } from 'node:net'

/**
 * The address that rate limits count by (RATE): an IPv4 address itself, also if it is mapped into IPv6, and for an IPv6
 * address its /64, which belongs to one customer of a provider, in canonical form.
 */
export function rateLimitAddress(address: string): string {
  const plain = address.split('%', 1)[0] ?? '' // without the zone of a link-local address
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return 'unknown'
  const groups = groupsOf(plain)
  if (isMapped(groups)) return groups.slice(6).flatMap(bytesOf).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

const isMapped = (groups: number[]) => groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff

const bytesOf = (group: number) => [group >> 8, group & 0xff]

/** The eight groups. The URL parser turns a dotted ending into groups and leaves at most one gap. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [numbersIn(head), numbersIn(tail ?? '')]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

const numbersIn = (text: string) =>
  text
    .split(':')
    .filter(Boolean)
    .map((group) => Number.parseInt(group, 16))
