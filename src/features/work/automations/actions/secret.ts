import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import type { Inside } from '../../../../core/define/operation.ts'
import { lockFor } from '../../../../core/define/query.ts'
import type { SecretPlace } from '../../../../core/secrets/sealed.ts'
import type { Secret } from '../../../../core/secrets/secret.ts'
import { newId } from '../../../../core/values/id.ts'

/** The role that sets secrets, saves a graph that sends them, and that a run which sends them needs (THR-07). */
export const secretRole = 'MANAGER'

/** A database trigger refuses more, too. */
const secretsMax = 50

export const secretNamePattern = '^[A-Z][A-Z0-9_]{0,63}$'

type SecretScope = Pick<Inside, 'db' | 'secrets'> & { organizationId: string }

export const listSecrets = (db: Inside['db']) =>
  db.selectFrom('automationSecrets').select(['name', 'createdAt', 'updatedAt']).orderBy('name').execute()

/** Stores a secret under a name, instead of the one before it. */
export async function setSecret({ db, secrets, organizationId }: SecretScope, name: string, value: Secret) {
  await lockFor(db, 'automation secrets')
  const known = await db.selectFrom('automationSecrets').select(['id', 'name']).execute()
  const found = known.find((each) => each.name === name)
  if (!found && known.length >= secretsMax)
    throw conflict(`An organization can have at most ${secretsMax} secrets. Delete one first.`, 'TOO_MANY_SECRETS')
  const id = found?.id ?? newId()
  const sealed = await secrets.vault.close(db, placeOf(organizationId, id), value)
  const shown = ['name', 'createdAt', 'updatedAt'] as const
  if (!found)
    return db
      .insertInto('automationSecrets')
      .values({ id, name, value: sealed })
      .returning(shown)
      .executeTakeFirstOrThrow()
  const changed = { value: sealed, updatedAt: sql<string>`now()` }
  return db
    .updateTable('automationSecrets')
    .set(changed)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirstOrThrow()
}

/** The secrets with these names. One that does not exist fails the step. */
export async function openSecrets(
  { db, secrets, organizationId }: SecretScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, Secret>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('automationSecrets')
    .select(['id', 'name', 'value'])
    .where('name', 'in', [...names])
    .execute()
  const missing = names.find((name) => !rows.some((row) => row.name === name))
  if (missing !== undefined)
    throw invalid('headers', `There is no secret ${missing}. A manager can set it in this organization.`, 'NO_SECRET')
  const opened = rows.map(
    async ({ id, name, value }) => [name, await secrets.vault.open(db, placeOf(organizationId, id), value)] as const,
  )
  return new Map(await Promise.all(opened))
}

const placeOf = (organizationId: string, rowId: string): SecretPlace => ({
  table: 'automation_secrets',
  column: 'value',
  rowId,
  organizationId,
})
