import { expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { type Role, roles } from '../../core/define/access.ts'
import type { Operation } from '../../core/define/operation.ts'
import { filled, sharedInput } from '../filled.ts'
import { inProof, pairs, proves, sample } from '../prove.ts'
import { inputFor, isPersonal, moveFor } from '../rows.ts'
import { member, type Reply, type Someone, withKey } from '../world.ts'

/** INV-21: a member who is removed or demoted gets nothing from any request that starts afterwards. */

/** In `npm test` a fourth of the operations: src/test/sweeps/access.test.ts shows of all that a role which is too low is refused. */
const everyFourth = 4
const inOrganization = operations.filter(({ within }) => within !== 'caller')
const reads = inOrganization.filter(({ reads }) => reads)
const codeOf = ({ body }: Reply) => (body as { error?: { details?: { code?: string }[] } }).error?.details?.[0]?.code

type Ended = { began: number; reply: Reply }

/** Sends one request after the other, several at a time, until it is stopped. */
function burst(who: Someone, operation: Operation, input: Record<string, unknown>) {
  const ended: Ended[] = []
  let going = true
  const lane = async () => {
    while (going) {
      const began = performance.now()
      ended.push({ began, reply: await who.request(operation, input) })
    }
  }
  const lanes = Promise.all(Array.from({ length: 4 }, lane))
  return {
    /** Waits for this many more answers. */
    async answered(count: number) {
      const until = ended.length + count
      while (ended.length < until) await new Promise((resolve) => setImmediate(resolve))
    },
    async stop() {
      going = false
      await lanes
      return ended
    },
  }
}

const changes: [string, (owner: Someone, bob: Someone) => Promise<unknown>, number[]][] = [
  ['removed', (owner, { userId }) => owner.call('users_member_delete', { id: owner.organizationId ?? '', userId }), [403, 404]],
  ['demoted', (owner, { userId }) => owner.call('users_member_update', { id: owner.organizationId ?? '', userId, role: 'EMPLOYEE' }), [403]],
] // biome-ignore format: a table

test.each(changes)(
  'a member who is %s during a burst gets nothing from any request after it',
  async (_, change, refused) => {
    const owner = await member('OWNER')
    const bob = await member('CONTRIBUTOR', { of: owner })
    const organizationId = owner.organizationId ?? ''
    const { id } = await bob.call('customers_create', { organizationId, name: 'Globex', country: 'SG' })
    const [session, key] = [bob, await withKey(bob)]
    const find = (name: string) => operations.find((operation) => operation.name === name) as Operation
    const bursts = [
      burst(session, find('customers_list'), { organizationId }),
      burst(key, find('customers_update_patch'), { id, notes: 'mine' }),
    ]
    await Promise.all(bursts.map((each) => each.answered(10)))
    await change(owner, bob)
    const committed = performance.now()
    await Promise.all(bursts.map((each) => each.answered(10)))
    for (const ended of await Promise.all(bursts.map((each) => each.stop()))) {
      const after = ended.filter(({ began }) => began > committed)
      expect(ended.some(({ reply }) => reply.status === 200)).toBe(true)
      expect(after.length).toBeGreaterThan(0)
      for (const { reply } of after) expect(refused).toContain(reply.status)
    }
  },
)

test('a demoted member can use the operations of the new role and none above it', async () => {
  const { owner } = filled()
  const bob = await member('OWNER', { of: owner })
  const some = sample(inOrganization, everyFourth)
  const inputOf = await inputsOf(some, bob) // shared by the roles: nothing is changed
  let refusedWrites = 0
  for (const role of roles.toReversed()) {
    await owner.call('users_member_update', { id: owner.organizationId ?? '', userId: bob.userId, role })
    const above = some.filter((operation) => !operation.reads && !mayUse(operation, role))
    const asked = [...some.filter((operation) => operation.reads), ...above].filter(
      (operation) => proves || isNextTo(operation, role),
    )
    for (const operation of asked) {
      const outcome = await outcomeOf(operation, bob, inputOf(operation))
      expect([operation.name, outcome]).toEqual([operation.name, mayUse(operation, role) ? 'allowed' : 'ROLE'])
    }
    refusedWrites += asked.filter((operation) => !operation.reads).length
  }
  expect(reads.length).toBeGreaterThanOrEqual(30)
  expect(refusedWrites).toBeGreaterThanOrEqual(inProof(20, 80))
})

/** The role that suffices, and the one just below. */
const isNextTo = (operation: Operation, role: Role) =>
  [0, 1].includes(roles.indexOf(operation.role) - roles.indexOf(role))

test('a removed member is refused every operation of the organization, by session and by key', async () => {
  const { owner } = filled()
  const bob = await member('OWNER', { of: owner })
  const key = await withKey(bob)
  const some = sample(inOrganization, everyFourth)
  const inputOf = await inputsOf(some, bob)
  /** By session and by key, in npm test in turn; by session alone what a key may not do. */
  const asked = (list: readonly Operation[]): [Operation, Someone][] => [
    ...pairs(list.filter(isForKeys), [bob, key]),
    ...list.filter((operation) => !isForKeys(operation)).map((operation): [Operation, Someone] => [operation, bob]),
  ]
  for (const [operation, who] of asked(some.filter((each) => each.reads)))
    expect([operation.name, await outcomeOf(operation, who, inputOf(operation))]).toEqual([operation.name, 'allowed'])
  await owner.call('users_member_delete', { id: owner.organizationId ?? '', userId: bob.userId })
  for (const [operation, who] of asked(some))
    expect([403, 404], operation.name).toContain((await who.request(operation, inputOf(operation))).status)
})

const isForKeys = ({ sources }: Operation) => sources.includes('API_KEY')

const mayUse = (operation: Operation, role: Role) => roles.indexOf(role) >= roles.indexOf(operation.role)

/** Input for each operation, with rows of the organization that is filled. */
async function inputsOf(all: Operation[], bob: Someone) {
  const inputs = new Map<Operation, Record<string, unknown>>()
  for (const operation of all)
    inputs.set(operation, await (isPersonal(operation) ? inputFor(operation, bob) : sharedInput(operation)))
  return (operation: Operation) => inputs.get(operation) ?? {}
}

/** `allowed`, or the code of the refusal: `ROLE` if the role is too low. */
async function outcomeOf(operation: Operation, who: Someone, input: Record<string, unknown>) {
  await moveFor(operation, who)
  const reply = await who.request(operation, input)
  // the row is the owner's own: others who may use the operation do not find it
  if (operation.path.startsWith('/api/hr/me/') && reply.status === 404) return 'allowed'
  return reply.status < 400 ? 'allowed' : (codeOf(reply) ?? reply.status)
}
