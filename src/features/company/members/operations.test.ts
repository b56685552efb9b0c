import { describe, expect, test } from 'vitest'
import { roles } from '../../../core/define/access.ts'
import { sendWithoutWaiting, withConnection } from '../../../core/run/connection.ts'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import type { BorrowedConnection } from '../../../db/pool.ts'
import { queryAsSuperuser } from '../../../test/database.ts'
import { member, operationNamed, person, type Someone, theApp, theDatabase, withKey } from '../../../test/world.ts'
import { roleChangeProblem } from './member.ts'

const at = ({ organizationId = '' }: Someone) => ({ id: organizationId })
const roleOf = async (asker: Someone, { userId }: Someone) =>
  (await asker.call('users_members', at(asker))).members.find((each) => each.userId === userId)?.role

test('the list shows only name, address and role, owners first', async () => {
  const amy = await member('OWNER')
  const bob = await member('VIEWER', { of: amy })
  const eve = await member('OWNER')
  const { members } = await bob.call('users_members', at(amy))
  expect(members).toEqual([
    { userId: amy.userId, name: 'Founder', email: `${amy.userId}@example.test`, role: 'OWNER', joinedAt: expect.any(String) },
    { userId: bob.userId, name: 'VIEWER', email: `${bob.userId}@example.test`, role: 'VIEWER', joinedAt: expect.any(String) },
  ]) // biome-ignore format: a table
  expect(JSON.stringify(members)).not.toContain(eve.userId)
})

test('INV-20: a request cannot read a password hash, not even that of its user', async () => {
  const amy = await member('OWNER')
  const reading = withTransaction(theApp().confined, { userId: amy.userId }, ({ connection }) =>
    connection.query('select password_hash from users'),
  )
  await expect(reading).rejects.toThrow(/permission denied/)
})

describe('role changes', () => {
  const cases = roles.flatMap((from) =>
    [...roles, null].flatMap((to) => (['MANAGER', 'OWNER'] as const).map((by) => ({ by, from, to }))),
  )
  test.each(cases)('a $by moves a(n) $from to $to', async ({ by, from, to }) => {
    const founder = await member('OWNER')
    const [acting, other] = [await member(by, { of: founder }), await member(from, { of: founder })]
    const named = { ...at(founder), userId: other.userId }
    const deed = to
      ? acting.call('users_member_update', { ...named, role: to })
      : acting.call('users_member_delete', named)
    if (by === 'OWNER' || (from !== 'OWNER' && to !== 'OWNER')) {
      await deed
      expect(await roleOf(founder, other)).toBe(to ?? undefined)
    } else {
      await expect(deed).rejects.toMatchObject({ status: 403, details: [{ code: 'ROLE' }] })
      expect(await roleOf(founder, other)).toBe(from)
    }
  })

  test('the database refuses a role above that of the person who gives it', async () => {
    const founder = await member('OWNER')
    const manager = await member('MANAGER', { of: founder })
    const deeds = [
      `update memberships set role = 'OWNER' where user_id = '${manager.userId}'`,
      `update memberships set role = 'VIEWER' where user_id = '${founder.userId}'`,
      `delete from memberships where user_id = '${founder.userId}'`,
      `insert into invitations (id, email, role, secret_hash) values (gen_random_uuid(), 'x@x.test', 'OWNER', sha256('x'))`,
    ]
    for (const deed of deeds) {
      const context = { userId: manager.userId, organizationId: founder.organizationId }
      const done = withTransaction(theApp().confined, context, ({ connection }) => connection.query(deed))
      await expect(done).rejects.toMatchObject({ constraint: 'role_within_reach' })
    }
  })

  test('the rule in code is the rule in the database', () => {
    expect(roleChangeProblem({ by: 'MANAGER', from: 'OWNER', to: null })).toMatch(/^Only an OWNER/)
    expect(roleChangeProblem({ by: 'MANAGER', from: 'VIEWER', to: 'OWNER' })).toMatch(/^You cannot give/)
    expect(roleChangeProblem({ by: 'MANAGER', from: 'MANAGER', to: 'EMPLOYEE' })).toBeUndefined()
    expect(roleChangeProblem({ by: 'VIEWER', from: 'VIEWER', to: null })).toBeUndefined()
  })
})

