import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../db/connection.ts'
import type { Lent, Pool } from '../db/pool.ts'
import { type Answer, type Call, subjectOf } from './call.ts'
import { admit, confineText, type Entered, enterStatement, placeOf } from './door.ts'
import { errorBody, isRetryable, toFailure } from './errors.ts'
import { type Failure, unavailable } from './failure.ts'
import { faultPoint } from './fault-point.ts'
import { type FileAnswer, type FileInput, isFile, type Upload } from './file.ts'
import {
  type Claim,
  type Claimed,
  claim,
  inProgress,
  isLasting,
  keep,
  principalOf,
  type Remembered,
  recall,
  release,
} from './idempotency.ts'
import { type Checked, checkInput, objectId } from './input.ts'
import { lending, unless, watch } from './lend.ts'
import type { Inside, Member, Operation, Outside } from './operation.ts'
import type { Kept, Providers } from './provided.ts'
import { type Bucket, type createInFlight, isShared, type Limiter } from './rate-limit.ts'
import { record } from './record.ts'
import type { Seal } from './seal.ts'
import { toJson } from './serialize.ts'
import type { Cause } from './subscriber.ts'
import { type Span, type Tracer, traced } from './tracer.ts'
import { withUpload } from './upload.ts'
import type { Usage } from './usage.ts'

export type Runner = {
  run(operation: Operation, call: Call): Promise<Answer>
  /**
   * Whether the caller may do such a thing at all, before anything large is read from them: 401, 403 for scope and source,
   * 429. The organization is judged later. Counts as under way until the returned function is called.
   */
  knock(operation: Operation, caller: Call['caller']): Promise<() => void>
}

type Means = {
  pool: Pool
  limiter: Limiter
  inFlight: ReturnType<typeof createInFlight>
  seal: Seal
  usage: Usage
  /** Which jobs an event orders. */
  tellings: (type: string) => string[]
  kept: Kept
  providers: Providers
  tracer?: Tracer | undefined
  /** Another limit for operations that talk to the network, for tests. */
  outsideMs?: number
}
type Task = Means & {
  operation: Operation
  call: Call
  subject: string
  checked: Checked
  /** What the operation adds to its audit row; the same again when it is tried again. */
  detail: { of: Record<string, unknown> | null }
  /** What to do when the call is over, however it ends. */
  leaving: (() => void)[]
  /** Where in the trace the jobs that it orders belong. */
  traceparent: string | undefined
  /** When PostgreSQL is no longer waited for. */
  until: number
}

const tries = 3
const insideLeaseS = 30

/**
 * How long an operation may talk to the network. Afterwards its caller is told so and it writes nothing any more, well
 * before a retry may take over its claim: of two that carry out one request, one at most writes (IDEM-5).
 */
const outsideMs = 60_000
const outsideLeaseS = 75

/**
 * How long a call waits for PostgreSQL, all in all: longer than one statement may take (10 s), and so that with the 3 s
 * for a connection and the 3 s for the limits before it nobody waits past 15 s (FLT-04).
 */
const patienceMs = 11_000
const within = (ms: number) => performance.now() + ms

/** Runs operations: the one path that HTTP, MCP, automations and the companion share. */
export function createRunner(means: Means): Runner {
  return {
    async run(operation, call) {
      const subject = subjectOf(call.caller)
      means.limiter.refuseKnown(ownBucket(operation), subject)
      const leaving = [means.inFlight.enter('perCredential', subject)]
      try {
        const checked = checkInput(operation, call)
        const work = (span?: Span) => {
          const traceparent = call.caller.traceparent ?? span?.traceparent
          const until = within(patienceMs)
          return carryOut({
            ...means,
            operation,
            call,
            subject,
            checked,
            detail: { of: null },
            leaving,
            traceparent,
            until,
          })
        }
        return await traced(means.tracer, () => spanOf(operation, call), work)
      } finally {
        for (const leave of leaving) leave()
      }
    },

    async knock(operation, caller) {
      const subject = subjectOf(caller)
      means.limiter.refuseKnown(ownBucket(operation), subject)
      const asPerson = { ...operation, within: 'caller' } as const
      const call: Call = { caller, input: {}, trace: {} }
      const leave = means.inFlight.enter('perCredential', subject)
      try {
        await lending(means.pool, false, async ({ connection }) => {
          const { rows } = await connection.query(...enterStatement(asPerson, call))
          admit(asPerson, call, rows[0] as Entered)
        })
        return leave
      } catch (error) {
        leave()
        throw toFailure(error)
      }
    },
  }
}

