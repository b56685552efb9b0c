import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidClient, InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import { Failure } from '../../core/define/failure.ts'
import { isId, newId, sha256 } from '../../core/values/id.ts'
import type { Pool } from '../../db/pool.ts'
import { ClientRefused } from './client-metadata.ts'
import type { Clients } from './clients.ts'

/** Where oidc-provider keeps things, by the names it gives them. */
export function createStorage(pool: Pool, clients: Clients): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return { ...nothing, find: (id) => findClient(clients, id) }
    if (kind === 'Grant') return connectedApps(pool)
    return tokenKinds.has(kind) ? tokens(pool, kind) : nothing
  }
}

const tokenKinds = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken', 'Interaction'])

/** Its sessions are among what is not kept: a person's session is ours, and asked for each time. */
const nothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}

/** A secret is compared by its hash, see provider.ts. */
async function findClient(clients: Clients, id: string): Promise<AdapterPayload | undefined> {
  try {
    const client = await clients.find(id)
    const secret = client?.secretHash?.toString('base64url')
    return client && { ...client.facts, client_id: id, ...(secret && { client_secret: secret }) }
  } catch (error) {
    if (error instanceof ClientRefused || (error instanceof Failure && error.status === 400)) {
      throw new InvalidClient(error.message)
    }
    throw error
  }
}

const epoch = () => Math.floor(Date.now() / 1000)

/**
 * Codes, tokens and requests under way: found by the hash of their id, which itself is not kept. The database's clock says
 * when they end, and what is left of their time is told by ours.
 */
function tokens(pool: Pool, kind: string): Adapter {
  const ask = (text: string, values: unknown[]) => pool.use((_, connection) => connection.query(text, values))
  return {
    ...nothing,
    async upsert(id, { jti: _, ...payload }, expiresIn = 0) {
      const { grantId = null, scope, aud = null, returnTo } = payload
      const kept = returnTo ? { ...payload, returnTo: returnTo.replace(id, '') } : payload
      const scopes = kind === 'AccessToken' ? (scope ?? '').split(' ').filter(Boolean) : null
      await ask(upsertText, [kind, sha256(id), grantId, kept, scopes, aud, expiresIn])
    },
    async find(id) {
      const { rows } = await ask(findText, [kind, sha256(id)])
      const found = rows[0] as { payload: AdapterPayload; leftS: number } | undefined
      if (!found) return undefined
      const { returnTo } = found.payload
      return {
        ...found.payload,
        jti: id,
        exp: epoch() + Math.ceil(found.leftS),
        ...(returnTo && { returnTo: returnTo + id }),
      }
    },
    async consume(id) {
      const { rows } = await ask('select consume_oauth_token($1, $2, $3) as mine', [kind, sha256(id), newId()])
      if (!rows[0]?.mine) throw new InvalidGrant('it was used before')
    },
    async destroy(id) {
      await ask('delete from oauth_tokens where kind = $1 and secret_hash = $2', [kind, sha256(id)])
    },
    async revokeByGrantId(appId) {
      if (isId(appId)) await ask('delete from oauth_tokens where kind = $1 and app_id = $2', [kind, appId])
    },
  }
}

const upsertText = `insert into oauth_tokens (kind, secret_hash, app_id, payload, scopes, audience, expires_at)
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
  on conflict (secret_hash, kind) do update set payload = excluded.payload, expires_at = excluded.expires_at`

const findText = `select payload, extract(epoch from expires_at - now())::float8 as left_s from oauth_tokens
  where kind = $1 and secret_hash = $2 and expires_at > now()`

/** What people agreed to is written by the consent page and only read and revoked here. */
function connectedApps(pool: Pool): Adapter {
  const ask = (text: string, id: string) =>
    pool.use(async (_, connection) => (isId(id) ? (await connection.query(text, [id])).rows[0] : undefined))
  return {
    ...nothing,
    async find(id) {
      const app = (await ask(findAppText, id)) as FoundApp | undefined
      const scope = app?.scopes.join(' ')
      return (
        app && {
          kind: 'Grant',
          jti: id,
          accountId: app.userId,
          clientId: app.clientId,
          resources: Object.fromEntries(app.resources.map((resource) => [resource, scope])),
          openid: { scope: 'offline_access' },
          iat: app.issuedAt,
          exp: epoch() + Math.ceil(app.leftS),
        }
      )
    },
    async destroy(id) {
      await ask('update connected_apps set revoked_at = coalesce(revoked_at, now()) where id = $1', id)
    },
  }
}

type FoundApp = {
  userId: string
  clientId: string
  scopes: string[]
  resources: string[]
  issuedAt: number
  leftS: number
}

const findAppText = `select user_id, client_id, scopes, resources, extract(epoch from created_at)::float8 as issued_at,
    extract(epoch from expires_at - now())::float8 as left_s
  from connected_apps where id = $1 and revoked_at is null and expires_at > now()`
