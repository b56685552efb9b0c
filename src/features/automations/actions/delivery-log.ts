import type { Database } from '../../../core/define/operation.ts'
import { newId } from '../../../core/values/id.ts'
import { toLine } from '../../../core/values/line.ts'
import type { StepInfo } from '../engine/engine-types.ts'
import type { Delivery } from './delivery.ts'

const reasonMax = 1_000
const interrupted = 'The attempt was interrupted; whether it arrived is not known.'

type Sending = Pick<Delivery, 'kind'> & { targets: readonly string[] }

/**
 * Writes down that something is about to be sent, a row for each target; answers their ids in the same order. What an
 * earlier attempt of the step left open was interrupted.
 */
export async function beginDeliveries(db: Database, step: StepInfo, { kind, targets }: Sending): Promise<string[]> {
  const { stepId, attempt } = step
  await db
    .updateTable('automationDeliveries')
    .set({ outcome: 'UNKNOWN', reason: interrupted })
    .where('stepId', '=', stepId)
    .where('outcome', '=', 'SENDING')
    .execute()
  const rows = targets.map((target) => ({ id: newId(), stepId, kind, target, attempt }))
  await db.insertInto('automationDeliveries').values(rows).execute()
  return rows.map(({ id }) => id)
}

export type DeliveryOutcome = { outcome: 'DELIVERED' | 'FAILED' | 'REFUSED' } & Partial<
  Pick<Delivery, 'status' | 'latencyMs' | 'reason' | 'answer'>
>

/** Writes down what became of it. It happened, whoever carries the run on by now. */
export async function endDelivery(db: Database, id: string, became: DeliveryOutcome): Promise<void> {
  const { outcome, status = null, latencyMs = null, reason = null, answer = null } = became
  await db
    .updateTable('automationDeliveries')
    .set({ outcome, status, latencyMs, answer, reason: reason && toLine(reason, reasonMax) })
    .where('id', '=', id)
    .execute()
}
