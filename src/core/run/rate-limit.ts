import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Pool } from '../../db/pool.ts'
import { type Detail, Failure, tooMany } from '../define/failure.ts'
import { addressSubject } from '../values/address.ts'

/**
 * Token buckets that all processes share (reliability RATE). A process takes tokens from PostgreSQL in lots of up to one
 * second's refill, so most requests touch no shared row. A bucket that gains less than one token a second is counted exactly.
 */
const buckets = {
  reads: { called: 'reads of this credential', perMinute: 18_000, burst: 3_000 },
  writes: { called: 'writes of this credential', perMinute: 6_000, burst: 1_000 },
  largeLists: { called: 'lists of more than 25 rows of this credential', perMinute: 1_800, burst: 600 },
  heavyReads: { called: 'previews, dashboards and exports of this credential', perMinute: 600, burst: 200 },
  organization: { called: 'calls of this organization', perMinute: 54_000, burst: 9_000 },
  unauthenticated: { called: 'calls without valid credentials from this address', perMinute: 600, burst: 200 },
  signUp: { called: 'sign-ups from this address', perMinute: 20, burst: 50 },
  documentSend: { called: 'documents sent by this organization', perMinute: 300, burst: 100 },
  // 5000 a day, and a month's invoices may all go out on one morning.
  mailRecipients: { called: 'recipients of mail from this organization', perMinute: 5_000 / (24 * 60), burst: 5_000 },
  emailSend: { called: 'messages from automations of this organization', perMinute: 100 / 60, burst: 20 },
  webhookPost: { called: 'webhooks from automations of this organization', perMinute: 120, burst: 60 },
  appRegistration: { called: 'registrations of apps from this address', perMinute: 5, burst: 30, closed: true },
  passwordReset: { called: 'password resets of this account', perMinute: 3 / 60, burst: 3, closed: true },
  accountMail: { called: 'e-mails requested from this address', perMinute: 20, burst: 50 },
  proof: { called: 'passwords and codes of this account', perMinute: 10, burst: 10, closed: true },
  keyCreation: { called: 'new API keys of this person', perMinute: 5, burst: 100, closed: true },
  invitationsToAddress: { called: 'invitations to this address', perMinute: 5 / 60, burst: 5, closed: true },
  invitationsOfOrganization: { called: 'invitations of this organization', perMinute: 5, burst: 100, closed: true },
  companionTurns: { called: 'messages of this person to the companion', perMinute: 60, burst: 20 },
  customerPages: { called: 'pages of documents opened from this address', perMinute: 120, burst: 60 },
  customerWords: { called: 'messages from this address', perMinute: 5, burst: 10, closed: true },
  customerMessages: { called: 'messages about this document', perMinute: 1, burst: 20, closed: true },
  automationRuns: { called: 'automations tried or replayed', perMinute: 300, burst: 100, shared: true },
  pdf: { called: 'PDFs printed by this organization', perMinute: 300, burst: 100, shared: true },
  // While a person types, each pause asks for the page again.
  pages: { called: 'pages drawn for this organization', perMinute: 1_200, burst: 200, shared: true },
  polls: { called: 'polls of mailboxes of this organization', perMinute: 120, burst: 60, shared: true },
  validation: { called: 'checks of credentials of this organization', perMinute: 1, burst: 20, shared: true },
  uploads: { called: 'uploads of this organization', perMinute: 300, burst: 100, shared: true },
} as const satisfies Record<
  string,
  { called: string; perMinute: number; burst: number; closed?: boolean; shared?: boolean }
>

export type Bucket = keyof typeof buckets

/** Who is counted, with the kind before the colon: a field of the input, or what the runner knows of the caller. */
export type Subject = `${string}:${string}`

export const emailSubject = (email: string): Subject => `email:${addressSubject(email)}`

/**
 * Limits of one person in strict mode, as settings of the connections: the database counts (0025_accounts.sql), whatever
 * sends the mail or creates the organization. Unlike the buckets they are exact over any 24 hours.
 */
export const personLimits = ({ mode, scale }: { mode: 'local' | 'strict'; scale: number }): string[] => {
  const scaled = (limit: number) => Math.max(1, Math.round(limit * scale))
  if (mode === 'local') return []
  return [
    `-c app.mail_per_recipient=${scaled(20)}`,
    `-c app.mail_per_person=${scaled(500)}`,
    '-c app.organizations_max=50',
  ]
}

