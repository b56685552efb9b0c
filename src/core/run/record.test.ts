import { expect, test } from 'vitest'
import { fromEnvelope, toEnvelope } from './record.ts'

test.each([
  { payload: { id: '1' }, attempt: 1 },
  { payload: { id: '1' }, attempt: 3 },
  { payload: {}, attempt: 1, traceparent: 'x' },
  { payload: { id: '1' }, attempt: 2, traceparent: 'x' },
])('%j comes back from the queue as it was enqueued', (job) => {
  expect(fromEnvelope(JSON.parse(JSON.stringify(toEnvelope(job))))).toEqual(job)
})

test('an ordinary job is queued as its bare payload', () => {
  expect(toEnvelope({ payload: { id: '1' }, attempt: 1 })).toEqual({ id: '1' })
})
