import { forbidden, invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, one, toUuid } from '../../../core/define/query.ts'
import { ById, Id, Success, success, Type } from '../../../core/define/schema.ts'
import { notify } from '../notifications/notify.ts'
import { Member, MemberChange, roleChangeProblem } from './member.ts'

export const list = operation({
  name: 'users_members',
  http: 'GET /api/organizations/{id}/members',
  does: 'Lists the members of an organization (id is the organization) with their roles, owners first.',
  scope: 'users:read',
  within: 'organizations',
  input: ById,
  output: Type.Object({ members: wholeList(Member) }),
  run: async ({ db }) => ({
    members: await bounded(members(db))
      .orderBy('role', 'desc')
      .orderBy('memberships.createdAt')
      .orderBy('userId')
      .execute(),
  }),
})

export const update = operation({
  name: 'users_member_update',
  http: 'PATCH /api/organizations/{id}/members/{userId}',
  does: 'Changes the role of a member; only an owner makes or unmakes owners, and may hand ownership over in one step.',
  scope: 'users:write',
  role: 'MANAGER',
  within: 'organizations',
  input: MemberChange,
  output: Member,
  signedInWithinH: 12,
  async run({ db, who, audit }, { role, transfer = false, ...named }) {
    const userId = toUuid(named.userId).toLowerCase()
    const me = await who
    if (transfer && role !== 'OWNER') throw invalid('transfer', 'To transfer the ownership, set the role to OWNER.')
    const { role: from } = await memberToChange(db, userId)
    const problem = roleChangeProblem({ by: me.role, from, to: role })
    if (problem) throw forbidden(problem, 'ROLE')
    if (transfer && userId === me.userId)
      throw invalid('transfer', 'The ownership can only be transferred to another member.')
    if (from !== role) await setRole(db, userId, role)
    if (transfer) await setRole(db, me.userId, 'MANAGER')
    if (from !== role && userId !== me.userId) {
      await notify(db, { kind: 'ROLE_CHANGED', to: [userId], data: { from, to: role } })
    }
    audit({ userId, from, to: role, ...(transfer && { transferredBy: me.userId }) })
    return one(members(db).where('userId', '=', userId), 'member')
  },
})

export const remove = operation({
  name: 'users_member_delete',
  http: 'DELETE /api/organizations/{id}/members/{userId}',
  does: 'Removes a member from an organization, at once; everybody may remove themselves, but not the last owner.',
  scope: 'users:write',
  role: 'MANAGER',
  within: 'organizations',
  orSelf: 'userId',
  input: Type.Object({ id: Id, userId: Id }),
  output: Success,
  signedInWithinH: 12,
  async run({ db, who, audit }, named) {
    const userId = toUuid(named.userId)
    const { role: by } = await who
    const { role: from, name } = await memberToChange(db, userId)
    const problem = roleChangeProblem({ by, from, to: null })
    if (problem) throw forbidden(problem, 'ROLE')
    await db.deleteFrom('memberships').where('userId', '=', userId).execute()
    await notify(db, { kind: 'MEMBER_LEFT', to: 'MANAGERS', data: { name } })
    audit({ userId, from, to: null })
    return success
  },
})

const members = (db: Database) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select(['userId', 'name', 'email', 'role', 'memberships.createdAt as joinedAt'])

/** Reads and locks a member. */
const memberToChange = (db: Database, userId: string) =>
  one(members(db).where('userId', '=', userId).forUpdate('memberships'), 'member')

const setRole = (db: Database, userId: string, role: Member['role']) =>
  db.updateTable('memberships').set({ role }).where('userId', '=', userId).execute()
