import { sql } from 'kysely'
import { job } from '../../../../core/define/job.ts'
import type { Inside } from '../../../../core/define/operation.ts'
import { one } from '../../../../core/define/query.ts'
import { Id, type Static, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { countOutcomes, type Outcomes } from '../../../platform/mail/outcome.ts'
import { lockOrder } from '../context.ts'
import { orderSent } from '../order.ts'
import { orderById, toOrder, toPayload } from '../read.ts'

/** The e-mails with one order, one for each recipient. */
export const OrderMailing = Type.Object({ orderId: Id, deliveryIds: Type.Array(Id) })
export type OrderMailing = Static<typeof OrderMailing>

export const orderMailingJobName = 'record-order-mailing'

/** Marks the order as sent once a recipient has it, and says so once. */
export async function recordOrderMailing(
  { db, emit }: Pick<Inside, 'db' | 'emit'>,
  { orderId, deliveryIds }: OrderMailing,
): Promise<Outcomes> {
  const { row, deliveries } = await pipeline({
    locked: lockOrder(db, orderId),
    row: one(orderById(db, orderId), 'order'),
    deliveries: db.selectFrom('mailDeliveries').select(['status', 'kept']).where('id', 'in', deliveryIds).execute(),
  })
  if (row.sentAt === null && deliveries.some(({ status }) => status === 'SENT')) {
    await db.updateTable('orders').set({ sentAt: sql<string>`now()` }).where('id', '=', orderId).execute()
    emit(orderSent, toPayload(toOrder(row)))
  }
  return countOutcomes(deliveries)
}

/** Records outcomes that came after the sending call was answered or the process stopped. */
export const recordOrderMailingJob = job(orderMailingJobName, OrderMailing, async ({ once }, mailing) => {
  await once((inside) => recordOrderMailing(inside, mailing))
})
