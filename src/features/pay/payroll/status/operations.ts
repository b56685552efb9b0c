import { sql } from 'kysely'
import { conflict, invalid } from '../../../../core/define/failure.ts'
import { type Database, operation } from '../../../../core/define/operation.ts'
import { toUuid } from '../../../../core/define/query.ts'
import { Count, Id, Type } from '../../../../core/define/schema.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { organizationContext } from '../../../../ledger/organization-context.ts'
import { takeBack } from '../../../../ledger/payments/void-payment.ts'
import { allocationsOf, takeAdvancesBack } from '../advances/set-off.ts'
import { Month, type PayMonth, payMonth } from '../month.ts'
import { outdatedDrafts } from '../outdated.ts'
import { payslipApproved, payslipPaid, payslipPayload } from '../payslips/events.ts'
import { lockPayslip, payslipsById } from '../payslips/read.ts'

export const approve = operation({
  name: 'payroll_approve',
  http: 'POST /api/payroll/approve',
  does: 'Approves the DRAFT payslips of a month, all of them unless some are given. An approved payslip is in the books and does not change any more.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({
    organizationId: Id,
    month: Month,
    payslipIds: Type.Optional(Type.Array(Id, { maxItems: 10_000 })),
  }),
  output: Type.Object({ approved: Count }),
  async run({ db, emitAll, now }, { month: text, payslipIds }) {
    const { timezone } = await organizationContext(db)
    const month = payMonth(text, { now, timezone })
    const ids = await lockMonth(db, month, payslipIds)
    if (ids.length === 0) return { approved: 0 }
    await refuseOutdated(db, month, ids)
    await pipeline({
      approved: db
        .updateTable('documents')
        .set({ status: sql<string>`case when total_minor = 0 then 'PAID' else 'APPROVED' end` })
        .where('id', 'in', ids)
        .execute(),
      claims: db
        .updateTable('documents')
        .set({ status: 'OPEN' })
        .where('kind', '=', sql.lit('LEAVE_CLAIM'))
        .where('status', '=', 'DRAFT')
        .where('id', 'in', (query) => query.selectFrom('leaveClaims').select('id').where('payslipId', 'in', ids))
        .execute(),
    })
    const approved = await payslipsById(db, ids)
    emitAll(payslipApproved, approved.map(payslipPayload))
    const paid = approved.filter(({ status }) => status === 'PAID')
    if (paid.length > 0) emitAll(payslipPaid, paid.map(payslipPayload))
    return { approved: approved.length }
  },
})

/** A draft shows what was computed; what changed since would be approved without anybody having seen it. */
async function refuseOutdated(db: Database, month: PayMonth, ids: readonly string[]) {
  const outdated = (await outdatedDrafts(db, month)).filter(({ payslipId }) => ids.includes(payslipId))
  if (outdated.length === 0) return
  const names = outdated.slice(0, 5).map(({ name }) => name)
  const more = outdated.length > names.length ? ` and ${outdated.length - names.length} more` : ''
  throw conflict(
    `The employment or the terms of ${names.join(', ')}${more} changed after the draft was computed. Compute it again (payroll_regenerate), or delete it.`,
    'DRAFT_OUTDATED',
  )
}

/** Locks the drafts of a month in the order of their ids. Refuses ids that are no payslips of the month. */
async function lockMonth(db: Database, month: PayMonth, payslipIds: readonly string[] | undefined) {
  const wanted = payslipIds && [...new Set(payslipIds.map((id) => toUuid(id).toLowerCase()))]
  let query = db
    .selectFrom('documents as d')
    .innerJoin('payslips as p', (join) =>
      join.onRef('p.organizationId', '=', 'd.organizationId').onRef('p.id', '=', 'd.id'),
    )
    .select(['d.id', 'd.status'])
    .where('p.month', '=', month.from)
    .where('d.kind', '=', sql.lit('PAYSLIP'))
  if (wanted) query = query.where('d.id', 'in', wanted.length > 0 ? wanted : [toUuid('')])
  const rows = await query.orderBy('d.id').forNoKeyUpdate('d').execute()
  const found = new Set(rows.map(({ id }) => id))
  const missing = wanted?.findIndex((id) => !found.has(id)) ?? -1
  if (missing >= 0) throw invalid(`payslipIds.${missing}`, `This is no payslip of ${month.month}.`, 'UNKNOWN_REFERENCE')
  const isVoid = wanted && rows.find(({ status }) => status === 'VOID')
  if (isVoid) throw conflict('A void payslip cannot be approved. Generate the month again.', 'WRONG_STATUS')
  return rows.filter(({ status }) => status === 'DRAFT').map(({ id }) => id)
}

export const voidPayslip = operation({
  name: 'payroll_void',
  http: 'POST /api/payroll/void',
  does: 'Voids an APPROVED or PAID payslip: what paid it becomes an open remainder of the payments again, and the month can be generated again.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, payslipId: Id }),
  output: Type.Object({ status: Type.String() }),
  async run({ db, who }, { payslipId }) {
    const { member, payslip } = await pipeline({ member: who, payslip: lockPayslip(db, payslipId) })
    if (payslip.status === 'DRAFT')
      throw conflict('A draft is deleted, not voided (payroll_payslip_delete).', 'WRONG_STATUS')
    if (payslip.status === 'VOID') throw conflict('The payslip is void already.', 'WRONG_STATUS')
    const claims = await lockClaims(db, payslip.id)
    const { paid, settled } = await pipeline({
      paid: allocationsOf(db, payslip.id, ['ADVANCE', 'NET', 'STATUTORY']),
      settled: Promise.all(claims.map((id) => allocationsOf(db, id, ['LEAVE_CLAIM']))),
    })
    await takeBack({ db, member }, [...paid, ...settled.flat()])
    await db
      .updateTable('documents')
      .set({ status: 'VOID', cancelledAt: sql<string>`now()` })
      .where('id', 'in', [payslip.id, ...claims])
      .execute()
    return { status: 'VOID' }
  },
})

/** Locks the leave claims of a payslip that are not void. */
async function lockClaims(db: Database, payslipId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where('kind', '=', sql.lit('LEAVE_CLAIM'))
    .where('status', '<>', 'VOID')
    .where('id', 'in', (query) => query.selectFrom('leaveClaims').select('id').where('payslipId', '=', payslipId))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export const remove = operation({
  name: 'payroll_payslip_delete',
  http: 'DELETE /api/payroll/payslip',
  does: 'Deletes a DRAFT payslip; advances that were set off against it are open again.',
  scope: 'payroll:write',
  role: 'CONTRIBUTOR',
  within: 'organizationId',
  input: Type.Object({ organizationId: Id, payslipId: Id }),
  output: Type.Object({ deleted: Type.Boolean() }),
  async run({ db, who }, { payslipId }) {
    const { member, payslip } = await pipeline({ member: who, payslip: lockPayslip(db, payslipId) })
    if (payslip.status !== 'DRAFT')
      throw conflict(`A payslip that is ${payslip.status} cannot be deleted. Void it (payroll_void).`, 'WRONG_STATUS')
    await takeAdvancesBack({ db, member }, payslip)
    const { rows } = await sql<{ deleted: boolean }>`select delete_payslip(${payslip.id}) as deleted`.execute(db)
    if (!rows[0]?.deleted)
      throw conflict('An authority has paid for leave on this payslip. Approve it, and void it then.', 'WRONG_STATUS')
    return { deleted: true }
  },
})
