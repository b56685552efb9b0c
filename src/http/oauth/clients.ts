import type { Egress } from '../../core/outside/egress.ts'
import { newId, sha256 } from '../../core/values/id.ts'
import { parseUrl } from '../../core/values/url.ts'
import type { Pool } from '../../db/pool.ts'
import { type ClientMetadata, InvalidClientMetadata, parseClientMetadata } from './client-metadata.ts'

/** The apps that may request access: those registered here, and those whose id is the URL of a metadata document. */
export type Clients = {
  register(metadata: ClientMetadata, secret: string | undefined): Promise<{ id: string; issuedAt: number }>
  /** Undefined for an unknown id. Throws InvalidClientMetadata or TargetFailure if the document at the URL cannot be used. */
  find(id: string): Promise<Client | undefined>
}

export type Client = { id: string; metadata: ClientMetadata; secretHash: Buffer | null }

type ClientsDependencies = { pool: Pool; egress: Egress; mode: 'local' | 'strict' }
type Row = { metadata: ClientMetadata; secretHash: Buffer | null; isFresh: boolean | null; isRecent: boolean | null }

export function createClients(dependencies: ClientsDependencies): Clients {
  const pending = new Map<string, Promise<ClientMetadata>>()

  /** Concurrent callers share one fetch of a document. */
  function fetchOnce(id: string): Promise<ClientMetadata> {
    const known = pending.get(id)
    if (known) return known
    const fetching = fetchDocument(dependencies, id).finally(() => pending.delete(id))
    pending.set(id, fetching)
    return fetching
  }

  return {
    async register(metadata, secret) {
      const id = newId()
      const { rows } = await dependencies.pool.use((_, connection) =>
        connection.query(insertText, [id, metadata, secret === undefined ? null : sha256(secret)]),
      )
      return { id, issuedAt: Number(rows[0]?.issuedAt) }
    },

    async find(id) {
      const row = await readRow(dependencies.pool, id)
      if (row && row.isFresh !== false) return { id, metadata: row.metadata, secretHash: row.secretHash }
      if (!isMetadataDocumentUrl(id, dependencies.mode)) return undefined
      try {
        return { id, metadata: await fetchOnce(id), secretHash: null }
      } catch (error) {
        // The site of the app may be down, so metadata fetched within the last day is still used.
        if (row?.isRecent && !(error instanceof InvalidClientMetadata))
          return { id, metadata: row.metadata, secretHash: null }
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
      [id.slice(0, idMaxLength + 1)],
    )
    return rows[0] as Row | undefined
  })

const idMaxLength = 2048

/**
 * Whether a client id is the URL of a metadata document: https, normalized, with a path. In local mode it may also be http
 * on a loopback address.
 */
export function isMetadataDocumentUrl(id: string, mode: 'local' | 'strict'): boolean {
  const url = id.length > idMaxLength ? undefined : parseUrl(id)
  if (!url) return false
  const { protocol, hostname, username, password, pathname, href } = url
  const isLocal = mode === 'local' && protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  const isPlain = href === id && !username && !password && !id.includes('#') && pathname !== '/'
  return isPlain && (protocol === 'https:' || isLocal)
}

async function fetchDocument({ pool, egress }: ClientsDependencies, id: string): Promise<ClientMetadata> {
  const { text, cacheControl } = await egress.readDocument(id)
  const metadata = parseMetadataDocument(id, text)
  await pool.use((_, connection) => connection.query(upsertText, [id, metadata, cacheSeconds(cacheControl)]))
  return metadata
}

const upsertText = `insert into oauth_clients (id, metadata, fetched_at, fresh_until)
  values ($1, $2, now(), now() + make_interval(secs => $3))
  on conflict (id) do update
    set metadata = excluded.metadata, fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until
    where oauth_clients.fetched_at is not null`

/** Parses a metadata document. It must name its own URL as the client id, and a client with a public document has no secret. */
export function parseMetadataDocument(id: string, text: string): ClientMetadata {
  const invalid = (sentence: string) => new InvalidClientMetadata('invalid_client_metadata', sentence)
  let document: { client_id?: unknown } | null
  try {
    document = JSON.parse(text)
  } catch {
    throw invalid('The document at the client id is not JSON.')
  }
  if (document?.client_id !== id) throw invalid('The document at the client id names another client id.')
  if ('client_secret' in document) throw invalid('A client with a metadata document cannot have a secret.')
  const metadata = parseClientMetadata(document, { authMethod: 'none' })
  if (metadata.token_endpoint_auth_method === 'none') return metadata
  throw invalid('A client with a metadata document must use the token_endpoint_auth_method none.')
}

/** The max-age of the answer, but at least five minutes and at most a day. */
export function cacheSeconds(cacheControl: string | undefined): number {
  const maxAge = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl ?? '')?.[1]
  const fresh = /no-store|no-cache/i.test(cacheControl ?? '') ? 0 : Number(maxAge ?? 0)
  return Math.min(Math.max(fresh, 300), 86_400)
}
