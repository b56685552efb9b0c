import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidClient, InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import { Failure } from '../../core/define/failure.ts'
import { isId, newId, sha256 } from '../../core/values/id.ts'
import type { Pool } from '../../db/pool.ts'
import { InvalidClientMetadata } from './client-metadata.ts'
import type { Clients } from './clients.ts'

/** The storage of oidc-provider: one adapter for each kind of record, under the library's names. */
export function createStorage(pool: Pool, clients: Clients): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return { ...emptyAdapter, find: (id) => findClient(clients, id) }
    if (kind === 'Grant') return grantAdapter(pool)
    return tokenKinds.has(kind) ? tokenAdapter(pool, kind) : emptyAdapter
  }
}

const tokenKinds = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken', 'Interaction'])

/** For kinds that are not stored. The library's sessions are among them: Kontor's own session is checked each time. */
const emptyAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
}

/** The secret is given to the library as its hash, see `compareSecretsByHash` in provider.ts. */
async function findClient(clients: Clients, id: string): Promise<AdapterPayload | undefined> {
  try {
    const client = await clients.find(id)
    const secret = client?.secretHash?.toString('base64url')
    return client && { ...client.metadata, client_id: id, ...(secret && { client_secret: secret }) }
  } catch (error) {
    if (error instanceof InvalidClientMetadata || (error instanceof Failure && error.status === 400)) {
      throw new InvalidClient(error.message)
    }
    throw error
  }
}

const epochSeconds = () => Math.floor(Date.now() / 1000)

/**
 * Codes, tokens and pending requests, stored under the hash of their id; the id itself is not stored. The clock of the
 * database decides when they expire. The library compares with the clock of this process, so it gets the remaining time.
 */
function tokenAdapter(pool: Pool, kind: string): Adapter {
  const query = (text: string, values: unknown[]) => pool.use((_, connection) => connection.query(text, values))
  return {
    ...emptyAdapter,
    async upsert(id, { jti: _, ...payload }, expiresIn = 0) {
      const { grantId = null, scope, aud = null, returnTo } = payload
      const stored = returnTo ? { ...payload, returnTo: returnTo.replace(id, '') } : payload
      const scopes = kind === 'AccessToken' ? (scope ?? '').split(' ').filter(Boolean) : null
      await query(upsertText, [kind, sha256(id), grantId, stored, scopes, aud, expiresIn])
    },
    async find(id) {
      const { rows } = await query(findText, [kind, sha256(id)])
      const found = rows[0] as { payload: AdapterPayload; leftS: number } | undefined
      if (!found) return undefined
      const { returnTo } = found.payload
      return {
        ...found.payload,
        jti: id,
        exp: epochSeconds() + Math.ceil(found.leftS),
        ...(returnTo && { returnTo: returnTo + id }),
      }
    },
    async consume(id) {
      const { rows } = await query('select consume_oauth_token($1, $2, $3) as is_first', [kind, sha256(id), newId()])
      if (!rows[0]?.isFirst) throw new InvalidGrant('it was already used')
    },
    async destroy(id) {
      await query('delete from oauth_tokens where kind = $1 and secret_hash = $2', [kind, sha256(id)])
    },
    async revokeByGrantId(appId) {
      if (isId(appId)) await query('delete from oauth_tokens where kind = $1 and app_id = $2', [kind, appId])
    },
  }
}

const upsertText = `insert into oauth_tokens (kind, secret_hash, app_id, payload, scopes, audience, expires_at)
  values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
  on conflict (secret_hash, kind) do update set payload = excluded.payload, expires_at = excluded.expires_at`

const findText = `select payload, extract(epoch from expires_at - now())::float8 as left_s from oauth_tokens
  where kind = $1 and secret_hash = $2 and expires_at > now()`

/** Grants are connected apps: the consent page writes them, and the library reads and revokes them. */
function grantAdapter(pool: Pool): Adapter {
  const query = (text: string, id: string) =>
    pool.use(async (_, connection) => (isId(id) ? (await connection.query(text, [id])).rows[0] : undefined))
  return {
    ...emptyAdapter,
    async find(id) {
      const app = (await query(findAppText, id)) as FoundApp | undefined
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
          exp: epochSeconds() + Math.ceil(app.leftS),
        }
      )
    },
    async destroy(id) {
      await query('update connected_apps set revoked_at = coalesce(revoked_at, now()) where id = $1', id)
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
