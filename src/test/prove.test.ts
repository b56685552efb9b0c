import { expect, test } from 'vitest'
import { pairs, proves, sample } from './prove.ts'

test('each case has a variant and each variant a case; a proof has all pairs', () => {
  const few = pairs(['a', 'b'], [1, 2, 3])
  expect(few).toEqual(
    proves
      ? [
          ['a', 1],
          ['a', 2],
          ['a', 3],
          ['b', 1],
          ['b', 2],
          ['b', 3],
        ]
      : [
          ['a', 1],
          ['b', 2],
          ['a', 3],
        ],
  )
  expect(pairs(['a', 'b', 'c'], [1, 2]).length).toBe(proves ? 6 : 3)
  expect(() => pairs([], [1])).toThrow('a list is empty')
})

test('a sample begins with the first case and keeps the order; a proof has all cases', () => {
  expect(sample([1, 2, 3, 4, 5], 2)).toEqual(proves ? [1, 2, 3, 4, 5] : [1, 3, 5])
})