const spanOf = ({ name }: Operation, { caller }: Call) => ({
  name: `run ${name}`,
  kind: 'part' as const,
  parent: caller.traceparent,
  facts: { 'kontor.operation': name, 'kontor.source': caller.source, 'kontor.request_id': caller.requestId },
})
const ownBucket = ({ rate, reads }: Operation): Bucket => (isShared(rate) ? (reads ? 'reads' : 'writes') : rate)

function carryOut(task: Task): Promise<Answer> {
  const { run, reads } = task.operation
  if (run.outside) return runOutside(task, run)
  return retried(task, () => (reads ? runRead(task, run) : runWrite(task, run)))
}

/** Deadlocks and lock timeouts are tried again: nothing outside the database has happened. */
async function retried<T>(task: Task, work: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !isRetryable(error))
        throw task.call.once && isLockTimeout(error) ? inProgress() : toFailure(error)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30 * (tries - left)))
    }
  }
}

const isLockTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03'

type InsideRun = Extract<Operation['run'], { outside: false }>
type OutsideRun = Extract<Operation['run'], { outside: true }>

/**
 * Whether the work may start while the door is still answering: both then leave in one flush. A caller whom the door
 * does not know, or whose credential lacks the scope or role, has a transaction that is confined to nothing: row security
 * shows the work no row and lets it write none. What the door does not judge waits for its answer.
 */
const startsEarly = ({ operation, call, checked }: Task) =>
  !checked.problem &&
  !call.once && // it may have been carried out before
  !operation.signedInWithinH &&
  !operation.orSelf &&
  !operation.flushesUsage &&
  call.caller.source !== 'LINK' &&
  operation.sources.includes(call.caller.source)

/**
 * A read needs no transaction of its own (a flush is an implicit one), unless it goes across organizations in the role
 * for that.
 */
function runRead(task: Task, run: InsideRun): Promise<Answer> {
  const { operation, call, checked, usage } = task
  const across = placeOf(operation, call.input) === 'ALL'
  const reading = async ({ connection, db }: Lent) => {
    if (across) watch(connection.query('set local role kontor_across'))
    const entering = enter(task, connection, { confine: !across })
    const work = () =>
      run.do({ ...task.kept, db, now: new Date(), who: who(call, entering), ...readOnly }, checked.input)
    const early = startsEarly(task) ? watch(work()) : undefined
    const entered = await unless(entering, early)
    await unless(pay(task, entered), early)
    if (checked.problem) throw checked.problem
    if (operation.flushesUsage) await usage.flush()
    return answerOf(operation, await (early ?? work()))
  }
  return lending(task.pool, across, reading, task.until)
}

/** A write is one transaction: door, work, audit row and remembered answer commit together or not at all. */
async function runWrite(task: Task, run: InsideRun): Promise<Answer> {
  const { call, checked } = task
  const writing = async (lent: Lent): Promise<Answer> => {
    const entering = enter(task, lent.connection)
    const work = () => run.do(inside(task, lent, entering), checked.input)
    const early = startsEarly(task) ? watch(work()) : undefined
    const { entered, remembered } = await unless(open(task, lent.connection, entering, insideLeaseS), early)
    if (remembered) return { ...remembered, replayed: true }
    return finish(task, lent.connection, entered, await (early ?? work()))
  }
  try {
    return await lending(task.pool, true, writing, task.until)
  } catch (error) {
    if (call.once && !isRetryable(error)) await rememberRefusal(task, toFailure(error))
    throw error
  }
}

/**
 * An operation that talks to the network keeps no transaction open meanwhile: claim and commit, work, record. What the
 * network saw cannot be taken back, so each transaction is tried again by itself and never the whole.
 */
