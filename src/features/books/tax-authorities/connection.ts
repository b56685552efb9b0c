import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { lockFor } from '../../../core/define/query.ts'
import type { Environment } from '../../../core/outside/tax-authority.ts'
import type { SecretPlace } from '../../../core/secrets/sealed.ts'
import { Secret } from '../../../core/secrets/secret.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { newId } from '../../../core/values/id.ts'
import type { Credentials } from './integrations.ts'

type Scope = { db: Database; secrets: Secrets; organizationId: string }

/** The tokens that the authority issued, as they are stored: the clock of this process says until when they are used. */
export type StoredTokens = { accessToken: string; accessUntil: string; refreshToken: string | null }

/** What an organization entered for an integration, opened for use. */
export type Connection = {
  id: string
  environment: Environment
  credentials: Credentials
}

const statusColumns = ['id', 'environment', 'isValidated', 'lastValidatedAt', 'validationError'] as const

/** The connection without its secrets. */
export const connectionStatus = (db: Database, integrationId: string) =>
  db
    .selectFrom('taxAuthorityConnections')
    .select(statusColumns)
    .where('integrationId', '=', integrationId)
    .executeTakeFirst()

/** The connection with its credentials, to be used in this process and not shown. */
export async function openConnection(
  { db, secrets, organizationId }: Scope,
  integrationId: string,
): Promise<Connection | undefined> {
  const row = await db
    .selectFrom('taxAuthorityConnections')
    .select(['id', 'environment', 'credentials'])
    .where('integrationId', '=', integrationId)
    .executeTakeFirst()
  if (!row) return undefined
  const opened = await secrets.vault.open(db, placeOf({ organizationId, id: row.id }, 'credentials'), row.credentials)
  return { id: row.id, environment: row.environment, credentials: JSON.parse(opened.reveal()) as Credentials }
}

/** Replaces what was entered before, together with what was proven about it and its tokens: the row is another one. */
export async function saveConnection(
  { db, secrets, organizationId }: Scope,
  { integrationId, environment, credentials }: Omit<Connection, 'id'> & { integrationId: string },
): Promise<void> {
  await lockFor(db, `tax authority ${integrationId}`)
  await db.deleteFrom('taxAuthorityConnections').where('integrationId', '=', integrationId).execute()
  const id = newId()
  const sealed = await secrets.vault.close(
    db,
    placeOf({ organizationId, id }, 'credentials'),
    new Secret(JSON.stringify(credentials)),
  )
  await db
    .insertInto('taxAuthorityConnections')
    .values({ id, integrationId, environment, credentials: sealed })
    .execute()
}

type ConnectionRef = { organizationId: string; id: string }

/**
 * Reads the tokens and locks the connection until the transaction ends. `isRefreshing` says that another process is using the
 * refresh token. Undefined if the connection was replaced.
 */
export async function lockTokens({ db, secrets, organizationId, id }: Scope & { id: string }) {
  const row = await db
    .selectFrom('taxAuthorityConnections')
    .select(['tokens', sql<boolean>`coalesce(refreshing_until > now(), false)`.as('isRefreshing')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const opened = row.tokens && (await secrets.vault.open(db, placeOf({ organizationId, id }, 'tokens'), row.tokens))
  return { isRefreshing: row.isRefreshing, tokens: opened ? (JSON.parse(opened.reveal()) as StoredTokens) : null }
}

/** Longer than a call of the authority takes. */
const refreshingS = 30

export const beginRefresh = (db: Database, id: string) =>
  db
    .updateTable('taxAuthorityConnections')
    .set({ refreshingUntil: sql<string>`now() + make_interval(secs => ${refreshingS})` })
    .where('id', '=', id)
    .execute()

/** Stores new tokens, or gives the refresh token free again after a call that brought none. */
export async function endRefresh(
  { db, secrets, organizationId, id }: Scope & { id: string },
  tokens: StoredTokens | undefined,
): Promise<void> {
  const place = placeOf({ organizationId, id }, 'tokens')
  const sealed = tokens && (await secrets.vault.close(db, place, new Secret(JSON.stringify(tokens))))
  await db
    .updateTable('taxAuthorityConnections')
    .set({ refreshingUntil: null, ...(sealed && { tokens: sealed }) })
    .where('id', '=', id)
    .execute()
}

/** Notes that the credentials work, or why not. */
export const noteValidation = (db: Database, id: string, error: string | null) =>
  db
    .updateTable('taxAuthorityConnections')
    .set(
      error === null
        ? { isValidated: true, lastValidatedAt: sql<string>`now()`, validationError: null, failureNotifiedAt: null }
        : { isValidated: false, validationError: error },
    )
    .where('id', '=', id)
    .execute()

const placeOf = ({ organizationId, id }: ConnectionRef, column: 'credentials' | 'tokens'): SecretPlace => ({
  table: 'tax_authority_connections',
  column,
  rowId: id,
  organizationId,
})
