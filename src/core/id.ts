import { createHash, randomInt } from 'node:crypto'
import { uuidv7 } from 'uuidv7'

// Ordered by time, also within a millisecond, so that rows made one after the other sort that way.
export const newId = (): string => uuidv7()

// Any UUID, not only ours: text that is none would make PostgreSQL fail where "not found" is the answer.
export const isId = (text: string): boolean => uuid.test(text)

// Random text for secrets: 5.95 bits a letter, so 43 letters hold 256 bits.
export const base62 = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