async function runOutside(task: Task, run: OutsideRun): Promise<Answer> {
  const { call, checked } = task
  const until = within(task.outsideMs ?? outsideMs)
  const patience = () => Math.min(within(patienceMs), until + patienceMs) // and so before the claim has run out
  const transaction = <T>(work: (lent: Lent) => Promise<T>) =>
    retried(task, () => lending(task.pool, true, work, patience()))
  const begun = await transaction(({ connection }) => open(task, connection, enter(task, connection), outsideLeaseS))
  if (begun.remembered) return { ...begun.remembered, replayed: true }
  call.progress?.('Started')
  const step = async <T>(work: (lent: Lent, entered: Entered) => Promise<T>) => {
    if (performance.now() > until) throw tookTooLong()
    return transaction(async (lent) => work(lent, await enter(task, lent.connection)))
  }
  const end = <T>(work: (lent: Lent, entered: Entered) => Promise<T>) => {
    faultPoint('after-effect-before-record')
    call.progress?.('Finishing')
    return step(async (lent, entered) => {
      const result = await work(lent, entered)
      return { result, answer: await finish(task, lent.connection, entered, result) }
    })
  }
  let ended: Answer | undefined
  const stepping: Pick<Outside, 'tx' | 'once'> = {
    tx: (work) =>
      step((lent, entered) => work(inside(task, lent, Promise.resolve(entered)))).finally(() =>
        call.progress?.('Recorded a step'),
      ),
    async once(work) {
      if (task.operation.reads) refuseWrite()
      const { result, answer } = await end((lent, entered) => work(inside(task, lent, Promise.resolve(entered))))
      ended = answer
      return result
    },
  }
  try {
    const caller = who(call, Promise.resolve(begun.entered))
    const context = { ...task.kept, ...task.providers, ...stepping, now: new Date(), who: caller }
    const working = received(task, begun.entered, (upload) => run.do({ ...context, ...upload }, checked.input))
    const result = await inTime(until, working)
    if (task.operation.reads) return answerOf(task.operation, result)
    return ended ?? (await end(async () => result)).answer
  } catch (error) {
    const failure = toFailure(error)
    // Whoever was late may still be at it: the claim is left to run out.
    if (call.once && performance.now() < until)
      await (isLasting(failure) ? rememberRefusal(task, failure) : giveUpClaim(task, failure))
    throw failure
  }
}

const tookTooLong = () => unavailable(new Error('The operation was not done in time.'))

/** Work that is late is left to itself: it can no longer write. */
async function inTime<T>(until: number, work: Promise<T>): Promise<T> {
  const given = new AbortController()
  const late = sleep(until - performance.now(), undefined, { signal: given.signal }).then(() => {
    throw tookTooLong()
  })
  try {
    return await Promise.race([watch(work), late])
  } finally {
    watch(late)
    given.abort()
  }
}

/** Brings the file that a call came with, if the operation takes one. */
function received<T>(
  { operation, call, checked, providers }: Task,
  { organizationId }: Entered,
  work: (more: { upload?: Upload }) => Promise<T>,
): Promise<T> {
  if (!operation.upload) return work({})
  const { file } = checked.input as { file: FileInput } // operation() takes `upload` with such an input only
  return withUpload(
    { file, received: call.received },
    { ...providers, organizationId: organizationId ?? '' },
    (upload) => work({ upload }),
  )
}

/** The answer through its schema; of a file it says what it is, and the surface sends the bytes. */
function answerOf({ status, output }: Operation, result: unknown): Answer {
  if (!isFile(output)) return { status, body: toJson(output, result) }
  const file = result as FileAnswer // what `run` returns is typed by the output
  const { fileName, fileType, fileSize, link } = file
  return { status, body: JSON.stringify({ fileName, fileType, fileSize, link }), file }
}

/** Knocks: the caller as the database knows them, or 401, 403 or 404. A refusal counts against its credential too. */
async function enter(task: Task, connection: Connection, { confine = false } = {}): Promise<Entered> {
  const { operation, call } = task
  const entered = (await connection.query(...enterStatement(operation, call))).rows[0] as Entered
  note(call, entered)
  try {
    admit(operation, call, entered)
  } catch (error) {
    if (entered.userId) await payOnce(task)
    throw error
  }
  // At once: the work may be about to send its next flush.
  if (confine) connection.prefix = { text: confineText, values: [entered.userId ?? '', entered.organizationId ?? ''] }
  return entered
}

/** Opens a write: the door, then the limits, then the input, then whether this request was carried out before. */
async function open(
  task: Task,
  connection: Connection,
  entering: Promise<Entered>,
  leaseS: number,
): Promise<{ entered: Entered; remembered?: Remembered }> {
  const { call, checked, seal } = task
  const claiming = call.once && watch(claim(connection, claimOf(call), leaseS))
  const entered = await entering
  await pay(task, entered)
  if (checked.problem) throw checked.problem
  const claimed = claiming && (await claiming)
  if (claimed?.mine) faultPoint('after-idem-insert')
  if (!claimed || claimed.mine) return { entered }
  return { entered, remembered: recall(claimed.row, claimOf(call), { seal, sessionId: entered.sessionId }) }
}

/** Closes a write: the answer through its schema, the audit row and the remembered answer, in the work's transaction. */
async function finish(task: Task, connection: Connection, entered: Entered, result: unknown): Promise<Answer> {
  const { operation, call, seal } = task
  const answer = answerOf(operation, result)
  const deed = { objectId: objectId(call.input, result), detail: task.detail.of }
  watch(record.audit(connection, { operation, caller: call.caller, entered, ...deed }))
  if (call.once) {
    const body = operation.secret ? seal.close(answer.body, `idempotency:${entered.sessionId}`) : answer.body
    watch(keep(connection, claimedBy(call, entered), { status: answer.status, body }, operation.secret))
  }
  return answer
}

