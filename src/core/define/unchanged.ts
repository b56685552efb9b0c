import { sql } from 'kysely'
import { type Detail, Failure } from './failure.ts'
import type { Database, Inside } from './operation.ts'

/** For a read whose answer has the time of the last change as its version. */
export const showsUpdatedAt = { version: 'SHOWN', versionField: 'updatedAt' } as const

/** For a change that may name, with If-Match, the `updatedAt` that the caller has read. */
export const checksUpdatedAt = { version: 'CHECKED', versionField: 'updatedAt' } as const

type Current = { id: string; noun: string; updatedAt: string | null }

/**
 * Refuses a change of something that was changed since the caller read it: 409 with who changed it, when, and which fields.
 * The row must be locked before `updatedAt` is read, so that of two changes at the same time one is refused.
 */
export async function requireUnchanged(
  { db, expectedUpdatedAt }: Pick<Inside, 'db' | 'expectedUpdatedAt'>,
  current: Current,
): Promise<void> {
  if (expectedUpdatedAt === undefined || expectedUpdatedAt === (current.updatedAt ?? 'none')) return
  throw changedSince(current, await changesSince(db, current.id, expectedUpdatedAt))
}

function changedSince({ noun, updatedAt }: Current, changes: readonly Change[]): Failure {
  const [last] = changes
  const by = last ? ` ${last.by ?? 'The product'} did so last, at ${last.at}.` : ''
  const message = `The ${noun} was changed since you read it.${by} Read it again and repeat your change.`
  const params = { updatedAt, changedBy: last?.by ?? null, changedAt: last?.at ?? updatedAt }
  return new Failure('CONFLICT', message, {
    details: [{ path: '', message, code: 'VERSION_CONFLICT', params }, ...fieldDetails(changes)],
  })
}

/** Each changed field once, with its last change. */
function fieldDetails(changes: readonly Change[]): Detail[] {
  const last = new Map<string, Change>()
  for (const change of changes) for (const field of change.fields) if (!last.has(field)) last.set(field, change)
  return [...last].map(([path, { by, at }]) => ({
    path,
    message: `${by ?? 'The product'} changed ${path} at ${at}.`,
    code: 'CHANGED',
    params: { changedBy: by, changedAt: at },
  }))
}

type Change = { by: string | null; at: string; fields: string[] }

/** What the audit trail says about the changes after a time, the last one first. Some say which fields they changed. */
async function changesSince(db: Database, id: string, since: string): Promise<Change[]> {
  const rows = await db
    .selectFrom('auditLog as a')
    .leftJoin('users as u', 'u.id', 'a.userId')
    .select(['u.name as by', 'a.createdAt as at', sql<unknown>`a.detail`.as('detail')])
    .where('a.organizationId', '=', sql<string>`current_organization()`)
    .where('a.objectId', '=', id)
    // `since` has milliseconds, and the change that it stands for may have been some microseconds later
    .where(
      'a.createdAt',
      '>',
      sql<string>`${since === 'none' ? '-infinity' : since}::timestamptz + interval '1 millisecond'`,
    )
    .orderBy('a.createdAt', 'desc')
    .orderBy('a.id', 'desc')
    .limit(sql.lit(20))
    .execute()
  return rows.map(({ by, at, detail }) => ({ by, at, fields: fieldsIn(detail) }))
}

/** Audit rows name changed fields as `fields: [...]`, or as `changed` by name. */
function fieldsIn(detail: unknown): string[] {
  const { fields, changed } = (detail ?? {}) as { fields?: unknown; changed?: unknown }
  if (Array.isArray(fields)) return fields.map(String)
  return Array.isArray(changed) ? changed.map(String) : Object.keys((changed as object | undefined) ?? {})
}
