import { expect, test } from 'vitest'
import { oldestFirst, propose, remainder } from './propose.ts'

const may = { id: 'may', openBalance: 100.1, dueDate: '2026-05-31', invoiceDate: '2026-05-01' }
const june = { id: 'june', openBalance: 50.2, dueDate: '2026-06-30', invoiceDate: '2026-06-01' }

test('the oldest debt comes first, by due date or else by the day of issue', () => {
  const undated = { id: 'april', openBalance: 1, dueDate: null, invoiceDate: '2026-04-01' }
  expect(oldestFirst([june, may, undated]).map(({ id }) => id)).toEqual(['april', 'may', 'june'])
})

test.each<{ amount: number; shares: Record<string, number>; left: number }>([
  { amount: 0, shares: {}, left: 0 },
  { amount: 40, shares: { may: 40 }, left: 0 },
  { amount: 120.3, shares: { may: 100.1, june: 20.2 }, left: 0 },
  { amount: 200, shares: { may: 100.1, june: 50.2 }, left: 49.7 },
])('$amount is spread exactly', ({ amount, shares, left }) => {
  expect(propose(amount, [may, june], 'USD')).toEqual(shares)
  expect(remainder(amount, shares, 'USD')).toBe(left)
})

test('more than there is leaves a negative remainder; yen have no cents', () => {
  expect(remainder(10, { may: 10.01 }, 'USD')).toBe(-0.01)
  expect(propose(150, [{ ...may, openBalance: 100 }], 'JPY')).toEqual({ may: 100 })
})
