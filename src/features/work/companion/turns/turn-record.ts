import { sql } from 'kysely'
import type { Role } from '../../../../core/define/access.ts'
import { allScopes } from '../../../../core/define/access.ts'
import type { JobContext, JobInside } from '../../../../core/define/job.ts'
import { newId } from '../../../../core/values/id.ts'
import type { SendStatement } from '../../../../db/wire/connection.ts'
import { type Fed, fedColumns, type Reader } from '../sessions/readable.ts'
import type { Attachment } from '../sessions/session.ts'

// What a job writes about the turn that it works on. The functions are in 0078_companion.sql; each refuses a turn that has
// ended, or that another job holds.

/** A turn that this job holds, and whose rights its calls have. */
export type HeldTurn = {
  id: string
  lease: string
  sessionKey: string
  userId: string
  source: 'SESSION' | 'API_KEY' | 'OAUTH'
  credential: Buffer
  confirmsStepId: string | null
}

/** A transaction of the job, as the person of the turn: their rows are visible, and those of nobody else. */
export const inTurn = <T>(
  { tx }: Pick<JobContext, 'tx'>,
  turnId: string,
  work: (inside: JobInside) => Promise<T>,
): Promise<T> => tx((inside) => asPerson(inside, turnId, work))

export async function asPerson<T>(inside: JobInside, turnId: string, work: (inside: JobInside) => Promise<T>) {
  await inside.ask('select enter_turn($1)', [turnId])
  return work(inside)
}

/** How long a job holds a turn without renewing it. */
const leaseS = 30

/**
 * Takes the turn for this job. `WAITS`: an earlier turn of the session runs, and its end enqueues this one again. `HELD`: another
 * job works on it. `INTERRUPTED`: the job that worked on it is gone.
 */
export function claimTurn(
  context: JobContext,
  turnId: string,
): Promise<HeldTurn | 'WAITS' | 'HELD' | 'INTERRUPTED' | 'ENDED'> {
  return inTurn(context, turnId, async ({ db }) => {
    const lease = newId()
    const claimed = await db
      .updateTable('companionTurns as turn')
      .set({ lease, heldUntil: sql<string>`now() + make_interval(secs => ${leaseS})` })
      .where('id', '=', turnId)
      .where('status', '=', 'RUNNING')
      .where('lease', 'is', null)
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('companionTurns as earlier')
              .whereRef('earlier.sessionKey', '=', 'turn.sessionKey')
              .whereRef('earlier.number', '<', 'turn.number')
              .where('earlier.status', '=', 'RUNNING'),
          ),
        ),
      )
      .returning(['id', 'sessionKey', 'userId', 'source', 'credentialHash', 'confirmsStepId'])
      .executeTakeFirst()
    if (claimed?.credentialHash) return { ...claimed, credential: claimed.credentialHash, lease }
    const turn = await db
      .selectFrom('companionTurns')
      .where('id', '=', turnId)
      .select(['status', 'lease', sql<boolean>`coalesce(held_until < now(), false)`.as('isOver')])
      .executeTakeFirst()
    if (turn?.status !== 'RUNNING') return 'ENDED'
    if (turn.lease === null) return 'WAITS'
    return context.isRepeated || turn.isOver ? 'INTERRUPTED' : 'HELD'
  })
}

/** Keeps the turn, and says whether it still runs: it may have been cancelled. */
export const keepTurn = (context: JobContext, { id, lease }: HeldTurn): Promise<boolean> =>
  inTurn(context, id, async ({ db }) => {
    const kept = db
      .updateTable('companionTurns')
      .set({ heldUntil: sql<string>`now() + make_interval(secs => ${leaseS})` })
      .where('id', '=', id)
      .where('lease', '=', lease)
      .where('status', '=', 'RUNNING')
    return (await kept.returning('id').executeTakeFirst()) !== undefined
  })

