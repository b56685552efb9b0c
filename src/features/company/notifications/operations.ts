import { type ExpressionBuilder, sql } from 'kysely'
import { forbidden } from '../../../core/define/failure.ts'
import { type Database, operation, type Person } from '../../../core/define/operation.ts'
import { Pagination, paging } from '../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../core/define/query.ts'
import { ById, Count, InOrganization, Success, success, Type } from '../../../core/define/schema.ts'
import type { Language } from '../../../core/values/language.ts'
import type { Tables } from '../../../db/database.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { Notification, textOf } from './notification.ts'

export const list = operation({
  name: 'users_notifications',
  http: 'GET /api/notifications',
  does: 'Lists what the caller was told, newest first, and how much of it is unread.',
  scope: 'users:read',
  within: 'caller',
  input: Type.Object({
    ...InOrganization.properties,
    unread: Type.Optional(Type.Boolean({ description: 'Only what is not read yet.' })),
    ...paging(),
  }),
  output: Type.Object({ notifications: Type.Array(Notification), unreadCount: Count, pagination: Pagination }),
  async run({ db, who }, { unread = false, organizationId, ...page }) {
    const reached = isReachable(await who, await requireMembership(db, organizationId))
    const all = db.selectFrom('notifications').where(reached)
    const wanted = unread ? all.where('readAt', 'is', null) : all
    const newestFirst = wanted.select(columns).orderBy('createdAt', 'desc').orderBy('id', 'desc')
    const {
      page: { rows, pagination },
      counted,
      language,
    } = await pipeline({
      page: paged(newestFirst, page),
      counted: all.where('readAt', 'is', null).select(sql<number>`count(*)`.as('unread')).executeTakeFirstOrThrow(),
      language: languageOf(db),
    })
    return { notifications: rows.map((row) => toNotification(language, row)), unreadCount: counted.unread, pagination }
  },
})

export const read = operation({
  name: 'users_notification_read',
  http: 'POST /api/notifications/{id}/read',
  does: 'Marks a notification as read.',
  scope: 'users:write',
  within: 'caller',
  input: ById,
  output: Notification,
  async run({ db, who }, { id }) {
    const marked = db
      .updateTable('notifications')
      .set({ readAt: sql<string>`coalesce(read_at, now())` })
      .where('id', '=', toUuid(id))
      .where(isReachable(await who))
      .returning(columns)
    const { row, language } = await pipeline({
      row: one(marked, 'notification'),
      language: languageOf(db),
    })
    return toNotification(language, row)
  },
})

export const readAll = operation({
  name: 'users_notifications_read_all',
  http: 'POST /api/notifications/read-all',
  does: 'Marks every notification of the caller as read, or those of one organization.',
  scope: 'users:write',
  within: 'caller',
  input: InOrganization,
  output: Type.Object({ ...Success.properties, readCount: Count }),
  async run({ db, who }, { organizationId }) {
    const { numUpdatedRows } = await db
      .updateTable('notifications')
      .set({ readAt: sql<string>`now()` })
      .where('readAt', 'is', null)
      .where(isReachable(await who, await requireMembership(db, organizationId)))
      .executeTakeFirstOrThrow()
    return { ...success, readCount: Number(numUpdatedRows) }
  },
})

const columns = ['id', 'organizationId', 'kind', 'data', 'readAt', 'createdAt'] as const

type Row = Omit<Notification, 'text' | 'data'> & { data: unknown }

const toNotification = (language: Language, row: Row): Notification => ({
  ...row,
  data: row.data as Notification['data'],
  text: textOf(language, row),
})

const languageOf = async (db: Database): Promise<Language> =>
  (await db.selectFrom('users').select('locale').where('id', '=', sql<string>`current_person()`).executeTakeFirst())
    ?.locale ?? 'en'

/** The organization that the caller named, if the caller belongs to it. */
async function requireMembership(db: Database, organizationId: string | undefined) {
  if (organizationId === undefined) return undefined
  const id = toUuid(organizationId)
  const { rows } = await sql<{ here: boolean }>`select belongs_to_all(${[id]}::uuid[]) as here`.execute(db)
  if (!rows[0]?.here) throw forbidden('You do not belong to that organization.', 'ORGANIZATION')
  return id
}

/** A key or an app sees only notifications of the organizations that it reaches (INV-18). */
const isReachable =
  ({ keyId, appId }: Person, organizationId?: string) =>
  (row: ExpressionBuilder<Tables, 'notifications'>) => {
    const here = organizationId ? row('organizationId', '=', organizationId) : sql<boolean>`true`
    if (!keyId && !appId) return sql<boolean>`${here}`
    const reached = keyId ? reachedByKey(keyId) : reachedByApp(appId)
    return sql<boolean>`${here} and (organization_id is null or ${reached})`
  }

const reachedByKey = (keyId: string) =>
  sql`exists (select from api_keys k where k.id = ${keyId} and (k.all_orgs or exists (select from api_key_organizations o
    where o.api_key_id = k.id and o.organization_id = notifications.organization_id)))`

const reachedByApp = (appId: string | null) =>
  sql`exists (select from connected_app_organizations o
    where o.app_id = ${appId} and o.organization_id = notifications.organization_id)`
