import { expect, test } from 'vitest'
import { madeBy, outcomeOf, type Step, tookMs } from './run-outcomes.ts'

const step = (status: Step['status'], output: unknown = null) =>
  ({
    id: 's',
    blockId: 'b',
    element: null,
    status,
    output,
    input: null,
    error: null,
    attempt: 1,
    latencyMs: 1,
    startedAt: null,
    finishedAt: null,
  }) as Step

test.each([
  [['SUCCEEDED', 'FAILED', 'PENDING'], 'FAILED'],
  [['SUCCEEDED', 'PENDING'], 'PENDING'],
  [['SUCCEEDED', 'SKIPPED'], 'SUCCEEDED'],
  [['SKIPPED'], 'SKIPPED'],
  [[], undefined],
] as const)('elements that %s make a block that %s', (statuses, outcome) =>
  expect(outcomeOf(statuses.map((status) => step(status)))).toBe(outcome),
)

test('what a step made can be opened, what it read is not made', () => {
  expect(madeBy({ ref: 'invoices_duplicate' }, step('SUCCEEDED', { id: 'd' }))).toEqual({ to: 'documents', open: 'd' })
  expect(madeBy({ ref: 'invoices_get' }, step('SUCCEEDED', { id: 'd' }))).toBeUndefined()
  expect(madeBy({ ref: 'invoices_send' }, step('FAILED', { id: 'd' }))).toBeUndefined()
  expect(madeBy({ ref: 'email.send' }, step('SUCCEEDED', { sent: 1 }))).toBeUndefined()
})

test('a step that has not ended has no duration', () => {
  expect(tookMs({ startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:00:02Z' })).toBe(2000)
  expect(tookMs({ startedAt: '2026-01-01T00:00:00Z', finishedAt: null })).toBeUndefined()
})
