import type { Connection } from '../../db/connection.ts'
import { pipeline } from '../../db/pipeline.ts'
import type { CallerSource } from '../define/access.ts'
import { conflict, Failure } from '../define/failure.ts'
import type { Seal } from '../secrets/seal.ts'

/** An answer that a retry with the same Idempotency-Key gets again (reliability IDEM). */
export type RememberedAnswer = { status: number; body: string }

/** A retry's claim: the key as sent, and what it was sent with. */
export type Claim = { key: string; fingerprint: Buffer; principal: string | null }

/** A claim that was made, and the organization it was made in. */
export type Claimed = Claim & { organizationId: string | null }

/** An API key has its own Idempotency-Keys; null is whom the door finds: an app in a person's name, or the person (IDEM-2). */
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

const insertText = `insert into idempotency_keys as kept (principal, organization_id, key, fingerprint, locked_until)
  values (coalesce($1, current_principal()), current_organization(), $2, $3, now() + $4::interval)
  on conflict (principal, organization_id, key) do update set locked_until = excluded.locked_until
  where kept.status is null and kept.locked_until <= now() and kept.fingerprint = excluded.fingerprint`
// Row security keeps a bare coalesce from the index, since it might show what it compares with; of a select it sees the
// value alone.
const mine = 'principal = (select coalesce($1, current_principal())) and key = $2'
const here = 'and organization_id is not distinct from current_organization()'
const selectText = `select fingerprint, status, body, sealed,
    created_at > now() - make_interval(mins => ${sealedMinutes}) as fresh from idempotency_keys where ${mine} ${here}`

/**
 * Claims the key before any effect, in the effect's own transaction: another request with the same key waits here until
 * that one has committed or rolled back. A lease that ran out is taken over, by one request alone. Both statements travel
 * with what the caller has already sent.
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

/** The remembered answer to a request whose claim was another's. */
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
      'This request was carried out; its answer was too large to keep. Read what it made.',
      'ANSWER_TOO_LARGE',
    )
  }
  if (!row.sealed) return { status: row.status, body: row.body }
  const body = row.fresh ? seal.open(row.body, `idempotency:${sessionId}`) : undefined
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

// The organization where the key was claimed: an operation that founds one has meanwhile entered it.
const claimed = `${mine} and fingerprint = $3 and organization_id is not distinct from $4::uuid and status is null`

const keepText = `update idempotency_keys set status = $5, body = $6, sealed = $7, locked_until = null
  where ${claimed}`

/**
 * Remembers the answer, in the transaction that made it true, unless one is remembered already. Of an answer over 256 KiB
 * only the fact is kept (IDEM-7): a retry is told that the work was done and never does it again.
 */
export const rememberAnswer = (
  connection: Connection,
  { key, fingerprint, principal, organizationId }: Claimed,
  { status, body }: RememberedAnswer,
  sealed: boolean,
) =>
  connection.query(keepText, [
    principal,
    key,
    fingerprint,
    organizationId,
    status,
    Buffer.byteLength(body) > bodyMaxBytes ? null : body,
    sealed,
  ])

const unlockText = `update idempotency_keys set locked_until = now() where ${claimed}`
const forgetText = `delete from idempotency_keys where ${claimed}`

/**
 * Gives up a claim whose work ended without a lasting answer: the key is free again after a refusal that the caller can
 * mend, and free for the same request alone when it is not known how far the work got.
 */
export const releaseClaim = (
  connection: Connection,
  { key, fingerprint, principal, organizationId }: Claimed,
  failure: Failure,
) => connection.query(failure.status === 500 ? unlockText : forgetText, [principal, key, fingerprint, organizationId])

/** Refusals that would be the same again (404, 409) are remembered too; what the caller can mend is not (IDEM-7). */
export const isLasting = (failure: unknown): failure is Failure =>
  failure instanceof Failure &&
  (failure.status === 404 || failure.status === 409) &&
  failure.details.every(({ code }) => !code?.startsWith('IDEMPOTENCY') && code !== 'BUSY')
