import { expect, test } from 'vitest'
import { sendWithoutWaiting } from '../../core/run/connection.ts'
import { type CallSlot, createConcurrencyLimit } from './concurrency.ts'

/** Calls that run until they are ended, and the list of those that were started. */
function stage(gate = createConcurrencyLimit()) {
  const entered: string[] = []
  const ends: (() => void)[] = []
  const come = (name: string, turn: Partial<CallSlot> & { organizationId: string; host: string }) =>
    sendWithoutWaiting(
      gate({ waitMs: 5000, ...turn }, () => {
        entered.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      }),
    )
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const endOne = async () => {
    await settled()
    ends.shift()?.()
    await settled()
  }
  return { entered, come, endOne, settled }
}

test('FLT-09 a host gets two calls at a time, and the third when one has ended', async () => {
  const { entered, come, endOne } = stage()
  for (const name of ['first', 'second', 'third']) void come(name, { organizationId: name, host: 'a' })
  await endOne()
  expect(entered).toEqual(['first', 'second', 'third'])
})

test('FLT-09 an organization has four calls at a time, to any hosts', async () => {
  const { entered, come, endOne, settled } = stage()
  for (const host of ['a', 'b', 'c', 'd', 'e']) void come(host, { organizationId: 'one', host })
  void come('other', { organizationId: 'two', host: 'f' })
  await settled()
  expect(entered).toEqual(['a', 'b', 'c', 'd', 'other'])
  await endOne()
  expect(entered).toEqual(['a', 'b', 'c', 'd', 'other', 'e'])
})

test('FLT-09 a call of another organization does not wait for a backlog', async () => {
  const { entered, come, endOne } = stage()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void come(name, { organizationId: 'a', host: 'shared' })
  void come('b1', { organizationId: 'b', host: 'shared' })
  await endOne()
  expect(entered).toEqual(['a1', 'a2', 'b1'])
})

test('a call that does not wait, or has waited for its limit, fails as busy', async () => {
  const { come, entered, endOne } = stage()
  void come('1', { organizationId: 'a', host: 'a' })
  void come('2', { organizationId: 'a', host: 'a' })
  await expect(come('3', { organizationId: 'a', host: 'a', waitMs: 0 })).rejects.toMatchObject({
    reason: 'busy',
    isTransient: true,
  })
  await expect(come('4', { organizationId: 'a', host: 'a', waitMs: 20 })).rejects.toMatchObject({ reason: 'busy' })
  await endOne()
  expect(entered).toEqual(['1', '2'])
})

test('an aborted call leaves the queue, and the queue has a limit', async () => {
  const { come, entered, endOne } = stage(createConcurrencyLimit({ perHost: 1, waitingMax: 1 }))
  void come('1', { organizationId: 'a', host: 'a' })
  const given = new AbortController()
  const waiting = come('2', { organizationId: 'a', host: 'a', signal: given.signal })
  await expect(come('3', { organizationId: 'a', host: 'a' })).rejects.toMatchObject({ reason: 'busy' })
  given.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await endOne()
  expect(entered).toEqual(['1'])
})

test('a failed call frees its place', async () => {
  const gate = createConcurrencyLimit({ perHost: 1 })
  const turn = { organizationId: 'a', host: 'a', waitMs: 0 }
  for (const _ of [1, 2, 3]) await expect(gate(turn, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate(turn, async () => 'yes')).toBe('yes')
})
