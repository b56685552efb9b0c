import { type Database, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Type } from '../../../core/define/schema.ts'
import { Me, MyChanges } from './me.ts'

export const me = operation({
  name: 'users_me',
  http: 'GET /api/users/me',
  does: 'Tells the caller who they are.',
  scope: 'users:read',
  within: 'caller',
  input: Type.Object({}),
  output: Me,
  run: async ({ db, who }) => myself(db, (await who).userId),
})

export const updateMe = operation({
  name: 'users_me_update',
  http: 'PATCH /api/users/me',
  does: 'Changes the name of the caller, their language, or how often notifications come by e-mail.',
  scope: 'users:write',
  within: 'caller',
  input: MyChanges,
  output: Me,
  async run({ db, who }, changes) {
    const { userId } = await who
    if (Object.keys(changes).length > 0) {
      await db.updateTable('users').set(changes).where('id', '=', userId).execute()
    }
    return myself(db, userId)
  },
})

const myself = (db: Database, userId: string) =>
  one(
    db
      .selectFrom('users')
      .select(['id', 'name', 'locale', 'digest', 'email', 'emailVerifiedAt', 'createdAt'])
      .where('id', '=', userId),
    'person',
  )
