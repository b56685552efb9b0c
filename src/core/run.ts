import type { Connection } from '../db/connection.ts'
import type { Lent, Pool } from '../db/pool.ts'
import type { Answer, Call } from './call.ts'
import { admit, confineText, type Entered, enterStatement, placeOf } from './door.ts'
import { errorBody, isRetryable, toFailure } from './errors.ts'
import type { Failure } from './failure.ts'
import {
  type Claim,
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
import type { Inside, Member, Operation } from './operation.ts'
import type { createInFlight, Limiter } from './rate-limit.ts'
import { record } from './record.ts'
import type { Seal } from './seal.ts'
import { toJson } from './serialize.ts'
import type { Usage } from './usage.ts'

export type Runner = { run(operation: Operation, call: Call): Promise<Answer> }

type Means = { pool: Pool; limiter: Limiter; inFlight: ReturnType<typeof createInFlight>; seal: Seal; usage: Usage }
type Job = Means & {
  operation: Operation
  call: Call
  subject: string
  checked: Checked
  /** What to do when the call is over, however it ends. */
  leaving: (() => void)[]
}

const tries = 3
const insideLeaseS = 30
const outsideLeaseS = 60

/** Runs operations: the one path that HTTP, MCP, automations and the companion share. */
export function createRunner(means: Means): Runner {
  return {
    async run(operation, call) {
      const subject = call.caller.credential?.toString('base64') ?? `user:${call.caller.userId}`
      means.limiter.refuseKnown(operation.rate, subject)
      const leaving = [means.inFlight.enter('perCredential', subject)]
      try {
        if (operation.flushesUsage) await means.usage.flush()
        const checked = checkInput(operation, call)
        return await carryOut({ ...means, operation, call, subject, checked, leaving })
      } finally {
        for (const leave of leaving) leave()
      }
    },
  }
}

function carryOut(job: Job): Promise<Answer> {
  const { run, reads } = job.operation
  if (run.outside) return runOutside(job, run)
  return retried(job, () => (reads ? runRead(job, run) : runWrite(job, run)))
}

/** Deadlocks and lock timeouts are tried again: nothing outside the database has happened. */
async function retried<T>(job: Job, work: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !isRetryable(error))
        throw job.call.once && isLockTimeout(error) ? inProgress() : toFailure(error)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30 * (tries - left)))
    }
  }
}

const isLockTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03'

type InsideRun = Extract<Operation['run'], { outside: false }>
type OutsideRun = Extract<Operation['run'], { outside: true }>

/**
 * The work starts while the door is still answering: both leave in one flush. If the door stays shut, the transaction
 * was never confined to anything, so row security has shown the work nothing and let it write nothing, and whatever it
 * did is rolled back unseen.
 *
 * A read needs no transaction of its own (a flush is an implicit one), unless it goes across organizations in the role
 * for that.
 */
function runRead(job: Job, run: InsideRun): Promise<Answer> {
  const { operation, call, checked } = job
  const across = placeOf(operation, call.input) === 'ALL'
  return lending(job.pool, across, async ({ connection, db }) => {
    if (across) watch(connection.query('set local role kontor_across'))
    const entering = enter(job, connection)
    const running = checked.problem
      ? undefined
      : watch(
          run.do(
            { db, now: new Date(), who: who(call, entering), emit: refuseWrite, enqueue: refuseWrite },
            checked.input,
          ),
        )
    const entered = await unless(entering, running)
    if (!across) connection.prefix = { text: confineText, values: [entered.userId, entered.organizationId ?? ''] }
    await unless(pay(job, entered), running)
    if (checked.problem) throw checked.problem
    return { status: operation.status, body: toJson(operation.output, await running) }
  })
}

/** A write is one transaction: door, work, audit row and remembered answer commit together or not at all. */
async function runWrite(job: Job, run: InsideRun): Promise<Answer> {
  const { call, checked } = job
  try {
    return await lending(job.pool, true, async (lent) => {
      const entering = enter(job, lent.connection)
      const work = () => run.do(inside(call, lent, entering), checked.input)
      // What may have been carried out before waits for the answer to that.
      const running = call.once || checked.problem ? undefined : watch(work())
      const { entered, remembered } = await unless(open(job, lent.connection, entering, insideLeaseS), running)
      if (remembered) return { ...remembered, replayed: true }
      return finish(job, lent.connection, entered, await (running ?? work()))
    })
  } catch (error) {
    if (call.once && !isRetryable(error)) await rememberRefusal(job, toFailure(error))
    throw error
  }
}

/**
 * An operation that talks to the network keeps no transaction open meanwhile: claim and commit, work, record. What the
 * network saw cannot be taken back, so each transaction is tried again by itself and never the whole.
 */
