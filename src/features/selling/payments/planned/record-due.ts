import { sql } from 'kysely'
import type { Failure } from '../../../../core/define/failure.ts'
import { type JobInside, job } from '../../../../core/define/job.ts'
import { one } from '../../../../core/define/query.ts'
import { Type } from '../../../../core/define/schema.ts'
import type { Subscriber } from '../../../../core/define/subscriber.ts'
import { isRetryable, toFailure } from '../../../../core/run/errors.ts'
import { today } from '../../../../core/values/day.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { isPayable } from '../../../../ledger/kind.ts'
import { lockCounters } from '../../../../ledger/numbering.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import { lockPayable, type PayableDocument } from '../../../../ledger/payments/payable-documents.ts'
import { paymentById } from '../../../../ledger/payments/read-payment.ts'
import { issueReceipt } from '../../documents/issuing/receipt.ts'
import { salesKind } from '../../documents/kind.ts'
import { isReceipt } from '../../documents/legal-content.ts'
import { documentById } from '../../documents/reading/read.ts'
import { recordDocumentPayment } from '../document-payment.ts'
import { type PlannedRow, plannedById } from './planned-payment.ts'

/** Looks every hour, because the day begins at another hour in each time zone, and what failed is tried again. */
export const plannedPaymentsSubscriber: Subscriber = {
  name: 'planned-payments',
  on: ['schedule.hourly'],
  // No time zone is more than a day ahead of UTC; the job compares with the organization's own day.
  wants: `select organization_id, min(created_at) as since from planned_payments
    where status = 'PLANNED' and due_on < current_date + 2 group by organization_id`,
  async run({ enqueue }) {
    enqueue(recordDuePayments.name, {})
  },
}

/** Records the planned payments of an organization whose day has come, each in a transaction of its own. */
export const recordDuePayments = job('record-due-payments', Type.Object({}), async ({ read, tx, signal }) => {
  for (const id of await read(({ db, now }) => dueIds(db, now))) {
    if (signal.aborted) return
    try {
      await tx((inside) => recordOne(inside, id))
    } catch (error) {
      const failure = toFailure(error)
      if (isRetryable(error) || failure.code === 'INTERNAL') throw error // the job is tried again
      await tx(({ db }) => noteProblem(db, id, failure))
    }
  }
})

async function dueIds(db: JobInside['db'], now: Date): Promise<string[]> {
  const { timezone } = await organizationContext(db)
  const due = db.selectFrom('plannedPayments').select('id').where('status', '=', 'PLANNED')
  const rows = await due.where('dueOn', '<=', today(now, timezone)).orderBy('dueOn').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Records the payment under the id of its plan: the database refuses a second one. */
async function recordOne({ db, emit, now }: JobInside, id: string) {
  const { organization, planned, lockedUntil } = await pipeline({
    locked: db.selectFrom('plannedPayments').select('id').where('id', '=', id).forUpdate().execute(),
    planned: one(plannedById(db, id), 'planned payment'),
    organization: organizationContext(db),
    lockedUntil: db.selectFrom('organizationSettings').select('lockedUntil').executeTakeFirst(),
  })
  if (planned.status !== 'PLANNED') return
  const { currency, amountMinor, customerId, method, reference, details, withheldMinor, bankAccountId } = planned
  const { documents } = await pipeline({
    counters: lockCounters(db, { issues: planned.receipt === 'NONE' ? [] : ['RECEIPT'] }),
    documents: lockPayable(
      db,
      salesKind,
      planned.shares.map(({ documentId }) => documentId),
    ),
  })
  const member = { userId: planned.createdBy, organizationId: planned.organizationId }
  const context = { db, emit, now, organization, member }
  // A period that was closed meanwhile stays closed: the money counts from today on.
  const isClosed = (lockedUntil?.lockedUntil ?? '') >= planned.dueOn
  await recordDocumentPayment(
    { ...context, who: Promise.resolve(member) },
    {
      ...{ id, currency, amountMinor, customerId, method },
      paidAt: isClosed ? today(now, organization.timezone) : planned.dueOn,
      stored: { reference, details, withheldMinor, bankAccountId },
      shares: sharesStillOpen(planned, documents),
      given: {},
    },
  )
  if (planned.receipt !== 'NONE') await issuePlannedReceipt(context, planned)
  await db.updateTable('plannedPayments').set({ status: 'RECORDED', problem: null }).where('id', '=', id).execute()
}

/** What is still open of the documents that the cheque was meant for: nothing of one that was cancelled, converted or paid otherwise. */
function sharesStillOpen({ shares, customerId }: PlannedRow, documents: readonly PayableDocument[]) {
  return shares.flatMap(({ documentId, amountMinor }) => {
    const document = documents.find(({ id }) => id === documentId)
    if (!document || !isPayable(salesKind, document.status)) return []
    if (customerId !== null && document.customerId !== customerId) return []
    const open = Math.min(amountMinor, document.openMinor)
    return open > 0 ? [{ documentId, amountMinor: open }] : []
  })
}

async function issuePlannedReceipt(
  context: Parameters<typeof issueReceipt>[0],
  { id, customerId, receipt }: PlannedRow,
) {
  const payment = await one(paymentById(context.db, id), 'payment')
  const ids = [...new Set(payment.allocations.map(({ documentId }) => documentId))]
  const documents = await Promise.all(ids.map((documentId) => one(documentById(context.db, documentId), 'document')))
  if (customerId === null || documents.some(({ documentType }) => isReceipt(documentType))) return // a receipt itself
  await issueReceipt(context, { payment, customerId, documents, taxFree: receipt === 'TAX_FREE' })
}

const noteProblem = (db: JobInside['db'], id: string, { message }: Failure) =>
  db
    .updateTable('plannedPayments')
    .set({ problem: message })
    .where('id', '=', id)
    .where('status', '=', 'PLANNED')
    .where(sql<boolean>`problem is distinct from ${message}`)
    .execute()
