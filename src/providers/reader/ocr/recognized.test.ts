import { expect, test } from 'vitest'
import { decode } from './recognized.ts'

/** Columns of ten pixels in which nothing, "1", "2" or a space is as likely as given. */
const read = (...steps: number[][]) => decode(Float32Array.from(steps.flat()), 4, ['1', '2', ' '], 10)

test('repeated classes are one character, in the middle of its columns and as sure as the surest of them', () => {
  const one = { text: '1', confidence: expect.closeTo(0.9), column: 20 }
  expect(read([0.9, 0.1, 0, 0], [0.2, 0.8, 0, 0], [0.1, 0.9, 0, 0], [1, 0, 0, 0])).toEqual([one])
  expect(read([0, 0.9, 0, 0.1], [1, 0, 0, 0], [0, 1, 0, 0]).map(({ text }) => text)).toEqual(['1', '1'])
})

test('a space needs a chance of a quarter where no character is likely, and to be the likeliest elsewhere', () => {
  const texts = (middle: number[]) => read([0, 1, 0, 0], middle, [0, 0, 1, 0]).map(({ text }) => text)
  expect(texts([0.7, 0, 0, 0.3])).toEqual(['1', ' ', '2'])
  expect(texts([0.8, 0, 0, 0.2])).toEqual(['1', '2'])
  expect(texts([0, 0.6, 0, 0.4])).toEqual(['1', '2'])
})
