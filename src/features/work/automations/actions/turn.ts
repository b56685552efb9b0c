import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Bucket } from '../../../../core/run/rate-limit.ts'
import type { EngineTransaction, StepInfo } from '../engine/engine-types.ts'

type Tokens = { bucket: Bucket; count: number; turn: Turn | undefined }

/**
 * Takes the tokens of a step, in advance if the bucket is empty, and returns after how many seconds they are due. At 0 the
 * step goes on in this transaction and has used them. Otherwise they are recorded with the step, so that it does not take
 * them again when its turn has come, also if it was interrupted. Steps get their turn in the order in which they asked. `turn`
 * is what the step has taken before (`turnOf`).
 */
export async function takeTurn(
  { db, consumeRateLimit }: Pick<EngineTransaction, 'db' | 'consumeRateLimit'>,
  { stepId }: StepInfo,
  { bucket, count, turn }: Tokens,
): Promise<number> {
  const isPaid = turn !== undefined && turn.tokens >= count
  const waitS = isPaid ? Math.max(0, turn.waitS) : await consumeRateLimit(db, bucket, { count, inAdvance: true })
  if (waitS > 0 ? !isPaid : turn) await setTurn(db, stepId, waitS > 0 ? { waitS, tokens: count } : undefined)
  return waitS
}

/** For a step that could not use its tokens: it does not take them again. */
export const keepTurn = (db: Database, { stepId }: StepInfo, tokens: number) =>
  setTurn(db, stepId, { waitS: 0, tokens })

type Turn = { waitS: number; tokens: number }

/** The tokens that the step has taken in advance. The row is locked, so that two workers do not both take some. */
export async function turnOf(db: Database, { stepId }: StepInfo): Promise<Turn | undefined> {
  const { rows } =
    await sql<Turn>`select extract(epoch from turn_at - clock_timestamp())::float8 as wait_s, turn_tokens as tokens
    from automation_steps where id = ${stepId} and turn_at is not null for no key update`.execute(db)
  return rows[0]
}

const setTurn = (db: Database, stepId: string, turn: Turn | undefined) =>
  db
    .updateTable('automationSteps')
    .set({
      turnAt: turn ? sql<string>`clock_timestamp() + make_interval(secs => ${turn.waitS})` : null,
      turnTokens: turn?.tokens ?? null,
    })
    .where('id', '=', stepId)
    .execute()
