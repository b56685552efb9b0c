import type { Database } from '../../../core/define/operation.ts'
import { newId } from '../../../core/values/id.ts'
import { toLine } from '../../../core/values/line.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { StepInfo } from '../engine/engine-types.ts'
import { requireRightsOfRun } from '../rights.ts'
import type { Delivery } from './delivery.ts'

/** The role that webhook.post and email.send need. */
export const deliveryRole = 'CONTRIBUTOR'

const reasonMax = 1_000
const interrupted = 'The attempt was interrupted; whether it arrived is not known.'

type NewDeliveries = Pick<Delivery, 'kind'> & { targets: readonly string[] }

/**
 * Records a delivery per target before sending, and returns the ids in the same order. Deliveries that an earlier attempt
 * of the step left open were interrupted, and get the outcome UNKNOWN. Refused if the rights of the run have ended since it
 * was claimed.
 */
export async function startDeliveries(
  db: Database,
  step: StepInfo,
  { kind, targets }: NewDeliveries,
): Promise<string[]> {
  const { stepId, attempt, runId } = step
  await pipeline({
    rights: requireRightsOfRun(db, runId, deliveryRole),
    interrupted: db
      .updateTable('automationDeliveries')
      .set({ outcome: 'UNKNOWN', reason: interrupted })
      .where('stepId', '=', stepId)
      .where('outcome', '=', 'SENDING')
      .execute(),
  })
  const rows = targets.map((target) => ({ id: newId(), stepId, kind, target, attempt }))
  await db.insertInto('automationDeliveries').values(rows).execute()
  return rows.map(({ id }) => id)
}

export type DeliveryOutcome = { outcome: 'DELIVERED' | 'FAILED' | 'REFUSED' } & Partial<
  Pick<Delivery, 'status' | 'latencyMs' | 'reason' | 'answer'>
>

/** Records the result. The claim on the run is not checked, because the delivery happened in any case. */
export async function finishDelivery(db: Database, id: string, result: DeliveryOutcome): Promise<void> {
  const { outcome, status = null, latencyMs = null, reason = null, answer = null } = result
  await db
    .updateTable('automationDeliveries')
    .set({ outcome, status, latencyMs, answer, reason: reason && toLine(reason, reasonMax) })
    .where('id', '=', id)
    .execute()
}
