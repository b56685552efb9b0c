import { pipeline } from '../../db/pipeline.ts'
import type { Connection } from '../../db/wire/connection.ts'
import type { CallerSource } from '../define/access.ts'
import { conflict, Failure } from '../define/failure.ts'
import type { Seal } from '../secrets/seal.ts'

/** An answer that a retry with the same Idempotency-Key gets again (reliability IDEM). */
export type RememberedAnswer = { status: number; body: string }

/** A retry's claim: the key as sent, and what it was sent with. */
export type Claim = { key: string; fingerprint: Buffer; principal: string | null }

/** A claim that was made, and the organization it was made in. */
export type Claimed = Claim & { organizationId: string | null }

/** Whose Idempotency-Keys these are (IDEM-2): an API key's own, or null for those of the app or person that is authorized. */
export const principalOf = ({
  source,
  credential,
}: {
  source: CallerSource
  credential: Buffer | null
}): string | null => (source === 'API_KEY' ? `key:${credential?.toString('base64')}` : null)

const sealedMinutes = 10
const bodyMaxBytes = 256 * 1024

/** A key is 1 to 255 visible ASCII characters. */
export const isIdempotencyKey = (text: string) => /^[\x21-\x7e]{1,255}$/.test(text)

const insertText = `insert into idempotency_keys as stored (principal, organization_id, key, fingerprint, locked_until)
  values (coalesce($1, current_principal()), current_organization(), $2, $3, now() + $4::interval)
  on conflict (principal, organization_id, key) do update set locked_until = excluded.locked_until
  where stored.status is null and stored.locked_until <= now() and stored.fingerprint = excluded.fingerprint`
// In a subselect, because row security does not let a bare coalesce use the index: it might leak what it is compared with.
const mine = 'principal = (select coalesce($1, current_principal())) and key = $2'
const here = 'and organization_id is not distinct from current_organization()'
const selectText = `select fingerprint, status, body, sealed,
    created_at > now() - make_interval(mins => ${sealedMinutes}) as fresh from idempotency_keys where ${mine} ${here}`

/**
 * Claims the key before any effect, in the transaction of the effect: another request with the same key waits here until
 * this one has committed or rolled back. An expired lease is taken over by one request only. Both statements leave in one
 * flush, together with the statements that were sent just before.
 */
export async function claim(
  connection: Connection,
  { key, fingerprint, principal }: Claim,
  leaseS: number,
): Promise<ClaimResult> {
  const { inserted, found } = await pipeline({
    inserted: connection.query(insertText, [principal, key, fingerprint, `${leaseS} seconds`]),
    found: connection.query(selectText, [principal, key]),
  })
  return { mine: inserted.affected === 1, row: found.rows[0] as Row | undefined }
}

/** Whether this request claimed the key, and what is stored under it. */
export type ClaimResult = { mine: boolean; row: Row | undefined }

type Row = { fingerprint: Buffer; status: number | null; body: string | null; sealed: boolean; fresh: boolean }

/** The remembered answer, for a request whose key was claimed by an earlier one. */
export function recall(
  row: Row | undefined,
  { fingerprint }: Claim,
  { seal, sessionId }: { seal: Seal; sessionId: string | null },
): RememberedAnswer {
  if (row && !row.fingerprint.equals(fingerprint)) {
    throw conflict(
      'This Idempotency-Key was used with another request. Use a new key for a new request.',
      'IDEMPOTENCY_KEY_REUSED',
    )
  }
  if (!row || row.status === null) throw inProgress()
  if (row.body === null) {
    throw conflict(
      'This request was carried out before, but its answer was too large to store. Read the result instead.',
      'ANSWER_TOO_LARGE',
    )
  }
  if (!row.sealed) return { status: row.status, body: row.body }
  const body = row.fresh ? seal.open(row.body, `idempotency:${sessionId}`) : undefined
  if (body === undefined) {
    throw conflict('This request was carried out before. Its secret is shown only once.', 'SECRET_SHOWN')
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

// The organization in which the key was claimed: an operation that creates one has changed the context since.
const claimed = `${mine} and fingerprint = $3 and organization_id is not distinct from $4::uuid and status is null`

const rememberText = `update idempotency_keys set status = $5, body = $6, sealed = $7, locked_until = null
  where ${claimed}`

/**
 * Remembers the answer, in the transaction of the work, unless one is remembered already. An answer over 256 KiB is stored
 * without its body (IDEM-7): a retry is told that the work was done and does not repeat it.
 */
export const rememberAnswer = (
  connection: Connection,
  { key, fingerprint, principal, organizationId }: Claimed,
  { status, body }: RememberedAnswer,
  sealed: boolean,
) =>
  connection.query(rememberText, [
    principal,
    key,
    fingerprint,
    organizationId,
    status,
    Buffer.byteLength(body) > bodyMaxBytes ? null : body,
    sealed,
  ])

const unlockText = `update idempotency_keys set locked_until = now() where ${claimed}`
const deleteText = `delete from idempotency_keys where ${claimed}`

/**
 * Releases the claim of work that ended without a lasting answer. After a refusal that the caller can correct, the key is
 * free for any request; after a failure of the server, when it is unknown how far the work got, only for the same request.
 */
export const releaseClaim = (
  connection: Connection,
  { key, fingerprint, principal, organizationId }: Claimed,
  failure: Failure,
) => connection.query(failure.status === 500 ? unlockText : deleteText, [principal, key, fingerprint, organizationId])

/** Refusals that a retry would meet again (404, 409) are remembered; those that the caller can correct are not (IDEM-7). */
export const isLasting = (failure: unknown): failure is Failure =>
  failure instanceof Failure &&
  (failure.status === 404 || failure.status === 409) &&
  failure.details.every(({ code }) => !code?.startsWith('IDEMPOTENCY') && code !== 'BUSY')
