import { expect, test } from 'vitest'
import { orderState } from './trade.ts'

test('orders of customers are delivered, orders from suppliers are received', () => {
  expect(orderState('PARTIALLY_RECEIVED', { kind: 'SALES' })).toBe('PARTIALLY_DELIVERED')
  expect(orderState('RECEIVED', { kind: 'SALES' })).toBe('DELIVERED')
  expect(orderState('OPEN', { kind: 'SALES' })).toBe('OPEN')
  expect(orderState('PARTIALLY_RECEIVED', { kind: 'PURCHASE' })).toBe('PARTIALLY_RECEIVED')
})