/** What the person may do in the organization with the credential of the turn; undefined if it is no longer valid. */
export async function rightsOf(
  { ask }: JobInside,
  { source, credential, userId }: HeldTurn,
  organizationId: string,
): Promise<Reader | undefined> {
  const text = `select (a).role, (a).scopes, (a).user_id from (select authorize_request($1, $2, $3, 'NAMED', $4, 'EMPLOYEE', $5) as a) as authorized`
  const { rows } = await ask(text, [source, credential, userId, organizationId, `{${allScopes.join()}}`])
  const { role, scopes } = rows[0] as { role: Role | null; scopes: readonly string[] | null }
  return role ? { role, scopes } : undefined
}

/**
 * What a turn is answered with: the message, what was said before, who asks and where. Answers of turns before that the caller
 * may not read are left out, and then what the assistant remembers too.
 */
export async function readTurn({ db }: JobInside, { id, sessionKey }: HeldTurn, isReadable: (fed: Fed) => boolean) {
  const own = db.selectFrom('companionMessages').where('turnId', '=', id).where('role', '=', 'user')
  const message = await own
    .select(['text', 'index', sql<Attachment[] | null>`attachments`.as('attachments')])
    .executeTakeFirstOrThrow()
  const before = db
    .selectFrom('companionMessages')
    .where('sessionKey', '=', sessionKey)
    .where('index', '<', message.index)
  const said = await before.select(['role', 'text', 'turnId']).orderBy('index', 'desc').limit(historyMax).execute()
  const turns = await db
    .selectFrom('companionTurns')
    .select(['id', ...fedColumns])
    .where('sessionKey', '=', sessionKey)
    .execute()
  const hidden = new Set(turns.filter((turn) => !isReadable(turn)).map((turn) => turn.id))
  const given = turns.filter((turn) => !hidden.has(turn.id))
  const history = said.filter(({ role, turnId }) => role === 'user' || turnId === null || !hidden.has(turnId))
  const session = db.selectFrom('companionSessions').where('key', '=', sessionKey)
  const { memory } = await session.select(sql<unknown>`memory`.as('memory')).executeTakeFirstOrThrow()
  const organization = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'country', 'currency', 'timezone'])
    .executeTakeFirstOrThrow()
  const person = await db.selectFrom('users').select('name').executeTakeFirst()
  return {
    ...{ message, organization, person: { name: person?.name ?? '' } },
    history: history.reverse(),
    memory: hidden.size > 0 ? null : memory,
    hidden,
    fedBy: given.flatMap((turn) => turn.fedBy),
  }
}
const historyMax = 40

type Feeding = { tools: readonly string[]; rights?: Reader }

/** Notes what the turn is given, before it is: who may not use these tools does not read what the turn says. */
export const feedTurn = (db: JobInside['db'], { id, lease }: HeldTurn, { tools, rights }: Feeding) =>
  db
    .updateTable('companionTurns')
    .set({
      fedBy: sql<string[]>`array(select distinct unnest(fed_by || ${[...tools]}::text[]) order by 1)`,
      ...(rights && { fedRole: rights.role, fedScopes: rights.scopes && [...rights.scopes] }),
    })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .execute()

/** The step that waits for the person's word, if any, and whether the message of this turn was written after the question. */
export const pendingStep = ({ db }: JobInside, { id, sessionKey }: HeldTurn) =>
  db
    .selectFrom('companionSteps')
    .select(
      sql<boolean>`exists (select from companion_turns asking, companion_messages m where asking.id = companion_steps.turn_id
        and m.turn_id = ${id} and m.role = 'user' and asking.finished_at < m.created_at)`.as('wasSeen'),
    )
    .where('sessionKey', '=', sessionKey)
    .where('status', '=', 'PENDING')
    .where('expiresAt', '>', sql<string>`now()`)
    .select(['id', 'ref', 'turnId', sql<Record<string, unknown>>`input`.as('input'), sql<unknown>`output`.as('output')])
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()

