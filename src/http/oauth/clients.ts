import type { Egress } from '../../core/outside/egress.ts'
import { newId, sha256 } from '../../core/values/id.ts'
import type { Pool } from '../../db/pool.ts'
import { type ClientFacts, ClientRefused, readClient } from './client-metadata.ts'

/** The apps that may ask people for access: those that registered here, and those that describe themselves on the web. */
export type Clients = {
  register(facts: ClientFacts, secret: string | undefined): Promise<{ id: string; issuedAt: number }>
  /** Undefined for one that is not known; ClientRefused or TargetFailure for an address that describes none. */
  find(id: string): Promise<Client | undefined>
}

export type Client = { id: string; facts: ClientFacts; secretHash: Buffer | null }

type Means = { pool: Pool; egress: Egress; mode: 'local' | 'strict' }
type Row = { metadata: ClientFacts; secretHash: Buffer | null; isFresh: boolean | null; isRecent: boolean | null }

export function createClients(means: Means): Clients {
  const underway = new Map<string, Promise<ClientFacts>>()

  /** One fetch at a time for an address, however many ask. */
  function fetched(id: string): Promise<ClientFacts> {
    const known = underway.get(id)
    if (known) return known
    const fetching = fetchDocument(means, id).finally(() => underway.delete(id))
    underway.set(id, fetching)
    return fetching
  }

  return {
    async register(facts, secret) {
      const id = newId()
      const { rows } = await means.pool.use((_, connection) =>
        connection.query(insertText, [id, facts, secret === undefined ? null : sha256(secret)]),
      )
      return { id, issuedAt: Number(rows[0]?.issuedAt) }
    },

    async find(id) {
      const row = await readRow(means.pool, id)
      if (row && row.isFresh !== false) return { id, facts: row.metadata, secretHash: row.secretHash }
      if (!isDocumentAddress(id, means.mode)) return undefined
      try {
        return { id, facts: await fetched(id), secretHash: null }
      } catch (error) {
        // Its site may be down for a while: what it said within the last day still holds.
        if (row?.isRecent && !(error instanceof ClientRefused)) return { id, facts: row.metadata, secretHash: null }
        throw error
      }
    },
  }
}

const insertText = `insert into oauth_clients (id, metadata, secret_hash) values ($1, $2, $3)
  returning extract(epoch from created_at)::bigint as issued_at`

const readRow = (pool: Pool, id: string) =>
  pool.use(async (_, connection) => {
    const { rows } = await connection.query(
      `select metadata, secret_hash, fresh_until > now() as is_fresh, fetched_at > now() - interval '1 day' as is_recent
       from oauth_clients where id = $1`,
      [id.slice(0, idMax + 1)],
    )
    return rows[0] as Row | undefined
  })

const idMax = 2048

/**
 * Whether a client id is the address of the document that describes the client: https, in one plain spelling, with a path.
 * Where only this machine's own programs connect, it may be one of them.
 */
export function isDocumentAddress(id: string, mode: 'local' | 'strict'): boolean {
  if (id.length > idMax || !URL.canParse(id)) return false
  const { protocol, hostname, username, password, pathname, href } = new URL(id)
  const isLocal = mode === 'local' && protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  const isPlain = href === id && !username && !password && !id.includes('#') && pathname !== '/'
  return isPlain && (protocol === 'https:' || isLocal)
}

async function fetchDocument({ pool, egress }: Means, id: string): Promise<ClientFacts> {
  const { text, cacheControl } = await egress.readDocument(id)
  const facts = readDocument(id, text)
  await pool.use((_, connection) => connection.query(keepText, [id, facts, freshSeconds(cacheControl)]))
  return facts
}

const keepText = `insert into oauth_clients (id, metadata, fetched_at, fresh_until)
  values ($1, $2, now(), now() + make_interval(secs => $3))
  on conflict (id) do update
    set metadata = excluded.metadata, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until
    where oauth_clients.fetched_at is not null`

/** The document must be about itself, and a client that anybody can read about has no secret. */
export function readDocument(id: string, text: string): ClientFacts {
  const refused = (sentence: string) => new ClientRefused('invalid_client_metadata', sentence)
  let said: { client_id?: unknown } | null
  try {
    said = JSON.parse(text)
  } catch {
    throw refused('The document at the client id is not JSON.')
  }
  if (said?.client_id !== id) throw refused('The document at the client id is not about that client id.')
  if ('client_secret' in said) throw refused('A client that describes itself on the web cannot have a secret.')
  const facts = readClient(said, { authMethod: 'none' })
  if (facts.token_endpoint_auth_method === 'none') return facts
  throw refused('A client that describes itself on the web must use the token_endpoint_auth_method none.')
}

/** As long as its server says, within five minutes and a day. */
export function freshSeconds(cacheControl: string | undefined): number {
  const said = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl ?? '')?.[1]
  const fresh = /no-store|no-cache/i.test(cacheControl ?? '') ? 0 : Number(said ?? 0)
  return Math.min(Math.max(fresh, 300), 86_400)
}