/** What is left of a bucket, for the RateLimit headers. */
export type Allowance = { limit: number; remaining: number; resetS: number }

export type Limiter = {
  /** Takes one token or throws 429. */
  take(bucket: Bucket, subject: string): Allowance | Promise<Allowance>
  /** Throws 429 if this process knows that the bucket is empty, without a query. */
  refuseKnown(bucket: Bucket, subject: string): void
}

/**
 * Takes all of the tokens in the transaction of the caller, or throws 429. A rollback gives them back. For limits of an
 * organization instead of a credential, in operations and jobs:
 * `await consumeRateLimit(db, 'mailRecipients', { count: recipients.length })`. The subject is the organization unless given.
 * With `inAdvance` it also takes tokens that are not there yet, in the order of the calls, and returns after how many seconds
 * they are due. Otherwise it returns 0.
 */
export type ConsumeRateLimit = (
  db: Database,
  bucket: Bucket,
  more?: { count?: number; subject?: Subject; inAdvance?: boolean },
) => Promise<number>

/**
 * Tokens are due within a day when they are taken in advance. Whoever comes when more are taken asks again in half a day.
 * Without an end, a clock that is set back could leave a bucket empty for years.
 */
const aheadMaxS = 24 * 60 * 60

export function createConsumeRateLimit(scale = 1): ConsumeRateLimit {
  const sizes = sizesOf(scale)
  return async (db, bucket, { count = 1, subject, inAdvance = false } = {}) => {
    const { called } = buckets[bucket]
    const { perSecond, burst } = sizes[bucket]
    if (count < 1) return 0
    if (count > burst && !inAdvance) throw moreThanBucket(called, Math.ceil(count / perSecond), burst)
    const owner = subject ?? sql`coalesce(current_organization()::text, 'nobody')`
    const key = sql`${`${bucket}:`} || ${owner}`
    const taking = inAdvance
      ? sql<Taken>`select take_tokens_in_advance(${key}, ${perSecond}, ${burst}, ${count}, ${aheadMaxS}) as wait`
      : sql<Taken>`select consume_rate_limit(${key}, ${perSecond}, ${burst}, ${count}) as wait`
    const { rows } = await taking.execute(db)
    const waitS = rows[0]?.wait ?? null
    if (waitS === null) throw tooMany(called, aheadMaxS / 2, burst)
    if (waitS > 0 && !inAdvance) throw tooMany(called, Math.ceil(waitS), burst)
    return waitS
  }
}

type Taken = { wait: number | null }

/** More than fits into the bucket: waiting does not help. */
function moreThanBucket(called: string, retryAfterS: number, burst: number): Failure {
  const { message } = tooMany(called, retryAfterS, burst)
  const details: Detail[] = [{ path: '', message, code: 'LIMIT_EXCEEDED' }]
  return new Failure('RATE_LIMIT', message, { details, retryAfterS, limit: burst, limited: called })
}

/** For a step whose tokens were taken in advance: they are due after exactly this time. */
export class NotYetDue extends Failure {
  readonly waitMs: number

  constructor(bucket: Bucket, waitS: number) {
    const { called } = buckets[bucket]
    const { message } = tooMany(called, Math.ceil(waitS))
    super('RATE_LIMIT', message, { retryAfterS: Math.ceil(waitS), limited: called })
    this.waitMs = Math.ceil(waitS * 1000)
  }
}

/** Times are of `performance.now`, which no change of the clock affects. */
type Lot = { tokens: number; left: number; blockedUntil: number; usedAt: number; fetching?: Promise<void> | undefined }

const lotsMax = 20_000

/** How long a call waits for the table, and how long the process does not ask again after that failed (FLT-04). */
const timeoutMs = 3_000
const pauseMs = 1_000

