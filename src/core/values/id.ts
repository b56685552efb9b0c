import { hash, hkdfSync, type KeyObject, randomFillSync, randomInt } from 'node:crypto'
import { V7Generator } from 'uuidv7'

// Ordered by time, also within a millisecond, so that rows sort in the order in which they were made.
export const newId = (): string => ids.generate().toString()

// Any UUID. Other text would make PostgreSQL fail where "not found" is the right answer.
export const isId = (text: string): boolean => uuid.test(text)

// Random text for secrets: 5.95 bits per character, so 43 characters have 256 bits.
export const base62 = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

// The same kind of text, derived from a key and a purpose instead of random.
export function base62From(key: KeyObject, purpose: string, length: number): string {
  const numbers = new DataView(hkdfSync('sha256', key, '', purpose, length * 4))
  return Array.from({ length }, (_, at) => alphabet.charAt(numbers.getUint32(at * 4) % alphabet.length)).join('')
}

// The id derived from these texts (RFC 9562, version 8).
export function idFrom(...texts: string[]): string {
  const bytes = sha256(JSON.stringify(texts)).subarray(0, 16)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// Random numbers are fetched for hundreds of ids at a time, because fetching them is most of the cost of an id.
const random = new Uint32Array(1024)
let taken = random.length
const ids = new V7Generator({ nextUint32 })

function nextUint32(): number {
  if (taken === random.length) {
    randomFillSync(random)
    taken = 0
  }
  return random[taken++] ?? 0
}