async function rememberRefusal(task: Task, failure: Failure) {
  const { call, pool } = task
  if (!isLasting(failure)) return
  const remembering = async ({ connection }: Lent) => {
    const entered = await enter(task, connection)
    await claim(connection, claimOf(call), insideLeaseS)
    const body = JSON.stringify(errorBody(failure, call.caller.requestId))
    await keep(connection, claimedBy(call, entered), { status: failure.status, body }, false)
  }
  // The refusal itself is what the caller is told, remembered or not.
  await lending(pool, true, remembering, within(afterwardsMs)).catch(() => {})
}

/** A word about what is over, that the caller waits for but does not depend on. */
const afterwardsMs = 3_000

async function giveUpClaim(task: Task, failure: Failure) {
  const releasing = async ({ connection }: Lent) => {
    const entered = await enter(task, connection)
    await release(connection, claimedBy(task.call, entered), failure)
  }
  await lending(task.pool, true, releasing, within(afterwardsMs)).catch(() => {}) // then the lease runs out by itself
}

const claimedBy = (call: Call, { organizationId }: Entered): Claimed => ({ ...claimOf(call), organizationId })

const claimOf = ({ once, caller }: Call): Claim => ({
  key: once?.key ?? '',
  fingerprint: once?.fingerprint ?? Buffer.alloc(0),
  principal: principalOf(caller),
})

/** Counts the call against its credential and its organization, once however often it is tried. */
async function pay(task: Task, { organizationId }: Entered) {
  if (task.call.trace.allowance) return
  if (organizationId) task.leaving.push(task.inFlight.enter('perOrganization', organizationId))
  const app = appSubject(task.call)
  if (app) task.leaving.push(task.inFlight.enter('perCredential', app))
  await payOnce(task)
  const { rate } = task.operation
  if (organizationId && isShared(rate)) task.call.trace.allowance = await task.limiter.take(rate, organizationId)
  if (organizationId) await task.limiter.take('organization', organizationId)
  if (task.checked.problem) return
  for (const { bucket, per } of task.operation.alsoRates) {
    const whose = per === 'organization' ? organizationId : String(task.call.input[per]).toLowerCase()
    if (whose) await task.limiter.take(bucket, whose)
  }
}

async function payOnce({ operation, call, limiter, subject }: Task) {
  call.trace.allowance ??= await limiter.take(ownBucket(operation), appSubject(call) ?? subject)
}

/** An app gets a new token every few minutes, so it is counted as itself in one person's name. */
const appSubject = ({ trace: { clientId, userId } }: Call) => clientId && `app:${clientId} ${userId}`

/** Who it was, for the log and the usage record, whether or not the door opens. */
function note({ trace }: Call, { userId, keyId, sessionId, organizationId, appId, clientId }: Entered) {
  if (userId) trace.userId = userId
  if (keyId) trace.keyId = keyId
  if (sessionId) trace.sessionId = sessionId
  if (organizationId) trace.organizationId = organizationId
  if (appId) trace.appId = appId
  if (clientId) trace.clientId = clientId
}

const whoIs = ({ caller }: Call, { userId, keyId, sessionId, appId, organizationId, role }: Entered): Member => ({
  userId: userId ?? '',
  source: caller.source,
  keyId,
  sessionId,
  appId,
  organizationId: organizationId ?? '',
  role: role ?? 'EMPLOYEE',
})

const who = (call: Call, entering: Promise<Entered>) => watch(entering.then((entered) => whoIs(call, entered)))

function inside(task: Task, { connection, db }: Lent, entering: Promise<Entered>): Inside {
  const { call, tellings, kept, detail, traceparent } = task
  return {
    ...kept,
    db,
    now: new Date(),
    who: who(call, entering),
    emit: (event, payload) =>
      void watch(
        entering.then((entered) =>
          record.event(connection, event, payload, { cause: causeOf(call, entered), tellings, traceparent }),
        ),
      ),
    enqueue: (job, payload, when) => void watch(record.job(connection, job, payload, { ...when, traceparent })),
    audit: (more) => {
      detail.of = { ...detail.of, ...more }
    },
  }
}

const causeOf = ({ caller }: Call, { userId, keyId }: Entered): Cause => {
  const { source, requestId, runId, turnId, depth = 0 } = caller
  return { source, requestId, userId, keyId, runId, turnId, depth }
}

const refuseWrite = () => {
  throw new Error('A read emits no events, orders no work and leaves no trail.')
}
const readOnly = { emit: refuseWrite, enqueue: refuseWrite, audit: refuseWrite }
