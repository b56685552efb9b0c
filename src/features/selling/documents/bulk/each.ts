import { setTimeout as sleep } from 'node:timers/promises'
import { type Detail, Failure } from '../../../../core/define/failure.ts'
import type { Member, Operation, Outside } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Count, Id, type Static, Type } from '../../../../core/define/schema.ts'
import type { Answer } from '../../../../core/run/call.ts'
import { errorBody, toFailure } from '../../../../core/run/errors.ts'
import { salesDocuments } from '../reading/read.ts'

const idsMax = 200

export const DocumentIds = Type.Array(Id, {
  minItems: 1,
  maxItems: idsMax,
  description: 'The documents, in the order in which they are taken; each counts once.',
})

const Problem = Type.Object({
  code: Type.String(),
  message: Type.String(),
  details: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), message: Type.String(), code: Type.Optional(Type.String()) })),
  ),
})

const Outcome = Type.Object({
  id: Id,
  ok: Type.Boolean(),
  error: Type.Optional({ ...Problem, description: 'Why not, as the operation for one document would answer.' }),
})
type Outcome = Static<typeof Outcome>

export const BulkAnswer = Type.Object({ results: Type.Array(Outcome), succeeded: Count, failed: Count })
type BulkAnswer = Static<typeof BulkAnswer>

export type BulkContext = Outside & { who: Promise<Member> }

/** When no further document is begun, so that the answer comes before the call is over its time. */
const workMs = 45_000

/**
 * Calls an operation for each document of the organization, one after the other: each has its own transaction, rights, limits
 * and audit row, and what is refused does not stop the others. Drafts so get their numbers in the given order.
 */
export async function forEachDocument(
  context: BulkContext,
  operation: Operation,
  { ids, input = {} }: { ids: readonly string[]; input?: Record<string, unknown> },
): Promise<BulkAnswer> {
  const until = performance.now() + workMs
  const known = await knownDocuments(context, ids)
  const results: Outcome[] = []
  for (const id of unique(ids)) {
    const outcome = known.has(id) ? await callOne(context, operation, { id, input, until }) : missing(id)
    results.push(outcome)
  }
  const succeeded = results.filter(({ ok }) => ok).length
  return context.once(async ({ audit }) => {
    audit({ documents: results.length, succeeded })
    return { results, succeeded, failed: results.length - succeeded }
  })
}

/** The ids that name sales documents of the organization. */
export async function knownDocuments({ tx }: Pick<Outside, 'tx'>, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx(({ db }) =>
    salesDocuments(db).select('id').where('id', 'in', unique(ids).map(toUuid)).execute(),
  )
  return new Set(rows.map(({ id }) => id))
}

export const unique = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]

type One = { id: string; input: Record<string, unknown>; until: number }

async function callOne(context: BulkContext, operation: Operation, { id, input, until }: One): Promise<Outcome> {
  try {
    const { status, body } = await callPatiently(context, operation, { id, input, until })
    return status < 400 ? { id, ok: true } : { id, ok: false, error: JSON.parse(body).error }
  } catch (error) {
    return { id, ok: false, error: errorBody(toFailure(error), '').error }
  }
}

/** Waits where a limit of the organization is used up for a moment: many documents at once are what it is for. */
export async function callPatiently(
  context: Pick<Outside, 'call'>,
  operation: Operation,
  { id, input, until }: One,
): Promise<Answer> {
  for (;;) {
    if (performance.now() > until) throw outOfTime()
    try {
      return await context.call(operation, { ...input, id }, id)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'RATE_LIMIT' || !(await waits(error, until))) throw error
    }
  }
}

const waitMaxS = 10

async function waits({ retryAfterS = waitMaxS + 1 }: Failure, until: number): Promise<boolean> {
  if (retryAfterS > waitMaxS || performance.now() + retryAfterS * 1_000 > until) return false
  await sleep(retryAfterS * 1_000)
  return true
}

const missing = (id: string): Outcome => ({
  id,
  ok: false,
  error: { code: 'NOT_FOUND', message: 'There is no such document.' },
})

function outOfTime(): Failure {
  const message = 'There was no time left for this document; nothing was done with it. Ask for it again.'
  const details: Detail[] = [{ path: '', message, code: 'UNAVAILABLE' }]
  return new Failure('INTERNAL', message, { details, retryAfterS: 1 })
}
