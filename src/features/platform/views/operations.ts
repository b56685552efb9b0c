import { sql } from 'kysely'
import { atLeast } from '../../../core/define/access.ts'
import { conflict, forbidden } from '../../../core/define/failure.ts'
import { type Database, type Member, operation } from '../../../core/define/operation.ts'
import { bounded, givenColumns, lockFor, one } from '../../../core/define/query.ts'
import { ById, InOrganization, Success, success, Type } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import { NewView, View, ViewChanges, viewsMax } from './view.ts'

export const list = operation({
  name: 'views_list',
  http: 'GET /api/views',
  does: 'Lists the saved views of the caller, and those shared with the organization, in their order.',
  scope: 'users:read',
  role: 'EMPLOYEE',
  within: 'organizationId',
  input: Type.Object({ ...InOrganization.properties, screen: Type.Optional(View.properties.screen) }),
  output: Type.Object({ views: Type.Array(View) }),
  async run({ db }, { screen }) {
    let query = views(db).orderBy('screen').orderBy('position').orderBy('views.createdAt').orderBy('views.id')
    if (screen) query = query.where('screen', '=', screen)
    return { views: await bounded(query).execute() }
  },
})

export const create = operation({
  name: 'views_create',
  http: 'POST /api/views',
  does: 'Saves a view: a list with its search, filters and order, under a name. It is the caller’s own unless shared is true.',
  scope: 'users:write',
  role: 'EMPLOYEE',
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  within: 'organizationId',
  input: NewView,
  output: View,
  status: 201,
  async run({ db, who }, { organizationId: _, ...given }) {
    const me = await who
    const { shared = false } = given
    if (shared) requireSharing(me)
    await requireRoom(db, { me, shared })
    const id = newId()
    await db
      .insertInto('views')
      .values({ id, ...givenColumns(given), name: given.name, screen: given.screen })
      .execute()
    return one(viewById(db, id), 'view')
  },
})

export const update = operation({
  name: 'views_update',
  http: 'PATCH /api/views/{id}',
  does: 'Renames, moves, changes or shares a saved view. A shared view is changed by its author or a MANAGER.',
  scope: 'users:write',
  role: 'EMPLOYEE',
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  within: 'views',
  input: ViewChanges,
  output: View,
  async run({ db, who }, { id, ...changes }) {
    const me = await who
    const before = await lockView(db, id, me)
    if (changes.shared !== undefined && changes.shared !== before.shared) {
      requireSharing(me)
      await requireRoom(db, { me, shared: changes.shared })
    }
    const set = givenColumns(changes)
    if (Object.keys(set).length > 0) await db.updateTable('views').set(set).where('id', '=', id).execute()
    return one(viewById(db, id), 'view')
  },
})

export const remove = operation({
  name: 'views_delete',
  http: 'DELETE /api/views/{id}',
  does: 'Deletes a saved view. A shared view is deleted by its author or a MANAGER.',
  scope: 'users:write',
  role: 'EMPLOYEE',
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  within: 'views',
  input: ById,
  output: Success,
  async run({ db, who, audit }, { id }) {
    const { name, screen } = await lockView(db, id, await who)
    await db.deleteFrom('views').where('id', '=', id).execute()
    audit({ name, screen })
    return success
  },
})

/** Row security leaves out the views that others saved for themselves. */
const views = (db: Database) =>
  db
    .selectFrom('views')
    .leftJoin('users', 'users.id', 'views.userId')
    .selectAll('views')
    .select('users.name as savedBy')
    .select(rights)

const rights = sql<View['rights']>`case when views.user_id = current_person() then 'OWN'
  when exists (select from memberships m where m.organization_id = views.organization_id
    and m.user_id = current_person() and m.role in ('MANAGER', 'OWNER')) then 'MANAGE' else 'READ' end`.as('rights')

const viewById = (db: Database, id: string) => views(db).where('views.id', '=', id)

async function lockView(db: Database, id: string, { userId, role }: Member) {
  const found = db.selectFrom('views').select(['userId', 'name', 'screen', 'shared']).where('id', '=', id).forUpdate()
  const view = await one(found, 'view')
  if (view.userId !== userId && !atLeast(role, 'MANAGER'))
    throw forbidden('A shared view is changed by the person who saved it, or by a MANAGER.', 'ROLE')
  return view
}

function requireSharing({ role }: Member) {
  if (!atLeast(role, 'CONTRIBUTOR')) throw forbidden('To share a view takes the role CONTRIBUTOR.', 'ROLE')
}

/** Refuses one view more than the caller or the organization may have. */
async function requireRoom(db: Database, { me, shared }: { me: Member; shared: boolean }) {
  await lockFor(db, shared ? 'views' : `views:${me.userId}`)
  const all = db.selectFrom('views').select(sql<number>`count(*)`.as('count')).where('shared', '=', shared)
  const { count } = await (shared ? all : all.where('userId', '=', me.userId)).executeTakeFirstOrThrow()
  if (count < viewsMax) return
  const message = shared ? `The organization shares ${viewsMax} views.` : `You have saved ${viewsMax} views.`
  throw conflict(`${message} Delete one first.`, 'TOO_MANY_VIEWS')
}
