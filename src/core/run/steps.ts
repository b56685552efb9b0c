import type { BorrowedConnection } from '../../db/pool.ts'
import type { Connection } from '../../db/wire/connection.ts'
import { type Failure, unauthenticated } from '../define/failure.ts'
import { requireLiveSession } from '../define/live-session.ts'
import type { Database, Operation } from '../define/operation.ts'
import { topicOf } from '../define/topic.ts'
import { isFileAnswer } from '../files/file.ts'
import { faultPoint } from '../observe/fault-point.ts'
import { type AuditEntry, insertAudit } from './audit.ts'
import { type Authorization, authorizeStatement, checkAuthorization } from './authorize.ts'
import type { Answer, Call } from './call.ts'
import { sendWithoutWaiting, withConnection } from './connection.ts'
import { errorBody, isRetryable, toFailure } from './errors.ts'
import {
  type Claim,
  type Claimed,
  type ClaimResult,
  claim,
  inProgress,
  isLasting,
  principalOf,
  recall,
  releaseClaim,
  rememberAnswer,
} from './idempotency.ts'
import { isLargeList, objectId as objectIdOf } from './input.ts'
import { type Bucket, emailSubject, isShared, type Subject } from './rate-limit.ts'
import { toJson, toJsonInSlices } from './serialize.ts'
import { databaseTimeoutMs, deadlineIn, type Outcome, type Task } from './task.ts'
import { setContext, setContextOfFlushes } from './transaction-context.ts'

// The steps of a call, in the order in which inside.ts and outside.ts take them.

/**
 * Step 1, authorize: who the caller is, as the database knows them, or 401, 403 or 404. A refused call also consumes a
 * rate-limit token of its credential. A read without a transaction has its later flushes confined to the organization.
 */
export async function authorize(
  task: Task,
  { connection, db }: BorrowedConnection,
  { confineLaterFlushes = false, isLast = true } = {},
): Promise<Authorization> {
  const { operation, call, admitted, plan } = task
  if (admitted) {
    if (plan.writes) setContext(connection, { userId: admitted.userId })
    if (plan.writes && isLast) await requireSession(db, admitted)
    return admitted
  }
  const { rows } = await connection.query(...authorizeStatement(operation, call))
  const authorization = rows[0] as Authorization
  noteCaller(call, authorization)
  task.holder.authorized(authorization)
  try {
    checkAuthorization(operation, call, authorization)
  } catch (error) {
    if (authorization.userId) await consumeOwnRateLimit(task, authorization)
    throw error
  }
  // Set before anything else is awaited: work that started early may be about to send its next flush.
  if (confineLaterFlushes) setContextOfFlushes(connection, authorization)
  return authorization
}

/** The session of an admitted person must exist when the work is recorded. */
async function requireSession(db: Database, { userId, sessionId }: Authorization) {
  if (userId && sessionId) await requireLiveSession(db, { userId, sessionId })
}

/** Step 1 for a person: as the database knows them, or 401 or 403. An open operation may be called by anybody. */
export async function authorizePerson(task: Task): Promise<Authorization> {
  const { operation, call, pool, deadline: until, holder } = task
  if (call.caller.source === 'PUBLIC' && operation.open) return unknownPerson
  const ask = async ({ connection }: BorrowedConnection) =>
    (await connection.query(...authorizeStatement(operation, call))).rows[0] as Authorization
  const authorization = await withRetries(task, () => withConnection(pool, false, ask, { until, holder }))
  holder.authorized(authorization)
  const { userId, sessionId } = authorization
  if (userId === null) throw unauthenticated('You are not signed in.')
  call.trace.userId = userId
  if (sessionId) call.trace.sessionId = sessionId
  checkAuthorization(operation, call, authorization)
  return authorization
}

const unknownPerson: Authorization = {
  userId: null, keyId: null, sessionId: null, scopes: null, signedInAgoH: null, organizationId: null, role: null,
  reachable: null, appId: null, clientId: null,
} // biome-ignore format: a list of words

/** Keeps the caller for the log and the usage record, whether or not the call is allowed. */
function noteCaller({ trace }: Call, { userId, keyId, sessionId, organizationId, appId, clientId }: Authorization) {
  if (userId) trace.userId = userId
  if (keyId) trace.keyId = keyId
  if (sessionId) trace.sessionId = sessionId
  if (organizationId) trace.organizationId = organizationId
  if (appId) trace.appId = appId
  if (clientId) trace.clientId = clientId
}

