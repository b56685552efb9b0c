import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { hashPassword, isPassword } from './password.ts'

test('the right password matches its hash, a wrong one does not, and every hash has its own salt', async () => {
  const stored = await hashPassword('correct horse')
  expect(await isPassword('correct horse', stored)).toBe(true)
  expect(await isPassword('wrong horse', stored)).toBe(false)
  expect(stored).not.toBe(await hashPassword('correct horse'))
})

test.each([null, undefined])('with %s stored no password matches, not even that of the decoy hash', async (stored) => {
  expect(await isPassword('nobody has this password', stored)).toBe(false)
})

test('one hash per core runs, twenty wait, and further requests are refused with 429', async () => {
  const room = availableParallelism() + 20
  const all = await Promise.allSettled(Array.from({ length: room + 10 }, () => hashPassword('correct horse')))
  const refused = all.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(10)
  for (const refusal of refused) expect(refusal).toMatchObject({ reason: { status: 429, retryAfterS: 1 } })
  expect(await isPassword('correct horse', await hashPassword('correct horse'))).toBe(true) // the queue is free again
})
