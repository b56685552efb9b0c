import { expect, test } from 'vitest'
import { base62, isId, newId, sha256 } from './id.ts'

test('new ids are UUIDs of version 7, all different, in the order they were made', () => {
  const ids = Array.from({ length: 10_000 }, newId)
  expect(ids.every(isId)).toBe(true)
  expect(ids[0]).toMatch(/^.{14}7/)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
})

test.each([
  ['00000000-0000-0000-0000-000000000000', true],
  ['0199F2C4-7A1B-7C3D-8E4F-5A6B7C8D9E0F', true],
  ['f47ac10b-58cc-4372-a567-0e02b2c3d479', true],
  ['f47ac10b58cc4372a5670e02b2c3d479', false],
  ['{f47ac10b-58cc-4372-a567-0e02b2c3d479}', false],
  ['f47ac10b-58cc-4372-a567-0e02b2c3d479\n', false],
  ['f47ac10b-58cc-4372-a567-0e02b2c3d47g', false],
  ['nope', false],
  ['', false],
])('%j counts as an id: %j', (text, expected) => {
  expect(isId(text)).toBe(expected)
})

test('random text has the requested length and evenly distributed characters', () => {
  expect(base62(0)).toBe('')
  expect(base62(43)).toMatch(/^[0-9A-Za-z]{43}$/)
  const counts = new Map<string, number>()
  for (const letter of base62(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // A thousand of each are expected; seven standard deviations is 220.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(220)
})

test('a hash is the SHA-256 of the UTF-8 text', () => {
  expect(sha256('').toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256('שלום')).toEqual(sha256(Buffer.from('d7a9d79cd795d79d', 'hex').toString()))
  expect(sha256('abc')).toHaveLength(32)
})
