import { expect, test } from 'vitest'
import { fromQueue, toQueue } from './job-envelope.ts'

test.each([
  { payload: { id: '1' }, attempt: 1 },
  { payload: { id: '1' }, attempt: 3 },
  { payload: {}, attempt: 1, traceparent: 'x' },
  { payload: { id: '1' }, attempt: 2, traceparent: 'x' },
])('%j comes back from the queue as it was ordered', (order) => {
  expect(fromQueue(JSON.parse(JSON.stringify(toQueue(order))))).toEqual(order)
})

test('an ordinary order lies in the queue as its bare payload', () => {
  expect(toQueue({ payload: { id: '1' }, attempt: 1 })).toEqual({ id: '1' })
})
