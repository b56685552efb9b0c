import { sql } from 'kysely'
import { operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, one, toUuid } from '../../../core/define/query.ts'
import { ById, Instant, Type } from '../../../core/define/schema.ts'
import { ConnectedApp } from './connected-app.ts'

const sources = ['SESSION'] as const

export const list = operation({
  name: 'users_connected_apps',
  http: 'GET /api/users/me/connected-apps',
  does: 'Lists the apps that the signed-in person has connected and not taken back, newest first.',
  scope: 'users:read',
  sources,
  within: 'caller',
  input: Type.Object({}),
  output: Type.Object({ apps: wholeList(ConnectedApp) }),
  flushesUsage: true,
  run: async ({ db }) => ({
    apps: await bounded(db.selectFrom('connectedApps'))
      .select(['id', 'clientId', 'clientName', 'clientUri', 'scopes', 'createdAt', 'lastUsedAt'])
      .select(sql<ConnectedApp['organizations']>`organizations_of_connected_app(id)`.as('organizations'))
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', sql<string>`now()`)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .execute(),
  }),
})

export const revoke = operation({
  name: 'users_connected_app_revoke',
  http: 'DELETE /api/users/me/connected-apps/{id}',
  does: 'Disconnects an app at once and for good; it has to ask again.',
  scope: 'users:write',
  sources,
  within: 'caller',
  input: ById,
  output: Type.Object({ revokedAt: Instant }),
  async run({ db }, { id }) {
    const app = await one(
      db
        .updateTable('connectedApps')
        .set({ revokedAt: sql<string>`coalesce(revoked_at, now())` })
        .where('id', '=', toUuid(id))
        .returning('revokedAt'),
      'connected app',
    )
    return { revokedAt: app.revokedAt ?? '' }
  },
})