/** Step 2, rate-limit: counts the call against its credential and its organization, once however often it is retried. */
export async function consumeRateLimits(task: Task, authorization: Authorization): Promise<void> {
  const { organizationId } = authorization
  const { operation, call, checked, limiter, inFlight, onEnd } = task
  if (call.trace.allowance) return
  if (organizationId) onEnd.push(inFlight.enter('perOrganization', organizationId))
  const app = appSubject(call, authorization)
  if (app) onEnd.push(inFlight.enter('perCredential', app))
  await consumeOwnRateLimit(task, authorization)
  const { rate } = operation
  if (organizationId && isShared(rate)) call.trace.allowance = await limiter.take(rate, organizationId)
  if (organizationId) await limiter.take('organization', organizationId)
  if (checked.problem) return
  for (const { bucket, per } of operation.alsoRates) {
    const subject = rateLimitSubject(call, per, authorization)
    if (subject) await limiter.take(bucket, subject)
  }
}

/** Who a further limit counts the call against. Each kind has a prefix, so that no text of one is a subject of another. */
function rateLimitSubject(
  { input, caller }: Call,
  per: string,
  { organizationId, userId }: Authorization,
): Subject | undefined {
  if (per === 'organization') return organizationId ? `organization:${organizationId}` : undefined
  if (per === 'person') return userId ? `person:${userId}` : undefined
  if (per === 'address') return caller.origin && `address:${caller.origin.rateLimitAddress}`
  return per === 'email' ? emailSubject(String(input[per])) : `${per}:${String(input[per]).toLowerCase()}`
}

async function consumeOwnRateLimit({ operation, call, limiter, subject }: Task, caller: Authorization) {
  call.trace.allowance ??= await limiter.take(ownBucket(operation, call.input), appSubject(call, caller) ?? subject)
}

/** An app gets a new token every few minutes, so it is counted by its client id and person instead of the token. */
const appSubject = ({ caller }: Call, { clientId, userId }: Authorization) =>
  caller.source === 'OAUTH' && clientId ? `app:${clientId} ${userId}` : undefined

/** The bucket of the caller's credential; a bucket that an organization shares is consumed in addition. */
export function ownBucket(operation: Operation, input: Record<string, unknown>): Bucket {
  const { rate, reads } = operation
  const bucket = isShared(rate) ? (reads ? 'reads' : 'writes') : rate
  return bucket === 'reads' && isLargeList(operation, input) ? 'largeLists' : bucket
}

/** Step 3, validate: 400 unless the input is as the operation's schema says. */
export function requireValidInput({ checked }: Task): void {
  if (checked.problem) throw checked.problem
}

/** How long a claim on an Idempotency-Key holds while only the database works. */
export const insideLeaseS = 30

/**
 * Step 4, claim the Idempotency-Key, if the call has one. It is called before the authorization is awaited, so that both
 * leave in one flush.
 */
export function claimKey({ call, plan }: Task, connection: Connection, leaseS: number) {
  if (!plan.keyed || !call.once) return undefined
  return sendWithoutWaiting(claim(connection, claimOf(call), leaseS))
}

/** The answer to give again, if another request with this key was executed; undefined if this one is to be executed. */
export function recallAnswer(
  { call, seal }: Task,
  { sessionId }: Authorization,
  claimed: ClaimResult,
): Answer | undefined {
  if (claimed.mine) {
    faultPoint('after-idem-insert')
    return undefined
  }
  return { ...recall(claimed.row, claimOf(call), { seal, sessionId }), replayed: true }
}

/** What an execution led to. */
type Executed = { authorization: Authorization; result: unknown; answer: Answer }

/**
 * Step 6, record, after step 5, execute (the operation's own `run`): the audit row, the remembered answer and what the
 * call asked to commit with them. Everything is sent without waiting and travels with the commit of the work.
 */
export function record(task: Task, connection: Connection, { authorization, result, answer }: Executed): void {
  const { operation, call, plan, outcome, seal } = task
  const { once } = call
  if (outcome.recordedAs !== null) {
    const objectId = objectIdOf(operation, call.input, result)
    const entry = auditEntry(task, authorization, { objectId, detail: outcome.detail })
    sendWithoutWaiting(insertAudit(connection.ask, entry))
  }
  if (once && plan.keyed) {
    const body = operation.secret ? seal.close(answer.body, `idempotency:${authorization.sessionId}`) : answer.body
    const { status } = answer
    sendWithoutWaiting(rememberAnswer(connection, claimedBy(call, authorization), { status, body }, operation.secret))
  }
  call.recordInSameTransaction?.(connection, answer)
}

/**
 * Which operation it was, and who called it from where; the person is that of the transaction, unless the operation names
 * one. The call of somebody who has no session proves who they are with a link that was sent by e-mail.
 */
function auditEntry(
  { operation, call: { caller }, outcome }: Task,
  authorization: Authorization,
  { objectId, detail }: Pick<AuditEntry, 'objectId'> & { detail: Outcome['detail'] },
): AuditEntry {
  const { source, requestId, runId, automationId, turnId } = caller
  const { keyId, sessionId, clientId } = authorization
  return {
    operation: outcome.recordedAs ?? operation.name,
    source: source === 'PUBLIC' ? 'LINK' : source,
    requestId,
    userId: outcome.userId,
    keyId,
    sessionId,
    clientId,
    runId,
    automationId,
    turnId,
    objectId,
    detail: detailOf(authorization, detail),
  }
}