test('members cannot raise their own role, and can lower it', async () => {
  const amy = await member('OWNER')
  const bob = await member('MANAGER', { of: amy })
  const himself = { ...at(amy), userId: bob.userId }
  await expect(bob.call('users_member_update', { ...himself, role: 'OWNER' })).rejects.toMatchObject({ status: 403 })
  expect(await bob.call('users_member_update', { ...himself, role: 'VIEWER' })).toMatchObject({ role: 'VIEWER' })
  await expect(bob.call('users_member_update', { ...himself, role: 'MANAGER' })).rejects.toMatchObject({ status: 403 })
})

describe('leaving', () => {
  test.each(roles)('a(n) %s leaves, and is out on the next request', async (role) => {
    const amy = await member('OWNER')
    const bob = await member(role, { of: amy })
    expect(await bob.call('users_member_delete', { ...at(amy), userId: bob.userId })).toEqual({ success: true })
    await expect(bob.call('users_members', at(amy))).rejects.toMatchObject({ status: 404 })
    expect(await roleOf(amy, bob)).toBeUndefined()
  })

  test('a member can leave with an API key, which then no longer reaches the organization', async () => {
    const amy = await member('OWNER')
    const bob = await member('EMPLOYEE', { of: amy })
    const key = await withKey(bob, ['users:write'], { organizationIds: [amy.organizationId ?? ''] })
    await key.call('users_member_delete', { ...at(amy), userId: bob.userId.toUpperCase() })
    const left = await theApp().system.use((db) =>
      db.selectFrom('apiKeyOrganizations').selectAll().where('userId', '=', bob.userId).execute(),
    )
    expect(left).toEqual([])
  })

  test('the last owner cannot leave, and the message says how to', async () => {
    const amy = await member('OWNER')
    const herself = { ...at(amy), userId: amy.userId }
    const refused = {
      status: 409,
      details: [
        { code: 'ORGANIZATION_HAS_OWNER', message: expect.stringContaining('make another member an owner first') },
      ],
    }
    await expect(amy.call('users_member_delete', herself)).rejects.toMatchObject(refused)
    await expect(amy.call('users_member_update', { ...herself, role: 'VIEWER' })).rejects.toMatchObject(refused)
    expect(await roleOf(amy, amy)).toBe('OWNER')
  })

  test('if two owners leave at the same time, one of them stays', async () => {
    const amy = await member('OWNER')
    const bob = await member('OWNER', { of: amy })
    const { system } = theApp()
    const leave = ({ connection }: BorrowedConnection, { userId }: Someone) =>
      connection.query('delete from memberships where organization_id = $1 and user_id = $2', [
        amy.organizationId,
        userId,
      ])
    const check = ({ connection }: BorrowedConnection) => connection.query('set constraints all immediate') // as a commit does
    const both = withConnection(system, true, (hers) =>
      withConnection(system, true, async (his) => {
        await Promise.all([leave(hers, amy), leave(his, bob)])
        await check(hers)
        const late = sendWithoutWaiting(check(his))
        await Promise.race([late, someoneWaits()]) // for her to be done; alone he would still find her there
        await hers.connection.query('commit')
        await late
      }),
    )
    await expect(both).rejects.toMatchObject({ constraint: 'organization_has_owner' })
    const left = await theApp().system.use((db) =>
      db
        .selectFrom('memberships')
        .select('userId')
        .where('organizationId', '=', amy.organizationId ?? '')
        .execute(),
    )
    expect(left).toEqual([{ userId: bob.userId }])
  })
})

async function someoneWaits() {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  const seen = async () => (await queryAsSuperuser(theDatabase(), waiting)).length > 0
  while (!(await seen()));
}

