import { sql } from 'kysely'
import { conflict, forbidden } from '../../../core/define/failure.ts'
import { requireLiveSession } from '../../../core/define/live-session.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { wholeList } from '../../../core/define/page.ts'
import { bounded, one, toUuid } from '../../../core/define/query.ts'
import { ById, defaulted, Instant, Type } from '../../../core/define/schema.ts'
import { newId } from '../../../core/values/id.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { ApiKey, ApiKeyChanges, ApiKeyUsage, NewApiKey, newKeySecret } from './api-key.ts'

const sources = ['SESSION'] as const

export const list = operation({
  name: 'api_keys_list',
  http: 'GET /api/api-keys',
  does: 'Lists the API keys of the signed-in person, revoked ones included, newest first.',
  scope: 'users:read',
  sources,
  within: 'caller',
  input: Type.Object({}),
  output: Type.Object({ keys: wholeList(ApiKey) }),
  flushesUsage: true,
  run: async ({ db }) => ({
    keys: await bounded(keys(db)).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute(),
  }),
})

export const create = operation({
  name: 'api_keys_create',
  http: 'POST /api/api-keys',
  does: 'Makes an API key; its secret is in this answer and never again.',
  scope: 'users:write',
  sources,
  within: 'caller',
  input: NewApiKey,
  output: Type.Object({ key: ApiKey, secret: Type.String() }),
  status: 201,
  rate: 'keyCreation',
  signedInWithinH: 12,
  secret: true,
  async run({ db, who }, { organizationIds = [], ...given }) {
    await requireLiveSession(db, await who)
    await requireMembership(db, organizationIds)
    const { secret, ...stored } = newKeySecret()
    const id = newId()
    await db
      .insertInto('apiKeys')
      .values({ id, ...given, expiresAt: given.expiresAt ?? null, ...stored })
      .execute()
    if (organizationIds.length > 0) {
      const rows = [...new Set(organizationIds.map((each) => each.toLowerCase()))].map((organizationId) => ({
        apiKeyId: id,
        organizationId,
      }))
      await db.insertInto('apiKeyOrganizations').values(rows).execute()
    }
    return { key: await one(keys(db).where('id', '=', id), 'API key'), secret }
  },
})

export const get = operation({
  name: 'api_keys_get',
  http: 'GET /api/api-keys/{id}',
  does: 'Reads one API key, without its secret.',
  scope: 'users:read',
  sources,
  within: 'caller',
  input: ById,
  output: Type.Object({ key: ApiKey }),
  flushesUsage: true,
  run: async ({ db }, { id }) => ({ key: await one(keys(db).where('id', '=', toUuid(id)), 'API key') }),
})

export const update = operation({
  name: 'api_keys_update',
  http: 'PATCH /api/api-keys/{id}',
  does: 'Renames an API key or changes when it expires; its reach is for good.',
  scope: 'users:write',
  sources,
  within: 'caller',
  input: ApiKeyChanges,
  output: Type.Object({ key: ApiKey }),
  async run({ db }, { id, ...changes }) {
    const key = await one(
      db.selectFrom('apiKeys').select('revokedAt').where('id', '=', toUuid(id)).forUpdate(),
      'API key',
    )
    if (key.revokedAt) throw conflict('This key is revoked and cannot be changed. Create a new one.', 'KEY_REVOKED')
    if (Object.keys(changes).length > 0) await db.updateTable('apiKeys').set(changes).where('id', '=', id).execute()
    return { key: await one(keys(db).where('id', '=', id), 'API key') }
  },
})

export const revoke = operation({
  name: 'api_keys_revoke',
  http: 'DELETE /api/api-keys/{id}',
  does: 'Revokes an API key at once and for good.',
  scope: 'users:write',
  sources,
  within: 'caller',
  input: ById,
  output: Type.Object({ revokedAt: Instant }),
  run({ db }, { id }) {
    const revokedAt = sql<string>`coalesce(revoked_at, now())`
    const revoked = db.updateTable('apiKeys').set({ revokedAt }).where('id', '=', toUuid(id))
    return one(revoked.returning(sql<string>`revoked_at`.as('revokedAt')), 'API key')
  },
})

export const usage = operation({
  name: 'api_keys_usage',
  http: 'GET /api/api-keys/{id}/usage',
  does: 'Tells how an API key was used: totals, by feature, and the most recent calls.',
  scope: 'users:read',
  sources,
  within: 'caller',
  input: Type.Object({
    id: ById.properties.id,
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 200 }), 50),
    sinceDays: defaulted(Type.Integer({ minimum: 1, maximum: 365 }), 7),
  }),
  output: ApiKeyUsage,
  flushesUsage: true,
  async run({ db }, { id, limit, sinceDays }) {
    await one(db.selectFrom('apiKeys').select('id').where('id', '=', toUuid(id)), 'API key')
    const since = sql<string>`now() - make_interval(days => ${sinceDays})`
    const calls = db.selectFrom('apiKeyCalls').where('apiKeyId', '=', id).where('createdAt', '>', since)
    const { totals, byFeature, recent } = await pipeline({
      totals: calls
        .select([callCount.as('callCount'), errorCount.as('errorCount'), averageMs])
        .executeTakeFirstOrThrow(),
      byFeature: calls
        .select(['feature', callCount.as('calls'), errorCount.as('errors')])
        .groupBy('feature')
        .orderBy('calls', 'desc')
        .orderBy('feature')
        .execute(),
      recent: calls.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute(),
    })
    return { totals, byFeature, recent }
  },
})

const callCount = sql<number>`count(*)`
const errorCount = sql<number>`count(*) filter (where status_code >= 400)`
const averageMs = sql<number | null>`round(avg(duration_ms), 2)::float8`.as('avgDurationMs')

/** Keys with the fields of the API. */
const keys = (db: Database) =>
  db
    .selectFrom('apiKeys')
    .select(['id', 'name', 'prefix', 'scopes', 'allOrgs', 'expiresAt', 'lastUsedAt', 'revokedAt', 'createdAt'])
    .select((key) =>
      sql<string[]>`array(${key
        .selectFrom('apiKeyOrganizations')
        .select('organizationId')
        .whereRef('apiKeyOrganizations.apiKeyId', '=', 'apiKeys.id')
        .orderBy('organizationId')})`.as('organizationIds'),
    )

/** A key can only reach organizations that its user belongs to. */
async function requireMembership(db: Database, organizationIds: string[]) {
  const { rows } = await sql<{
    all: boolean
  }>`select belongs_to_all(${organizationIds.map(toUuid)}::uuid[]) as all`.execute(db)
  if (!rows[0]?.all) throw forbidden('You do not belong to every organization in organizationIds.', 'ORGANIZATION')
}
