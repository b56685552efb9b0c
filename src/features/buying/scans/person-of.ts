import { atLeast } from '../../../core/define/access.ts'
import { Failure } from '../../../core/define/failure.ts'
import type { JobInside } from '../../../core/define/job.ts'

/** Who expenses of a poll are entered for: who asked for it; for an automatic poll else an owner of the organization. */
export async function personOf(
  { db }: JobInside,
  { createdBy, isAutomatic }: { createdBy: string | null; isAutomatic: boolean },
) {
  const members = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.userId', 'm.role'])
    .where('u.disabledAt', 'is', null)
    .where((member) => member.or([member('m.userId', '=', createdBy), member('m.role', '=', 'OWNER')]))
    .orderBy('m.createdAt')
    .execute()
  const asked = members.find(({ userId, role }) => userId === createdBy && atLeast(role, 'CONTRIBUTOR'))
  const owner = isAutomatic ? members.find(({ role }) => role === 'OWNER') : undefined
  const found = asked ?? owner
  if (!found)
    throw new Failure(
      'FORBIDDEN',
      'The person who started the poll may no longer change expenses of this organization.',
    )
  return found.userId
}