/** What a run does, its owner does; the row also names the author of the graph, if that is somebody else. */
const detailOf = ({ userId, authorUserId = null }: Authorization, detail: Record<string, unknown> | null) =>
  authorUserId === null || authorUserId === userId ? detail : { ...detail, author: authorUserId }

/** Step 7, answer: the result through its schema. Of a file the JSON describes it, and the surface sends the bytes. */
export function toAnswer(
  { operation: { status, output, streams }, outcome: { session } }: Task,
  result: unknown,
): Answer {
  if (session) return { status, body: toJson(output, result), session }
  const topic = streams ? topicOf(result as object) : undefined
  if (topic !== undefined) return { status, body: toJson(output, result), topic }
  if (!isFileAnswer(output, result)) return { status, body: toJson(output, result) }
  const { fileName, fileType, fileSize, link } = result
  return { status, body: JSON.stringify({ fileName, fileType, fileSize, link }), file: result }
}

/** The same for a heavy read, whose many rows are written in slices. */
export async function toAnswerInSlices(task: Task, result: unknown): Promise<Answer> {
  const { status, output } = task.operation
  if (isFileAnswer(output, result) || typeof result !== 'object' || !result) return toAnswer(task, result)
  return { status, body: await toJsonInSlices(output, result) }
}

/** After the commit: streams of the organization may have something new to read. */
export function noteChange({ changed, call: { trace } }: Pick<Task, 'changed' | 'call'>): void {
  if (trace.organizationId) changed?.(trace.organizationId)
}

// After a failure.

/** How long the caller waits while the end of a failed call is written; the answer does not depend on it. */
const afterFailureMs = 3_000

/** Remembers a refusal that a retry would meet again, in a transaction of its own: the work was rolled back. */
export async function rememberRefusal(task: Task, failure: Failure): Promise<void> {
  const { call, pool, holder } = task
  if (!isLasting(failure) || call.recordInSameTransaction) return
  const remember = async (borrowed: BorrowedConnection) => {
    const { connection } = borrowed
    const authorization = await authorize(task, borrowed)
    await claim(connection, claimOf(call), insideLeaseS)
    const body = JSON.stringify(errorBody(failure, call.caller.requestId))
    await rememberAnswer(connection, claimedBy(call, authorization), { status: failure.status, body }, false)
  }
  // The caller gets the refusal itself, even if it could not be remembered.
  await withConnection(pool, true, remember, { until: deadlineIn(afterFailureMs), holder }).catch(() => {})
}

/**
 * Records that a call may have had an effect on the network although its caller lost access meanwhile, so that its own
 * transaction could not be recorded. The row is written by the product, in the name of the caller as the call began.
 */
export async function recordLostAccess(task: Task, authorization: Authorization): Promise<void> {
  const { call, operation, system } = task
  const { userId, organizationId } = authorization
  const objectId = objectIdOf(operation, call.input, undefined)
  const detail = { outcome: 'ACCESS_ENDED' }
  const entry = { ...auditEntry(task, authorization, { objectId, detail }), userId, organizationId }
  const insert = ({ connection }: BorrowedConnection) => insertAudit(connection.ask, entry)
  // The caller is told of the lost access in any case.
  await withConnection(system, true, insert, { until: deadlineIn(databaseTimeoutMs) }).catch(() => {})
}

/** Releases the key of a call that failed for a reason that may pass. If that fails, the lease expires. */
export async function abandonClaim(task: Task, failure: Failure): Promise<void> {
  const release = async (borrowed: BorrowedConnection) => {
    const authorization = await authorize(task, borrowed)
    await releaseClaim(borrowed.connection, claimedBy(task.call, authorization), failure)
  }
  const { pool, holder } = task
  await withConnection(pool, true, release, { until: deadlineIn(afterFailureMs), holder }).catch(() => {})
}

const claimedBy = (call: Call, { organizationId }: Authorization): Claimed => ({ ...claimOf(call), organizationId })

const claimOf = ({ once, caller }: Call): Claim => ({
  key: once?.key ?? '',
  fingerprint: once?.fingerprint ?? Buffer.alloc(0),
  principal: principalOf(caller),
})

const attemptsMax = 3

/** Retries a transaction after a deadlock or a lock timeout: nothing outside the database has happened. */
export async function withRetries<T>(task: Task, transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === attemptsMax || !isRetryable(error))
        throw task.call.once && isLockTimeout(error) ? inProgress() : toFailure(error)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30 * attempt))
    }
  }
}

const isLockTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03'