export function createLimiter(pool: Pool, scale = 1): Limiter {
  const sizes = sizesOf(scale)
  const lots = new Map<string, Lot>()
  let unknownUntil = 0

  function lotOf(key: string): Lot {
    const known = lots.get(key)
    if (known) return known
    if (lots.size >= lotsMax) forgetIdle(lots)
    const lot = { tokens: 0, left: 0, blockedUntil: 0, usedAt: performance.now() }
    lots.set(key, lot)
    return lot
  }

  function refuseKnown(bucket: Bucket, subject: string) {
    const lot = lots.get(`${bucket}:${subject}`)
    if (!lot || lot.tokens >= 1) return
    const waitMs = lot.blockedUntil - performance.now()
    if (waitMs > 0) throw tooMany(buckets[bucket].called, Math.ceil(waitMs / 1000), sizes[bucket].burst)
  }

  function spend(bucket: Bucket, lot: Lot): Allowance {
    const { perSecond, burst } = sizes[bucket]
    lot.tokens -= 1
    lot.usedAt = performance.now()
    const remaining = lot.tokens + lot.left
    return { limit: burst, remaining, resetS: Math.ceil((burst - remaining) / perSecond) }
  }

  function take(bucket: Bucket, subject: string): Allowance | Promise<Allowance> {
    const lot = lotOf(`${bucket}:${subject}`)
    return lot.tokens >= 1 ? spend(bucket, lot) : fetchAndSpend(bucket, subject, lot)
  }

  async function fetchAndSpend(bucket: Bucket, subject: string, lot: Lot): Promise<Allowance> {
    const unlimited = { limit: sizes[bucket].burst, remaining: 0, resetS: 1 }
    while (lot.tokens < 1) {
      refuseKnown(bucket, subject)
      if (performance.now() < unknownUntil && !isClosed(bucket)) return unlimited
      lot.fetching ??= fetchLot(pool, `${bucket}:${subject}`, sizes[bucket], lot).finally(() => {
        lot.fetching = undefined
      })
      try {
        await lot.fetching
      } catch (error) {
        unknownUntil = performance.now() + pauseMs
        if (error instanceof Failure || isClosed(bucket)) throw error
        return unlimited // limits unknown: let ordinary calls pass
      }
    }
    return spend(bucket, lot)
  }

  return { take, refuseKnown }
}

type Size = { perSecond: number; burst: number; lot: number }

/** The sizes of all buckets, multiplied by the scale. */
function sizesOf(scale: number): Record<Bucket, Size> {
  const sized = Object.entries(buckets).map(([bucket, { perMinute, burst }]) => {
    const perSecond = (perMinute / 60) * scale
    const size = {
      perSecond,
      burst: Math.max(1, Math.round(burst * scale)),
      lot: Math.max(1, Math.floor(perSecond)),
    }
    return [bucket, size]
  })
  return Object.fromEntries(sized)
}

/** Whether the bucket belongs to the organization; a call then also counts as a read or a write of its credential. */
export const isShared = (bucket: Bucket) => 'shared' in buckets[bucket]

const isClosed = (bucket: Bucket) => 'closed' in buckets[bucket]

async function fetchLot(pool: Pool, key: string, { perSecond, burst, lot: wanted }: Size, lot: Lot) {
  const { rows } = await pool.use(
    (_, connection) =>
      connection.query('select granted, remaining, retry_after from take_tokens($1, $2, $3, $4)', [
        key,
        perSecond,
        burst,
        wanted,
      ]),
    timeoutMs,
  )
  const { granted, remaining, retryAfter } = rows[0] as { granted: number; remaining: number; retryAfter: number }
  lot.tokens += granted
  lot.left = remaining
  if (granted === 0) lot.blockedUntil = performance.now() + retryAfter * 1000
}

/** Drops the lots of subjects that have not called for a minute; they begin with a new lot. */
function forgetIdle(lots: Map<string, Lot>) {
  const idleSince = performance.now() - 60_000
  for (const [key, lot] of lots) if (lot.usedAt < idleSince && !lot.fetching) lots.delete(key)
}

/** Limits how many calls of one credential and of one organization are in flight in this process. */
export function createInFlight(max: { perCredential: number; perOrganization: number }) {
  const counts = { perCredential: new Map<string, number>(), perOrganization: new Map<string, number>() }
  return {
    enter(kind: keyof typeof max, subject: string): () => void {
      const ofKind = counts[kind]
      const count = ofKind.get(subject) ?? 0
      if (count >= max[kind]) throw tooMany('calls at the same time', 1)
      ofKind.set(subject, count + 1)
      return () => {
        const now = (ofKind.get(subject) ?? 1) - 1
        if (now === 0) ofKind.delete(subject)
        else ofKind.set(subject, now)
      }
    },
  }
}
