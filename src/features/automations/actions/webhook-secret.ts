import { sql } from 'kysely'
import type { Inside } from '../../../core/define/operation.ts'
import { lockFor } from '../../../core/define/query.ts'
import type { SecretPlace } from '../../../core/secrets/sealed.ts'
import { Secret } from '../../../core/secrets/secret.ts'
import { newWebhookSecret } from '../../../core/secrets/webhook-signature.ts'
import { newId } from '../../../core/values/id.ts'

/** How long the secret before the current one still signs too, so that receivers can change over. */
export const changeoverH = 24

type Keeping = Pick<Inside, 'db' | 'secrets'> & { organizationId: string }

export type WebhookSecret = { secret: Secret; createdAt: string; previousUntil: string | null }

/** What webhooks are signed with now, the current one first; none while nobody has asked for one. */
export async function webhookSecrets({ db, secrets, organizationId }: Keeping): Promise<WebhookSecret[]> {
  const lasting = sql<string | null>`replaced_at + make_interval(hours => ${changeoverH})`
  const rows = await db
    .selectFrom('webhookSecrets')
    .select(['id', 'secret', 'createdAt', lasting.as('previousUntil')])
    .where((where) => where.or([where('replacedAt', 'is', null), where(lasting, '>', sql<string>`now()`)]))
    .orderBy(sql`replaced_at nulls first`)
    .execute()
  return Promise.all(
    rows.map(async ({ id, secret, ...rest }) => ({
      ...rest,
      secret: await secrets.vault.open(db, placeOf(organizationId, id), secret),
    })),
  )
}

/** The same, with a first one made where there is none. */
export async function signingSecrets(keeping: Keeping): Promise<Secret[]> {
  const found = await webhookSecrets(keeping)
  if (found.some(({ previousUntil }) => previousUntil === null)) return found.map(({ secret }) => secret)
  await addSecret(keeping) // somebody else may be faster, and then theirs is the one
  return (await webhookSecrets(keeping)).map(({ secret }) => secret)
}

/** A new secret. The one before it signs beside it for a day, the one before that no more. */
export async function rotateSecret(keeping: Keeping): Promise<void> {
  const { db } = keeping
  await lockFor(db, 'webhook secrets')
  await db.deleteFrom('webhookSecrets').where('replacedAt', 'is not', null).execute()
  await db.updateTable('webhookSecrets').set({ replacedAt: sql<string>`now()` }).execute()
  await addSecret(keeping)
}

async function addSecret({ db, secrets, organizationId }: Keeping) {
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
