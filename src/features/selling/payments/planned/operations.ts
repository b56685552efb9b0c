import { sql } from 'kysely'
import { conflict } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Pagination, paging } from '../../../../core/define/page.ts'
import { one, paged, toUuid } from '../../../../core/define/query.ts'
import { ById, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { PlannedPayment, plannedById, plannedPayments, toPlanned } from './planned-payment.ts'

export const list = operation({
  name: 'invoices_planned_payments_list',
  http: 'GET /api/planned-payments',
  does: 'Lists cheques of customers that are dated later, the next one first. Each becomes a payment with the same id on its day.',
  scope: 'invoices:read',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Type.Optional(Id),
    ...paging(),
    customerId: Type.Optional(Id),
    documentId: Type.Optional(Id),
    status: Type.Optional(OneOf('PLANNED', 'RECORDED', 'CANCELLED')),
  }),
  output: Type.Object({ plannedPayments: Type.Array(PlannedPayment), pagination: Pagination }),
  async run({ db }, { organizationId: _, customerId, documentId, status, ...page }) {
    let query = plannedPayments(db).orderBy('dueOn').orderBy('id')
    if (customerId) query = query.where('counterpartyId', '=', toUuid(customerId))
    if (documentId)
      query = query.where(
        sql<boolean>`shares @> jsonb_build_array(jsonb_build_object('documentId', ${toUuid(documentId)}::uuid))`,
      )
    if (status) query = query.where('status', '=', status)
    const { rows, pagination } = await paged(query, page)
    return { plannedPayments: rows.map(toPlanned), pagination }
  },
})

export const cancel = operation({
  name: 'invoices_planned_payments_cancel',
  http: 'POST /api/planned-payments/{id}/cancel',
  does: 'Cancels a planned payment, such as a cheque that was given back. A recorded one is voided with invoices_payments_void.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'plannedPayments',
  input: ById,
  output: PlannedPayment,
  async run({ db, who }, { id }) {
    const { member, planned } = await pipeline({
      member: who,
      locked: db.selectFrom('plannedPayments').select('id').where('id', '=', id).forUpdate().execute(),
      planned: one(plannedById(db, id), 'planned payment'),
    })
    if (planned.status === 'RECORDED')
      throw conflict('The payment was recorded. Void it instead (POST /api/payments/{id}/void).', 'RECORDED')
    if (planned.status === 'CANCELLED') return toPlanned(planned)
    await pipeline({
      cancelled: db.updateTable('plannedPayments').set({ status: 'CANCELLED' }).where('id', '=', id).execute(),
      history: Promise.all(
        planned.shares.map(({ documentId }) =>
          appendHistory(db, documentId, 'PLAN_CANCELLED', { paymentId: id, userId: member.userId }),
        ),
      ),
    })
    return toPlanned(await one(plannedById(db, id), 'planned payment'))
  },
})
