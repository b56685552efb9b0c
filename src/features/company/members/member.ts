import { atLeast, type Role, roles } from '../../../core/define/access.ts'
import { Id, Instant, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'

/** A member of an organization. */
export const Member = Type.Object({ userId: Id, name: Text, email: Text, role: OneOf(...roles), joinedAt: Instant })
export type Member = Static<typeof Member>

export const MemberChange = Type.Object({
  id: Id,
  userId: Id,
  role: Member.properties.role,
  transfer: Type.Optional(
    Type.Boolean({ description: 'With the role OWNER: hands ownership over, and the caller becomes a MANAGER.' }),
  ),
})

type RoleChange = { by: Role; from: Role; to: Role | null }

/** Why a member with the role `by` may not change the role of another member, or remove them. The database checks it too. */
export function roleChangeProblem({ by, from, to }: RoleChange): string | undefined {
  if (!atLeast(by, from)) return `Only an ${from} may change or remove an ${from}; your role is ${by}.`
  if (to && !atLeast(by, to)) return `You cannot give a role above your own, which is ${by}.`
  return undefined
}
