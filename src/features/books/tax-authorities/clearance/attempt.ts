import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Inside } from '../../../../core/define/operation.ts'
import { faultPoint } from '../../../../core/observe/fault-point.ts'
import type { ClearanceHandler, ClearanceHandlers, ClearanceRequest } from '../../../../core/outside/clearance.ts'
import type { TaxAuthorities } from '../../../../core/outside/tax-authority.ts'
import type { Secrets } from '../../../../core/secrets/secrets.ts'
import { isLostSecret } from '../../../../core/secrets/vault.ts'
import { timeLimit } from '../../../../core/values/time-limit.ts'
import { lockDocument } from '../../../../ledger/numbering.ts'
import { withAccessToken } from '../access-token.ts'
import { type Connection, openConnection } from '../connection.ts'
import { handlerOf } from '../integrations.ts'
import { type Answer, recordAnswer } from './answer.ts'
import { type ClearanceRow, clearanceRow } from './clearance.ts'

/** Longer than an attempt takes: an older claim belongs to a process that has ended. */
const claimS = 90
/** How long the calls of one attempt may take together. */
const attemptMs = 60_000

export type AttemptDependencies = {
  tx<T>(work: (inside: Pick<Inside, 'db' | 'emit' | 'enqueue'>) => Promise<T>): Promise<T>
  secrets: Secrets
  taxAuthorities: TaxAuthorities
  clearanceHandlers: ClearanceHandlers
  organizationId: string
  /** Ends the attempt early; what it did not learn is asked for later. */
  signal?: AbortSignal | undefined
  ms?: number
}

/** `heldUntil`: another process is making an attempt. */
export type Attempted = { heldUntil: string } | { isDone: true }

/**
 * Asks the authority for the number of a submitted document. The request and its claim are committed before anything is sent;
 * every attempt sends the same request, for which the authority returns the same number. The answer is recorded even if the
 * claim has passed to another process, because an allocated number cannot be taken back.
 */
export async function attemptClearance(dependencies: AttemptDependencies, documentId: string): Promise<Attempted> {
  const claim = await dependencies.tx(({ db, emit, enqueue }) =>
    claimClearance({ ...dependencies, db, emit, enqueue }, documentId),
  )
  if ('heldUntil' in claim || 'isDone' in claim) return claim
  const { ms = attemptMs, signal: given } = dependencies
  const signal = timeLimit(ms, ...(given ? [given] : []))
  const answer = await ask({ ...dependencies, signal }, claim).catch((error): Answer => {
    if (!signal.aborted) throw error
    return { kind: 'unavailable', message: 'The tax authority did not answer in time.' }
  })
  faultPoint('after-effect-before-record')
  await dependencies.tx((inside) =>
    recordAnswer(inside, { documentId, attempt: claim.attempt, connectionId: claim.connection.id, answer }),
  )
  return { isDone: true }
}

const pauseMs = 200

/** An attempt that waits for one that another process is making, both within a limited time. */
export async function attemptOrWait(
  dependencies: AttemptDependencies & { ms: number },
  documentId: string,
): Promise<void> {
  const until = performance.now() + dependencies.ms
  for (;;) {
    const ms = Math.max(0, Math.round(until - performance.now()))
    const attempted = await attemptClearance({ ...dependencies, ms }, documentId)
    if ('isDone' in attempted || ms <= pauseMs) return
    await sleep(pauseMs)
  }
}

type Claim = { attempt: number; connection: Connection; request: ClearanceRequest; handler: ClearanceHandler }
type ClaimContext = Pick<Inside, 'db' | 'emit' | 'enqueue'> &
  Pick<AttemptDependencies, 'secrets' | 'organizationId' | 'clearanceHandlers'>

async function claimClearance(context: ClaimContext, documentId: string): Promise<Claim | Attempted> {
  const { db } = context
  await lockDocument(db, documentId)
  const row = await clearanceRow(db, documentId)
    .select(sql<boolean>`coalesce(claimed_until > now(), false)`.as('isHeld'))
    .forUpdate()
    .executeTakeFirst()
  if (row?.status !== 'PENDING' && row?.status !== 'ERROR') return { isDone: true }
  if (row.isHeld && row.claimedUntil) return { heldUntil: row.claimedUntil }
  const attempt = row.attempts + 1
  const lost = (error: unknown) => {
    if (isLostSecret(error)) return 'lost' as const
    throw error
  }
  const opened = await openConnection(context, row.authority).catch(lost)
  const connection = opened === 'lost' ? undefined : opened
  const handler = handlerOf(context.clearanceHandlers, row.authority)
  const made = await requestOf(db, { row, connection, handler, isLost: opened === 'lost' })
  if (!connection || 'problem' in made) {
    const message = 'problem' in made ? made.problem : ''
    const environment = row.environment ?? connection?.environment ?? null
    await claimRow(db, documentId, { attempts: attempt, environment })
    await recordAnswer(context, { documentId, attempt, answer: { kind: 'impossible', message } })
    return { isDone: true }
  }
  await claimRow(db, documentId, {
    attempts: attempt,
    environment: connection.environment,
    request: JSON.stringify(made),
    claimedUntil: sql<string>`now() + make_interval(secs => ${claimS})`,
  })
  return { attempt, connection, request: made, handler }
}

type Requested = {
  row: ClearanceRow
  connection: Connection | undefined
  handler: ClearanceHandler
  isLost: boolean
}

/**
 * The request of the attempts before, or a new one. Another environment knows nothing of a request, so it gets a new one; but never
 * the sandbox after production, which may have allocated a number: a number of the sandbox is none.
 */
async function requestOf(db: Database, { row, connection, handler, isLost }: Requested) {
  if (!connection) return { problem: isLost ? lostCredentials : noCredentials }
  if (row.environment === 'production' && connection.environment === 'sandbox') return { problem: inProduction }
  const recorded = row.environment === connection.environment ? (row.request as ClearanceRequest | null) : null
  if (recorded) return recorded
  return handler.requestFor(db, row.documentId, connection.credentials)
}

const inProduction =
  'The document was submitted in production, and the credentials are those of the sandbox. Enter credentials for production.'
const noCredentials = 'The organization has entered no credentials for the tax authority.'
const lostCredentials =
  'The credentials for the tax authority were lost together with the key of this installation. Enter them again.'

const claimRow = (db: Database, documentId: string, columns: object) =>
  db
    .updateTable('clearances')
    .set({ status: 'PENDING', error: null, nextAttemptAt: null, ...columns })
    .where('documentId', '=', documentId)
    .execute()

type AskDependencies = AttemptDependencies & { signal: AbortSignal }

function ask(dependencies: AskDependencies, { connection, request, handler }: Claim): Promise<Answer> {
  const { organizationId, signal, taxAuthorities } = dependencies
  const caller = { organizationId, environment: connection.environment, signal }
  const requestTokens = handler.requestTokens(taxAuthorities)
  return withAccessToken<Answer>({ ...dependencies, requestTokens }, connection, (accessToken) =>
    handler.ask(taxAuthorities, caller, { accessToken, request }),
  )
}
