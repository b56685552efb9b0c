import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import type { Inside } from '../../../../core/define/operation.ts'
import { lockFor } from '../../../../core/define/query.ts'
import type { SecretPlace } from '../../../../core/secrets/sealed.ts'
import { Secret } from '../../../../core/secrets/secret.ts'
import { isLostSecret } from '../../../../core/secrets/vault.ts'
import { newWebhookSecret } from '../../../../core/secrets/webhook-signature.ts'
import { newId } from '../../../../core/values/id.ts'

/** How long the previous secret is used beside the current one, so that receivers have time to change. */
export const overlapHours = 24

type SecretScope = Pick<Inside, 'db' | 'secrets'> & { organizationId: string }

export type WebhookSecret = { secret: Secret; createdAt: string; previousUntil: string | null }

type SealedWebhookSecret = { id: string; secret: Buffer; createdAt: string; previousUntil: string | null }

/** The secrets that sign webhooks now, the current one first. Empty until the first one is made. */
export function sealedWebhookSecrets(db: Inside['db']): Promise<SealedWebhookSecret[]> {
  const validUntil = sql<string | null>`replaced_at + make_interval(hours => ${overlapHours})`
  return db
    .selectFrom('webhookSecrets')
    .select(['id', 'secret', 'createdAt', validUntil.as('previousUntil')])
    .where((where) => where.or([where('replacedAt', 'is', null), where(validUntil, '>', sql<string>`now()`)]))
    .orderBy(sql`replaced_at nulls first`)
    .execute()
}

export const webhookSecrets = async (scope: SecretScope): Promise<WebhookSecret[]> =>
  opened(scope, await sealedWebhookSecrets(scope.db))

async function opened(
  { db, secrets, organizationId }: SecretScope,
  sealed: readonly SealedWebhookSecret[],
): Promise<WebhookSecret[]> {
  const found = sealed.map(async ({ id, secret, ...rest }) => {
    const open = await secrets.vault.open(db, placeOf(organizationId, id), secret).catch(failUnlessLost)
    if (open) return [{ ...rest, secret: open }]
    if (rest.previousUntil === null) throw lostSecret()
    return [] // a lost one that was replaced since
  })
  return (await Promise.all(found)).flat()
}

const failUnlessLost = (error: unknown): undefined => {
  if (!isLostSecret(error)) throw error
}

const lostSecret = () =>
  conflict(
    'The secret that signs webhooks was lost together with the key of this installation. Make a new one (POST /api/organizations/{id}/webhook-secret/rotate) and give it to the receivers.',
    'SECRET_LOST',
  )

/** Opens the secrets, and makes the first one if there is none. */
export async function signingSecrets(scope: SecretScope, sealed: readonly SealedWebhookSecret[]): Promise<Secret[]> {
  const found = await opened(scope, sealed)
  if (found.some(({ previousUntil }) => previousUntil === null)) return found.map(({ secret }) => secret)
  await addSecret(scope) // if another request was faster, its secret is used
  return (await webhookSecrets(scope)).map(({ secret }) => secret)
}

/** Makes a new secret. The previous one is used beside it for a day; older ones are deleted. */
export async function rotateSecret(scope: SecretScope): Promise<void> {
  const { db } = scope
  await lockFor(db, 'webhook secrets')
  await db.deleteFrom('webhookSecrets').where('replacedAt', 'is not', null).execute()
  await db.updateTable('webhookSecrets').set({ replacedAt: sql<string>`now()` }).execute()
  await addSecret(scope)
}

async function addSecret({ db, secrets, organizationId }: SecretScope) {
  const id = newId()
  const secret = await secrets.vault.close(db, placeOf(organizationId, id), new Secret(newWebhookSecret()))
  await db
    .insertInto('webhookSecrets')
    .values({ id, secret })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const placeOf = (organizationId: string, rowId: string): SecretPlace => ({
  table: 'webhook_secrets',
  column: 'secret',
  rowId,
  organizationId,
})
