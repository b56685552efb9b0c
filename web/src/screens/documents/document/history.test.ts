import { expect, test } from 'vitest'
import { chainOf, type Entry, lettersOf, relatedIds, threadOf } from './history.ts'

const entry = (sequence: number, more: Partial<Entry> = {}): Entry => ({
  id: `e${sequence}`, documentId: 'd', organizationId: 'o', type: 'UPDATED', actorUserId: null, actor: null, payload: null,
  createdAt: '2026-11-17T08:00:00Z', sequence, previousHash: sequence === 1 ? null : `h${sequence - 1}`, hash: `h${sequence}`, ...more,
}) // biome-ignore format: a list of words

test('a chain is whole down to its first entry, and part of one if older entries are not shown', () => {
  expect(chainOf([entry(3), entry(2), entry(1)])).toBe('whole')
  expect(chainOf([entry(3), entry(2)])).toBe('part')
})

test.each([
  ['an entry was taken out', [entry(3), entry(1)]],
  ['a hash is another', [entry(3), entry(2, { hash: 'x' }), entry(1)]],
  ['the first one names one before it', [entry(2), entry(1, { previousHash: 'h0' })]],
])('a chain is broken where %s', (_, events) => {
  expect(chainOf(events)).toBe('broken')
})

test('the history names memos, receipts and sources once', () => {
  const events = [
    entry(3, { payload: { memoId: 'm' } }),
    entry(2, { payload: { receiptId: 'r', memoId: 'm' } }),
    entry(1, { payload: { of: 's', documentId: 'd' } }),
  ]
  expect(relatedIds(events, 'd')).toEqual(['m', 'r', 's'])
})

test('what was said comes in its order, and letters with their outcome', () => {
  const events = [
    entry(4, { type: 'SEND_FAILED', payload: { to: ['b@x.test'], reasons: ['No such address'], retrying: 0 } }),
    entry(3, { type: 'COMMENTED', payload: { message: 'Second' } }),
    entry(2, { type: 'DISPUTED', payload: { message: 'First' } }),
    entry(1, { type: 'SENT', payload: { to: ['a@x.test'] } }),
  ]
  expect(threadOf(events).map(({ payload }) => payload?.message)).toEqual(['First', 'Second'])
  expect(lettersOf(events)).toMatchObject([
    { ok: false, reasons: ['No such address'] },
    { ok: true, to: ['a@x.test'] },
  ])
})
