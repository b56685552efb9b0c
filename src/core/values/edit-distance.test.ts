import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test.each([
  ['TOTAL', 'TOTAL', 0],
  ['TOTAL', 'TOTAI', 1],
  ['CHANGE', 'CHANG', 1],
  ['CHANGE', 'ORANGES', 3],
])('between %j and %j there are %d edits, or more than two', (one, other, edits) => {
  expect(editDistance(one, other, 2)).toBe(edits)
})
