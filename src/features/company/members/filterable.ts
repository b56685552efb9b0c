import { sql } from 'kysely'
import { filterable, toMany, toOne } from '../../../core/define/filterable.ts'

const Member = filterable({
  feature: 'users',
  from: sql`(select m.organization_id, m.user_id, u.name, u.email, m.role::text as role, m.created_at as joined_at
    from memberships m join users u on u.id = m.user_id)`,
  key: ['userId'],
  fields: { userId: 'id', name: 'text', email: 'text', role: 'text', joinedAt: 'instant' },
  relations: {
    organization: toOne('Organization', 'organizationId', 'id'),
    automations: toMany('Automation', 'userId', 'ownerUserId'),
  },
})

export const memberObjects = { Member }
