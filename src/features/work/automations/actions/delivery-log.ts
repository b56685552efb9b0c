import type { Role } from '../../../../core/define/access.ts'
import type { Database } from '../../../../core/define/operation.ts'
import { sendWithoutWaiting } from '../../../../core/run/connection.ts'
import { canonicalJson } from '../../../../core/values/canonical-json.ts'
import { idFrom, newId, sha256 } from '../../../../core/values/id.ts'
import { toLine } from '../../../../core/values/line.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import type { StepInfo } from '../engine/engine-types.ts'
import { requireRightsOfRun } from '../rights.ts'
import type { Delivery } from './delivery.ts'

/** The role that webhook.post and email.send need. */
export const deliveryRole = 'CONTRIBUTOR'

const reasonMax = 1_000
const interrupted = 'The attempt was interrupted; whether it arrived is not known.'

type NewDeliveries = Pick<Delivery, 'kind'> & { targets: readonly string[]; message: OutgoingMessage; role?: Role }

/** The id under which a receiver sees a message, and the hash of its content. */
export type OutgoingMessage = { webhookId: string; contentHash: Buffer }

/**
 * The id of the step for the first content that it sends, the same for every attempt (INV-14). A replay can send something
 * else, after a change of the graph: a receiver would drop that as a duplicate, so it gets an id of its own. Deliveries of
 * earlier versions have no hash.
 */
export async function outgoingMessage(
  db: Database,
  { stepId }: StepInfo,
  { kind, content }: Pick<Delivery, 'kind'> & { content: unknown },
): Promise<OutgoingMessage> {
  // PostgreSQL sorts the keys of recorded outputs, so an attempt after a crash can have another order.
  const contentHash = sha256(canonicalJson(JSON.stringify(content)))
  const first = await db
    .selectFrom('automationDeliveries')
    .select('contentHash')
    .where('stepId', '=', stepId)
    .where('kind', '=', kind)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const isFirst = !first?.contentHash || contentHash.equals(first.contentHash)
  return { contentHash, webhookId: isFirst ? stepId : idFrom(stepId, contentHash.toString('hex')) }
}

/**
 * Records a delivery per target before sending, and returns the ids in the same order. Deliveries that an earlier attempt
 * of the step left open were interrupted, and get the outcome UNKNOWN. The commit is refused if the rights of the run have ended
 * since it was claimed: these are the last statements of a transaction, sent together with its commit.
 */
export function startDeliveries(
  db: Database,
  step: StepInfo,
  { kind, targets, message, role = deliveryRole }: NewDeliveries,
): string[] {
  const { stepId, attempt, runId } = step
  const rows = targets.map((target) => ({ id: newId(), stepId, kind, target, attempt, ...message }))
  const started = pipeline({
    rights: requireRightsOfRun(db, runId, role),
    interrupted: db
      .updateTable('automationDeliveries')
      .set({ outcome: 'UNKNOWN', reason: interrupted })
      .where('stepId', '=', stepId)
      .where('outcome', '=', 'SENDING')
      .execute(),
    recorded: db.insertInto('automationDeliveries').values(rows).execute(),
  })
  void sendWithoutWaiting(started)
  return rows.map(({ id }) => id)
}

export type DeliveryOutcome = { outcome: 'DELIVERED' | 'FAILED' | 'REFUSED' } & Partial<
  Pick<Delivery, 'status' | 'latencyMs' | 'reason' | 'answer'>
>

/**
 * Records the result; sent together with the commit. The claim on the run is not checked, because the delivery happened in any
 * case.
 */
export function finishDelivery(db: Database, id: string, result: DeliveryOutcome): void {
  const { outcome, status = null, latencyMs = null, reason = null, answer = null } = result
  const finished = db
    .updateTable('automationDeliveries')
    .set({ outcome, status, latencyMs, answer, reason: reason && toLine(reason, reasonMax) })
    .where('id', '=', id)
    .execute()
  void sendWithoutWaiting(finished)
}