export type PendingStep = NonNullable<Awaited<ReturnType<typeof pendingStep>>>

type NewStep = { stepId: string; tool: string; input: object }

export const beginStep = (ask: SendStatement, { id, lease }: HeldTurn, { stepId, tool, input }: NewStep) =>
  ask('select begin_step($1, $2, $3, $4, $5, $6, null, null)', [id, lease, stepId, tool, toJsonb(input), 'RUNNING'])

/** How long a question waits for the person's word. */
const waitsFor = '1 hour'

export const askAboutStep = (ask: SendStatement, { id, lease }: HeldTurn, step: NewStep & { preview: object }) =>
  ask('select begin_step($1, $2, $3, $4, $5, $6, $7, $8)', [
    id,
    lease,
    step.stepId,
    step.tool,
    toJsonb(step.input),
    'PENDING',
    toJsonb(step.preview),
    waitsFor,
  ])

export type StepEnd = {
  status: 'SUCCEEDED' | 'FAILED' | 'SKIPPED'
  output?: unknown
  error?: string
  /** The effect has happened outside the database, so it is recorded even if the turn is over. */
  settles?: boolean
}

export const endStep = (
  ask: SendStatement,
  { id, lease }: HeldTurn,
  stepId: string,
  { status, output, error, settles = false }: StepEnd,
) =>
  ask('select end_step($1, $2, $3, $4, $5, $6, $7)', [
    id,
    lease,
    stepId,
    status,
    output === undefined ? null : toJsonb(output),
    error?.slice(0, errorMax) ?? null,
    settles,
  ])
const errorMax = 2_000

/** PostgreSQL stores neither U+0000 nor half of a pair of surrogates; a model may write both. */
const storable = (text: string) => text.replaceAll('\u0000', '\ufffd').replace(/\p{Cs}/gu, '\ufffd')

const toJsonb = (value: unknown) =>
  JSON.stringify(value, (_, part) => (typeof part === 'string' ? storable(part) : part))

/** Whether the step still waited. After this it runs, and no other turn can begin it. */
export async function beginConfirmedStep(
  ask: SendStatement,
  { id, lease }: HeldTurn,
  stepId: string,
): Promise<boolean> {
  const { rows } = await ask('select begin_confirmed_step($1, $2, $3) as begun', [id, lease, stepId])
  return rows[0]?.begun === true
}

/** Which transactions have committed by now. */
export async function readSnapshot(ask: SendStatement): Promise<string> {
  const { rows } = await ask('select pg_current_snapshot()::text as taken', [])
  return String(rows[0]?.taken)
}

/** Fails if anything was written in the organization since the snapshot, except by this transaction. */
export const requireUnchangedBooks = (ask: SendStatement, snapshot: string) =>
  ask('select require_unchanged_books($1)', [snapshot])

export const skipPendingSteps = (
  ask: SendStatement,
  { id, sessionKey }: HeldTurn,
  reason: string,
  exceptStepId?: string,
) => ask('select skip_pending_steps($1, $2, $3, $4)', [id, sessionKey, exceptStepId ?? null, reason])

export const say = (ask: SendStatement, { id, lease }: HeldTurn, deltas: readonly string[]) =>
  ask('select say_in_turn($1, $2, $3)', [id, lease, deltas.map(storable)])

export type TurnEnd = { status: 'SUCCEEDED' | 'FAILED'; error?: string; interrupted?: string; memory?: unknown }

export const endTurn = (ask: SendStatement, turnId: string, { status, error, interrupted, memory }: TurnEnd) =>
  ask('select end_turn($1, $2, $3, $4, $5, $6)', [
    turnId,
    status,
    error?.slice(0, errorMax) ?? null,
    interrupted ?? 'The turn ended while this was being done.',
    memory === undefined ? null : toJsonb(memory),
    newId(),
  ])
