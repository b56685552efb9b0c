import type { Connection } from '../db/connection.ts'
import { conflict, Failure } from './failure.ts'
import type { Seal } from './seal.ts'

/** An answer that a retry with the same Idempotency-Key gets again (reliability IDEM). */
export type Remembered = { status: number; body: string }

/** A retry's claim: the key as sent, and what it was sent with. */
export type Claim = { key: string; fingerprint: Buffer; principal: string | null }

const sealedMinutes = 10

/** A key is 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (text: string) => /^[\x21-\x7e]{1,255}$/.test(text)

const insertText = `insert into idempotency_keys (principal, organization_id, key, fingerprint, locked_until)
  values (coalesce($1, 'user:' || current_person()), current_organization(), $2, $3, now() + $4::interval)
  on conflict (principal, organization_id, key) do nothing`
const selectText = `select fingerprint, status, body, sealed, locked_until, locked_until > now() as locked,
    created_at > now() - make_interval(mins => ${sealedMinutes}) as fresh
  from idempotency_keys where principal = coalesce($1, 'user:' || current_person())
    and organization_id is not distinct from current_organization() and key = $2`

/**
 * Claims the key before any effect, in the effect's own transaction: another request with the same key waits here until
 * that one has committed or rolled back. Both statements travel with what the caller has already sent.
 */
export async function claim(connection: Connection, { key, fingerprint, principal }: Claim, leaseS: number) {
  const [inserted, found] = await Promise.all([
    connection.query(insertText, [principal, key, fingerprint, `${leaseS} seconds`]),
    connection.query(selectText, [principal, key]),
  ])
  return { mine: inserted.affected === 1, row: found.rows[0] as Row | undefined }
}

type Row = {
  fingerprint: Buffer
  status: number | null
  body: string | null
  sealed: boolean
  locked: boolean | null
  fresh: boolean
}

/** The remembered answer, or undefined when the work is still to be done (a lease that ran out is taken over). */
export function recall(
  row: Row | undefined,
  { fingerprint }: Claim,
  { seal, sessionId }: { seal: Seal; sessionId: string | null },
) {
  if (!row) return undefined
  if (!row.fingerprint.equals(fingerprint)) {
    throw conflict(
      'This Idempotency-Key was used with another request. Use a new key for a new request.',
      'IDEMPOTENCY_KEY_REUSED',
    )
  }
  if (row.status === null) {
    if (row.locked) throw inProgress()
    return undefined
  }
  if (!row.sealed) return { status: row.status, body: row.body ?? 'null' }
  const body = row.fresh && row.body ? seal.open(row.body, `idempotency:${sessionId}`) : undefined
  if (body === undefined) {
    throw conflict('This request was carried out; its secret is shown once and cannot be shown again.', 'SECRET_SHOWN')
  }
  return { status: row.status, body }
}

export const inProgress = () => {
  const message = 'A request with this Idempotency-Key is still being carried out. Try again shortly.'
  return new Failure('CONFLICT', message, {
    details: [{ path: '', message, code: 'IDEMPOTENCY_IN_PROGRESS' }],
    retryAfterS: 2,
  })
}

const keepText = `update idempotency_keys set status = $3, body = $4, sealed = $5, locked_until = null
  where principal = coalesce($1, 'user:' || current_person())
    and organization_id is not distinct from current_organization() and key = $2`

/** Remembers the answer, in the transaction that made it true. */
export const keep = (
  connection: Connection,
  { key, principal }: Claim,
  { status, body }: Remembered,
  sealed: boolean,
) => connection.query(keepText, [principal, key, status, body, sealed])

/** Refusals that would be the same again (404, 409) are remembered too; what the caller can mend is not (IDEM-7). */
export const isLasting = (failure: unknown): failure is Failure =>
  failure instanceof Failure &&
  (failure.status === 404 || failure.status === 409) &&
  failure.details.every(({ code }) => !code?.startsWith('IDEMPOTENCY'))