async function runOutside(job: Job, run: OutsideRun): Promise<Answer> {
  const { call, checked } = job
  const transaction = <T>(work: (lent: Lent) => Promise<T>) => retried(job, () => lending(job.pool, true, work))
  const begun = await transaction(({ connection }) => open(job, connection, enter(job, connection), outsideLeaseS))
  if (begun.remembered) return { ...begun.remembered, replayed: true }
  const tx = <T>(work: (context: Inside) => Promise<T>) =>
    transaction(async (lent) => {
      const entered = await enter(job, lent.connection)
      return work(inside(call, lent, Promise.resolve(entered)))
    })
  try {
    const result = await run.do({ tx, now: new Date(), who: who(call, Promise.resolve(begun.entered)) }, checked.input)
    return await transaction(async ({ connection }) => finish(job, connection, await enter(job, connection), result))
  } catch (error) {
    const failure = toFailure(error)
    if (call.once) await (isLasting(failure) ? rememberRefusal(job, failure) : giveUpClaim(job, failure))
    throw failure
  }
}

/** Knocks: the caller as the database knows them, or 401, 403 or 404. */
async function enter({ operation, call }: Job, connection: Connection): Promise<Entered> {
  const entered = (await connection.query(...enterStatement(operation, call))).rows[0] as Entered
  note(call, entered)
  admit(operation, call, entered)
  return entered
}

/** Opens a write: the door, then the limits, then the input, then whether this request was carried out before. */
async function open(
  job: Job,
  connection: Connection,
  entering: Promise<Entered>,
  leaseS: number,
): Promise<{ entered: Entered; remembered?: Remembered }> {
  const { call, checked, seal } = job
  const claiming = call.once && watch(claim(connection, claimOf(call), leaseS))
  const entered = await entering
  await pay(job, entered)
  if (checked.problem) throw checked.problem
  const claimed = claiming && (await claiming)
  if (!claimed || claimed.mine) return { entered }
  return { entered, remembered: recall(claimed.row, claimOf(call), { seal, sessionId: entered.sessionId }) }
}

/** Closes a write: the answer through its schema, the audit row and the remembered answer, in the work's transaction. */
async function finish(job: Job, connection: Connection, entered: Entered, result: unknown): Promise<Answer> {
  const { operation, call, seal } = job
  const answer = { status: operation.status, body: toJson(operation.output, result) }
  watch(record.audit(connection, { operation, caller: call.caller, entered, objectId: objectId(call.input, result) }))
  if (call.once) {
    const body = operation.secret ? seal.close(answer.body, `idempotency:${entered.sessionId}`) : answer.body
    watch(keep(connection, claimOf(call), { status: answer.status, body }, operation.secret))
  }
  return answer
}

async function rememberRefusal(job: Job, failure: Failure) {
  const { call, pool } = job
  if (!isLasting(failure)) return
  await lending(pool, true, async ({ connection }) => {
    await enter(job, connection)
    await claim(connection, claimOf(call), insideLeaseS)
    const body = JSON.stringify(errorBody(failure, call.caller.requestId))
    await keep(connection, claimOf(call), { status: failure.status, body }, false)
  }).catch(() => {}) // the refusal itself is what the caller is told, remembered or not
}

async function giveUpClaim(job: Job, failure: Failure) {
  await lending(job.pool, true, async ({ connection }) => {
    await enter(job, connection)
    await release(connection, claimOf(job.call), failure)
  }).catch(() => {}) // then the lease runs out by itself
}

const claimOf = ({ once, caller }: Call): Claim => ({
  key: once?.key ?? '',
  fingerprint: once?.fingerprint ?? Buffer.alloc(0),
  principal: principalOf(caller),
})

/** Counts the call against its credential and its organization, once however often it is tried. */
async function pay({ operation, call, limiter, inFlight, subject, leaving }: Job, { organizationId }: Entered) {
  if (call.trace.allowance) return
  if (organizationId) leaving.push(inFlight.enter('perOrganization', organizationId))
  call.trace.allowance = await limiter.take(operation.rate, subject)
  if (organizationId) await limiter.take('organization', organizationId)
}

/** Who it was, for the log and the usage record, whether or not the door opens. */
function note({ trace }: Call, { userId, keyId, sessionId, organizationId }: Entered) {
  if (userId) trace.userId = userId
  if (keyId) trace.keyId = keyId
  if (sessionId) trace.sessionId = sessionId
  if (organizationId) trace.organizationId = organizationId
}

const whoIs = ({ caller }: Call, { userId, keyId, sessionId, organizationId, role }: Entered): Member => ({
  userId: userId ?? '',
  source: caller.source,
  keyId,
  sessionId,
  organizationId: organizationId ?? '',
  role: role ?? 'EMPLOYEE',
})

const who = (call: Call, entering: Promise<Entered>) => watch(entering.then((entered) => whoIs(call, entered)))

function inside(call: Call, { connection, db }: Lent, entering: Promise<Entered>): Inside {
  const { caller } = call
  return {
    db,
    now: new Date(),
    who: who(call, entering),
    emit: (event, payload) =>
      void watch(entering.then((entered) => record.event(connection, event, payload, { caller, entered }))),
    enqueue: (job, payload, when) => void watch(record.job(connection, job, payload, when)),
  }
}

const refuseWrite = () => {
  throw new Error('A read emits no events and orders no work.')
}