describe('transfer of ownership', () => {
  test('in one step: the other member becomes owner, and the caller manager', async () => {
    const amy = await member('OWNER')
    const bob = await member('VIEWER', { of: amy })
    const handed = { ...at(amy), userId: bob.userId, role: 'OWNER', transfer: true } as const
    expect(await amy.call('users_member_update', handed)).toMatchObject({ userId: bob.userId, role: 'OWNER' })
    expect([await roleOf(bob, amy), await roleOf(bob, bob)]).toEqual(['MANAGER', 'OWNER'])
    await expect(amy.call('users_member_update', handed)).rejects.toMatchObject({ status: 403 })
  })

  test('in two steps: first the other member becomes owner, then the caller gives up the role', async () => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    await amy.call('users_member_update', { ...at(amy), userId: bob.userId, role: 'OWNER' })
    await amy.call('users_member_update', { ...at(amy), userId: amy.userId, role: 'CONTRIBUTOR' })
    expect([await roleOf(bob, amy), await roleOf(bob, bob)]).toEqual(['CONTRIBUTOR', 'OWNER'])
  })

  test.each([
    ['a lower role', { role: 'MANAGER' as const, self: false }],
    ['oneself', { role: 'OWNER' as const, self: true }],
  ])('not with %s', async (_, { role, self }) => {
    const amy = await member('OWNER')
    const bob = self ? amy : await member('VIEWER', { of: amy })
    const handed = { ...at(amy), userId: bob.userId, role, transfer: true }
    await expect(amy.call('users_member_update', handed)).rejects.toMatchObject({
      status: 400,
      details: [{ path: 'transfer' }],
    })
  })
})

test('setting the same role again is no change and notifies no one', async () => {
  const amy = await member('OWNER')
  const bob = await member('VIEWER', { of: amy })
  await amy.call('users_member_update', { ...at(amy), userId: bob.userId, role: 'VIEWER' })
  expect((await bob.call('users_notifications')).notifications).toEqual([])
})

test('a member can be written back as read', async () => {
  const amy = await member('OWNER')
  await member('VIEWER', { of: amy })
  for (const each of (await amy.call('users_members', at(amy))).members)
    expect(await amy.call('users_member_update', { ...each, ...at(amy) })).toEqual(each)
})

test('members of another organization are not found', async () => {
  const [amy, eve, zoe] = [await member('OWNER'), await member('OWNER'), await person('Zoe')]
  for (const userId of [eve.userId, zoe.userId, 'nope']) {
    const named = { ...at(amy), userId }
    await expect(amy.call('users_member_delete', named)).rejects.toMatchObject({ status: 404 })
    await expect(amy.call('users_member_update', { ...named, role: 'VIEWER' })).rejects.toMatchObject({ status: 404 })
  }
})

test('WEB-6: an old session must sign in again to change members, and an API key needs no sign-in', async () => {
  const amy = await member('OWNER')
  const bob = await member('VIEWER', { of: amy })
  await theApp().system.use((_, connection) =>
    connection.query("update sessions set signed_in_at = now() - interval '13 hours' where user_id = $1", [amy.userId]),
  )
  const named = { ...at(amy), userId: bob.userId }
  const again = { status: 403, details: [{ code: 'SIGN_IN_AGAIN' }] }
  await expect(amy.call('users_member_update', { ...named, role: 'MANAGER' })).rejects.toMatchObject(again)
  await expect(amy.call('users_member_delete', named)).rejects.toMatchObject(again)
  await expect(
    amy.call('users_invitations_post', { ...at(amy), email: 'dana@example.test', role: 'VIEWER' }),
  ).rejects.toMatchObject(again)
  const key = await withKey(amy)
  expect(await key.call('users_member_update', { ...named, role: 'MANAGER' })).toMatchObject({ role: 'MANAGER' })
})

test('the audit trail keeps the former role', async () => {
  const amy = await member('OWNER')
  const bob = await member('VIEWER', { of: amy })
  const named = { ...at(amy), userId: bob.userId }
  await amy.call('users_member_update', { ...named, role: 'MANAGER' })
  await amy.call('users_member_delete', named)
  const { entries } = await amy.call('organizations_audit', { organizationId: amy.organizationId ?? '', limit: 2 })
  expect(entries.map(({ operation, detail }) => [operation, detail])).toEqual([
    ['users_member_delete', { userId: bob.userId, from: 'MANAGER', to: null }],
    ['users_member_update', { userId: bob.userId, from: 'VIEWER', to: 'MANAGER' }],
  ])
})

test('the reference says that every member may leave', () => {
  expect(operationNamed('users_member_delete')).toMatchObject({ role: 'MANAGER', orSelf: 'userId' })
})
