import { expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import { type Role, roles } from '../../core/define/access.ts'
import type { Operation } from '../../core/define/operation.ts'
import { inputFor } from '../rows.ts'
import { member, type Reply, type Someone, withKey } from '../world.ts'

/** INV-21: whoever was removed or demoted while they were busy gets nothing done by any request that starts after it. */

const inOrganization = operations.filter(({ within }) => within !== 'caller')
const reads = inOrganization.filter(({ reads }) => reads)
const codeOf = ({ body }: Reply) => (body as { error?: { details?: { code?: string }[] } }).error?.details?.[0]?.code

type Ended = { began: number; reply: Reply }

/** Sends one request after the other until told to stop, in several lanes. */
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
    /** Resolves when so many more were answered. */
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

test('whoever was demoted can do what the new role may and nothing above, whatever the operation', async () => {
  const owner = await member('OWNER')
  const bob = await member('OWNER', { of: owner })
  for (const role of roles.toReversed()) {
    await owner.call('users_member_update', { id: owner.organizationId ?? '', userId: bob.userId, role })
    const allowed = await Promise.all(
      reads.map(async (operation) => [operation, await isOpen(operation, owner, bob)] as const),
    )
    for (const [operation, open] of allowed)
      expect([operation.name, open]).toEqual([operation.name, mayUse(operation, role)])
    const above = inOrganization.filter((operation) => !operation.reads && !mayUse(operation, role))
    for (const operation of above)
      expect([operation.name, await isOpen(operation, owner, bob)]).toEqual([operation.name, false])
  }
})

test('whoever was removed can do nothing there any more, whatever the operation, by session or by key', async () => {
  const owner = await member('OWNER')
  const bob = await member('OWNER', { of: owner })
  const key = await withKey(bob)
  await owner.call('users_member_delete', { id: owner.organizationId ?? '', userId: bob.userId })
  for (const operation of inOrganization) {
    const input = await inputFor(operation, owner)
    for (const who of [bob, key])
      expect([403, 404], operation.name).toContain((await who.request(operation, input)).status)
  }
})

const mayUse = (operation: Operation, role: Role) => roles.indexOf(role) >= roles.indexOf(operation.role)

/** Whether the door opens: anything but a refusal for the role. */
const isOpen = async (operation: Operation, owner: Someone, who: Someone) =>
  codeOf(await who.request(operation, await inputFor(operation, owner))) !== 'ROLE'
